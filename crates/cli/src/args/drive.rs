//! The command line of `headway drive`.

use clap::Args as ClapArgs;

use super::Connection;

/// Walk an upgrade of one cluster from this terminal, step by step, and tell what happens.
///
/// Makes the ClusterUpgrade NAME for the Cluster NAME of Cluster API, or goes on with the one that is there, and walks it
/// as the operator would: hooks are asked, versions of the control plane and of workers written, gates kept. All that has
/// to be remembered is in the object, so Ctrl-C leaves everything in order, and the same command goes on. A Lease keeps
/// two terminals apart, and the operator keeps away from what a terminal walks.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES, after_help = "Use --help for examples and exit codes.")]
pub(crate) struct Drive {
    /// The Cluster, and the ClusterUpgrade beside it.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// The namespace of the Cluster; by default that of the kubeconfig's context.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) namespace: Option<String>,

    /// The version to go to; by default that of the ClusterUpgrade that is there.
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<String>,

    /// The versions that may be visited, old to new, with commas between them.
    #[arg(long, value_name = "VERSION,…", value_delimiter = ',', num_args = 1.., conflicts_with = "extension")]
    pub(crate) versions: Vec<String>,

    /// The handler that names the versions on the way, HANDLER.EXTENSIONCONFIG.
    #[arg(long, value_name = "NAME")]
    pub(crate) extension: Option<String>,

    /// Take it from the operator, if it walks it.
    #[arg(long)]
    pub(crate) take_over: bool,

    /// Give it to the operator, and end.
    #[arg(long, conflicts_with_all = ["to", "versions", "extension", "take_over", "dry_run", "once"])]
    pub(crate) hand_over: bool,

    /// Write nothing: tell what would be done first, and what it would wait for.
    #[arg(long, conflicts_with = "once")]
    pub(crate) dry_run: bool,

    /// Take one turn, and end.
    #[arg(long)]
    pub(crate) once: bool,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  # What would be done first
  headway drive c1 -n fleet --to v1.34.1 --versions v1.32.9,v1.33.5,v1.34.1 --dry-run

  # All of it; Ctrl-C at any time, and the second line goes on
  headway drive c1 -n fleet --to v1.34.1 --versions v1.32.9,v1.33.5,v1.34.1
  headway drive c1 -n fleet

  # From the operator to here, and back
  headway drive c1 -n fleet --take-over
  headway drive c1 -n fleet --hand-over

Exit codes:
  0  everything is at the target; with --dry-run or --hand-over: it was told, or done
  1  wrong usage, or it cannot be walked from here
  4  with --once: it is under way, or something is waited for
  130  Ctrl-C";
