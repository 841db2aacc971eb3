//! The command line of `headway approve`.

use clap::{Args as ClapArgs, ValueEnum};

use super::Connection;

/// Say yes to the next step of an upgrade, where a ClusterUpgrade waits for somebody who does.
///
/// Writes an entry with your name, as the API server knows you, and the time into spec.approvals. Whoever may `approve`
/// clusterupgrades.headway.dev can; the chart has the role headway-approver for it.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES, after_help = "Use --help for examples and exit codes.")]
pub(crate) struct Approve {
    /// The ClusterUpgrade.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// The step, such as control-plane/v1.31.0 or workers/v1.31.0; or the version that is asked for, where one word
    /// counts for the whole way. Left out, it is the one that is waited for now.
    #[arg(value_name = "STEP")]
    pub(crate) step: Option<String>,

    /// The namespace of the ClusterUpgrade; by default that of the kubeconfig's context.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) namespace: Option<String>,

    /// Take the approval back. A step that has begun goes on.
    #[arg(long)]
    pub(crate) revoke: bool,

    /// Write nothing: `client` only says what would be, `server` lets the API server judge it too.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = DryRun::None)]
    pub(crate) dry_run: DryRun,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

/// How far a trial goes, in kubectl's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DryRun {
    /// It is none.
    None,
    /// To what would be sent.
    Client,
    /// To what the server says.
    Server,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  # What is waited for now
  headway approve c1 -n fleet

  # A step ahead of time
  headway approve c1 workers/v1.33.1 -n fleet

  # Whether one may
  headway approve c1 -n fleet --dry-run=server

  # Not after all
  headway approve c1 workers/v1.33.1 -n fleet --revoke

Exit codes:
  0  it is approved, or was already; or taken back
  1  wrong usage, nothing to approve, or the server said no";
