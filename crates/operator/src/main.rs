//! `headway-operator`: keeps the status of updates in the Kubernetes API.
//!
//! Table of contents: arguments in `args`, time in `clock`, the loop that looks and decides what to write in `keeper`,
//! with `kept` for one object and `rendering` for what objects there are; `writer` talks to the API server, `recall`
//! reads back what was written before; `fleet` does all that for the clusters that a management cluster keeps, and asks
//! them by their `kubeconfig`; `extension` answers Cluster API's hooks, `admission` judges writes, `identity` and
//! `secret` are their certificates; `lease`, `probes`, `metrics`, `log` and `stop` are what operating it takes.

mod admission;
mod args;
mod clock;
mod drive;
mod extension;
mod fleet;
mod identity;
mod keeper;
mod kept;
mod kubeconfig;
mod lease;
mod log;
mod metrics;
mod probes;
mod recall;
mod rendering;
mod run;
mod secret;
mod stop;
mod writer;

use std::process::ExitCode;

use clap::Parser;

/// Steady memory is what the operator is measured by; mimalloc gives back what a burst took.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = args::Args::parse();
    log::begin(args.log_format);
    match run::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "the operator stops");
            ExitCode::FAILURE
        }
    }
}
