//! `cargo xtask env`: the real etcd and API server that ring 2 runs on.
//!
//! `build` compiles them, `up` and `down` give a developer one of their own.
//! Tests start and stop theirs through the crate `headway-testenv`.

mod background;
mod build;
mod cluster_api;
mod go;
mod managers;
mod sources;

use clap::Subcommand;
use headway_testenv::{Environment, Program};

pub(crate) use build::build;
pub(crate) use cluster_api::fetch as fetch_cluster_api;
pub(crate) use managers::build_managers;
pub(crate) use sources::check as check_sources;

/// What to do with the test environment.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compile etcd, kube-apiserver, kubectl, helm and their supervisor, and fetch the kinds of Cluster API, unless they are there
    Build,
    /// Start an API server of your own in the background; prints the line that points kubectl at it
    Up,
    /// Stop what `up` started
    Down,
    /// Print where each program is
    Path,
}

/// Does it.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.task {
        Task::Build => fetch_cluster_api(&build()?),
        Task::Up => background::up(),
        Task::Down => background::down(),
        Task::Path => path(),
    }
}

/// One line a program, so that a script can cut it: name, tabulator, path.
fn path() -> anyhow::Result<()> {
    let environment = Environment::read()?;
    for program in Program::ALL {
        println!("{program}\t{}", program.path(&environment).display());
    }
    Ok(())
}
