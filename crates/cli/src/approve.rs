//! `headway approve`: says yes, and tells what came of it as kubectl does.

use std::process::ExitCode;

use headway_api::GROUP;
use headway_cluster::approval::{self, Depth, Outcome, Subject, Word};

use crate::args::{Approve, DryRun};
use crate::failure::Failure;
use crate::{access, clock, output, render};

/// Writes the approval, or takes it back.
pub(crate) fn run(args: &Approve) -> Result<ExitCode, Failure> {
    let Approve { name, step, namespace, revoke, dry_run, connection } = args;
    let (word, done) = if *revoke { (Word::Revoke, "revoked") } else { (Word::Approve, "approved") };
    let (depth, trial) = match dry_run {
        DryRun::None => (Depth::Write, ""),
        DryRun::Client => (Depth::Client, " (dry run)"),
        DryRun::Server => (Depth::Server, " (server dry run)"),
    };
    let outcome = access::runtime()?.block_on(async {
        let cluster = access::connect_or(connection, "set KUBECONFIG, or give --kubeconfig").await?;
        let namespace = namespace.as_deref().unwrap_or_else(|| cluster.namespace());
        let subject = Subject { namespace, name, step: step.as_deref() };
        approval::say(&cluster, word, subject, depth, clock::now()).await.map_err(anyhow::Error::new)
    })?;
    let told = match outcome {
        Outcome::Done { step } => format!("{done}: {step}{trial}"),
        Outcome::Already(entry) => {
            let at = entry.at.strftime("%Y-%m-%dT%H:%M:%SZ");
            format!("unchanged: {} was approved by {} at {at}{trial}", entry.step, entry.by)
        }
    };
    output::write(format!("clusterupgrade.{GROUP}/{name} {}\n", render::line(&told)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
