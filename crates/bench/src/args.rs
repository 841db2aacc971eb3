//! The command line: what can be asked, and how a failure is told.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum, value_parser};

use crate::drive;
use crate::fleet;
use crate::operator;
use crate::plan;
use crate::recording::{Form, Recording, Syntax};
use crate::status::{Job, Options};

/// Measures Headway, and makes the recordings that it is measured on.
#[derive(Debug, Parser)]
#[command(name = "headway-bench", version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a recording of an invented OpenShift cluster in the middle of an update.
    MakeRecording(MakeRecording),
    /// Measure `headway status` on large recordings and print the figures with their aims.
    Status(Status),
    /// Measure `headway-operator` against a real API server and print the figures with their aims.
    Operator(Operator),
    /// Measure decisions and print the figures with their aims.
    Drive(Drive),
    /// Measure plans and the hook server and print the figures with their aims.
    Plan(Plan),
    /// Measure `headway status` and `headway-operator` on a management cluster of many clusters and print the figures with their aims.
    Fleet(Fleet),
    /// Do one job in this process and print what it cost, as one line of JSON.
    #[command(hide = true)]
    Measure(Measure),
    /// Run a command as the one child of this process and print what it cost, as one line of JSON.
    #[command(hide = true)]
    MeasureCommand(MeasureCommand),
}

/// `make-recording`: which recording, and where.
#[derive(Debug, ClapArgs)]
pub(crate) struct MakeRecording {
    /// Number of nodes, the control plane's included.
    #[arg(long, default_value_t = 5_000, value_parser = value_parser!(u32).range(10..=100_000))]
    nodes: u32,
    /// How the objects are laid out.
    #[arg(long, value_enum, default_value_t = Form::Flat)]
    form: Form,
    /// What the objects are written in.
    #[arg(long, value_enum, default_value_t = Syntax::Yaml)]
    syntax: Syntax,
    /// Folder to write into; it is made when missing.
    pub(crate) out: PathBuf,
}

impl MakeRecording {
    /// The recording that was asked for.
    pub(crate) fn recording(&self) -> Recording {
        Recording { nodes: self.nodes, form: self.form, syntax: self.syntax }
    }
}

/// `status`: how large, how often, and with which program.
#[derive(Debug, ClapArgs)]
pub(crate) struct Status {
    /// Number of nodes for the figures that have an aim.
    #[arg(long, default_value_t = 5_000, value_parser = value_parser!(u32).range(10..=100_000))]
    nodes: u32,
    /// Numbers of nodes at which growth is measured.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 5_000, 20_000],
          value_parser = value_parser!(u32).range(10..=100_000))]
    scale: Vec<u32>,
    /// Runs of each job; the least time and the largest peak count.
    #[arg(long, default_value_t = 5, value_parser = value_parser!(u32).range(1..=100))]
    runs: u32,
    /// The `headway` to measure; the one beside this program when not given.
    #[arg(long, value_name = "PATH")]
    headway: Option<PathBuf>,
}

impl Status {
    /// The measurement that was asked for; recordings are kept in `cache` when there is one.
    pub(crate) fn options(self, cache: Option<PathBuf>) -> Options {
        let Self { nodes, scale, runs, headway } = self;
        Options { nodes, scale, runs, headway, cache }
    }
}

/// `operator`: how large, how fast, and with which program.
#[derive(Debug, ClapArgs)]
pub(crate) struct Operator {
    /// Numbers of nodes; aims are for 5000.
    #[arg(long, value_delimiter = ',', default_values_t = [500, 5_000],
          value_parser = value_parser!(u32).range(20..=50_000), conflicts_with = "all")]
    nodes: Vec<u32>,
    /// 500, 5000 and 20000 nodes.
    #[arg(long)]
    all: bool,
    /// Seconds into which the update is compressed; a server that is slower makes it longer.
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u32).range(30..=7_920))]
    seconds: u32,
    /// The `headway-operator` to measure; the one beside this program when not given.
    #[arg(long, value_name = "PATH")]
    operator: Option<PathBuf>,
    /// Leave out what is computed on a driven clock.
    #[arg(long)]
    only_server: bool,
}

