//! The command line of `headway simulate`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs, ValueEnum};

/// Rehearse an upgrade with no cluster: what would be asked, written and waited for, in order and with times.
///
/// Plays a script: what is there, what is asked for and what goes wrong, a command a line. What decides is what decides
/// for real clusters; machines, extensions and faults are made up, and time is what the script says. `headway plan -o
/// script` writes a script of a plan, of recorded objects or of a running cluster.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES, after_help = "Use --help for the commands of scripts and exit codes.")]
#[command(group(ArgGroup::new("what").required(true).args(["script", "example"])))]
pub(crate) struct Simulate {
    /// The script: a file, or - for standard input.
    #[arg(value_name = "SCRIPT")]
    pub(crate) script: Option<PathBuf>,

    /// One of the scripts that are built in.
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) example: Option<Example>,

    /// Print the script and do not play it.
    #[arg(long)]
    pub(crate) print_script: bool,
}

/// The scripts that are built in: those of `examples/simulate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Example {
    /// Four minors with two pools, which move twice.
    FourMinors,
    /// A pool that somebody deferred.
    DeferredPool,
    /// Approval, rest, a window and an insight hold what is next.
    Gates,
    /// A process that dies, a conflict, a webhook that refuses.
    Faults,
    /// A chain that is stopped midway and ended there.
    StoppedMidway,
    /// Workers that are so far behind that they move first.
    WorkersFirst,
}

impl Example {
    /// The script.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::FourMinors => include_str!("../../../../examples/simulate/four-minors/script.txt"),
            Self::DeferredPool => include_str!("../../../../examples/simulate/deferred-pool/script.txt"),
            Self::Gates => include_str!("../../../../examples/simulate/gates/script.txt"),
            Self::Faults => include_str!("../../../../examples/simulate/faults/script.txt"),
            Self::StoppedMidway => include_str!("../../../../examples/simulate/stopped-midway/script.txt"),
            Self::WorkersFirst => include_str!("../../../../examples/simulate/workers-first/script.txt"),
        }
    }
}

pub(super) const EXAMPLES: &str = "\
Commands of a script; what follows a # says nothing:
  control-plane VERSION [MACHINES]                the first: where it is
  pool NAME MACHINES [VERSION]                    a MachineDeployment; machine-pool is the other kind
  versions VERSION...                             the list of versions; none is one minor at a time
  extension VERSION... [workers VERSION...]       an extension names them; extension-down WHY, extension-up
  hooks                                           every hook is answered, with nothing against it
  hook NAME go | wait DURATION | fail DURATION    how one is answered; then COUNT times, for each step
  upgrade VERSION                                 the target
  run [DURATION]                                  time goes on, until nothing happens any more
  pause, resume, stop, go-on
  defer NAME, undefer NAME, delete NAME, gone NAME
  concurrency COUNT, stage NAME POOL...           how many pools move at once, and which first
  annotate KEY, unannotate KEY                    an annotation that forbids the upgrade to begin
  soak DURATION, approval per-step|per-chain|none, approve STEP
  window closed [DURATION], window open
  unhealthy LEVEL RULE SUMMARY, healthy           an insight that holds what is next
  machines-take DURATION, never-ready NAME, ready NAME
  keep NAME MANAGER, unkeep NAME                  another keeps the version
  silent, reports                                 the control plane reports no version
  conflict, refuse, crash COUNT                   the next write fails; the process dies after so many effects

Examples:
  # Four minors with two pools
  headway simulate --example four-minors

  # The same with changes of your own
  headway simulate --example four-minors --print-script > mine.txt
  headway simulate mine.txt

  # What a recorded cluster would do
  headway plan --from cluster.yaml -o script | headway simulate -

Exit codes:
  0  everything is at the target
  1  wrong usage, a script that cannot be read, or a promise that was not kept
  4  it came to rest before that: something is waited for";