impl Operator {
    /// The measurement that was asked for.
    pub(crate) fn options(self) -> operator::Options {
        let Self { nodes, all, seconds, operator, only_server } = self;
        operator::Options {
            nodes: if all { vec![500, 5_000, 20_000] } else { nodes },
            update: Duration::from_secs(seconds.into()),
            program: operator,
            clock: if only_server { operator::DrivenClock::LeftOut } else { operator::DrivenClock::Asked },
        }
    }
}

/// `plan`: for how long, and how many ask.
#[derive(Debug, ClapArgs)]
pub(crate) struct Plan {
    /// Seconds that each figure is measured for.
    #[arg(long, default_value_t = 5, value_parser = value_parser!(u32).range(1..=600))]
    seconds: u32,
    /// Clusters that ask the hook server every five seconds.
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u32).range(1..=100_000))]
    clusters: u32,
}

impl Plan {
    /// The measurement that was asked for.
    pub(crate) fn options(&self) -> plan::Options {
        plan::Options { span: Duration::from_secs(self.seconds.into()), clusters: self.clusters }
    }
}

/// `drive`: how long.
#[derive(Debug, ClapArgs)]
pub(crate) struct Drive {
    /// Seconds that each figure is measured for.
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..=600))]
    seconds: u32,
}

impl Drive {
    /// The measurement that was asked for.
    pub(crate) fn options(&self) -> drive::Options {
        drive::Options { span: Duration::from_secs(self.seconds.into()) }
    }
}

/// `fleet`: how large, how often, and with which program.
#[derive(Debug, ClapArgs)]
pub(crate) struct Fleet {
    /// Number of clusters.
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u32).range(1..=10_000))]
    clusters: u32,
    /// Groups of workers of each cluster.
    #[arg(long, default_value_t = 10, value_parser = value_parser!(u32).range(1..=100))]
    pools: u32,
    /// Machines of each cluster.
    #[arg(long, default_value_t = 50, value_parser = value_parser!(u32).range(3..=1_000))]
    machines: u32,
    /// Runs of each job; the least time and the largest peak count.
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..=100))]
    runs: u32,
    /// The `headway` to measure; the one beside this program when not given.
    #[arg(long, value_name = "PATH")]
    headway: Option<PathBuf>,
    /// The `headway-operator` to measure; the one beside this program when not given.
    #[arg(long, value_name = "PATH")]
    operator: Option<PathBuf>,
}

impl Fleet {
    /// The measurement that was asked for.
    pub(crate) fn options(self) -> fleet::Options {
        let Self { clusters, pools, machines, runs, headway, operator } = self;
        let [clusters, pools, machines] = [clusters, pools, machines].map(|count| count as usize);
        fleet::Options { size: fleet::Size { clusters, pools, machines }, runs, headway, operator }
    }
}

/// `measure-command`: which.
#[derive(Debug, ClapArgs)]
pub(crate) struct MeasureCommand {
    /// The program.
    pub(crate) program: PathBuf,
    /// Handed to it as they are.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

/// `measure`: one job on one recording.
#[derive(Debug, ClapArgs)]
pub(crate) struct Measure {
    #[arg(value_enum)]
    job: JobName,
    /// The recording, as `headway status --from` takes it.
    pub(crate) recording: PathBuf,
    /// The program to run for the job `headway`.
    #[arg(long, required_if_eq("job", "headway"), default_value = "headway")]
    headway: PathBuf,
}

impl Measure {
    /// The job that was asked for.
    pub(crate) fn job(&self) -> Job {
        match self.job {
            JobName::Read => Job::Read,
            JobName::Library => Job::Library,
            JobName::Headway => Job::Headway(self.headway.clone()),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum JobName {
    Read,
    Library,
    Headway,
}

/// Tells a failure with its causes, one a line, and gives the exit code for it.
pub(crate) fn complain(error: &anyhow::Error) -> ExitCode {
    let mut text = format!("error: {error}\n");
    for cause in error.chain().skip(1) {
        text.push_str(&format!("  because: {cause}\n"));
    }
    // Nobody is left to tell when standard error is closed.
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::FAILURE
}
