//! The command line. All that is taken from the environment is taken here.

mod approve;
mod drive;
mod extension;
mod fleet;
mod simulate;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use clap::{ArgGroup, Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use http::Uri;
use jiff::{SignedDuration, Timestamp};

pub(crate) use self::approve::{Approve, DryRun};
pub(crate) use self::drive::Drive;
pub(crate) use self::extension::{Extension, ExtensionCommand, ExtensionTest};
pub(crate) use self::fleet::Fleet;
pub(crate) use self::simulate::Simulate;

/// Plans, drives and watches Kubernetes cluster upgrades.
#[derive(Debug, Parser)]
#[command(name = "headway", version, propagate_version = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Status(Box<Status>),
    Plan(Box<Plan>),
    Simulate(Simulate),
    Drive(Drive),
    Approve(Approve),
    Extension(Extension),
    Completion(Completion),
    #[command(hide = true)]
    InternalDocs(InternalDocs),
}

/// Show how the update of a cluster is going, whether it is healthy and what to do.
///
/// Looks at the cluster of the kubeconfig, or with --from at what was recorded of one: a must-gather folder or archive,
/// or any YAML and JSON files with its objects. Prints the progress of the control plane and of every pool of nodes,
/// and what stands in the way. Changes nothing: read access is enough, and what may not be read is named.
///
/// A management cluster, of Cluster API or of hosted control planes, is told by what it serves: then the clusters that
/// it keeps are shown in a table, or one of them in full by its name. Of an OpenShift cluster that keeps others too its
/// own update is shown, unless a name or one of the options for management clusters is given.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES, after_help = "Use --help for examples and exit codes.")]
pub(crate) struct Status {
    /// What to read instead of a running cluster: a must-gather folder or archive (.tar, .tar.gz, .tgz), a folder or files of YAML or JSON, a
    /// file NAME-cv.yaml with its siblings (NAME-co.yaml, -mcp, -mc, -node, -mco-deployment, -alerts.json, -pod,
    /// -pdb), or - for standard input. May be given several times.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "connection")]
    pub(crate) from: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) fleet: Fleet,

    /// How to reach the cluster.
    #[command(flatten)]
    pub(crate) live: Live,

    #[command(flatten)]
    pub(crate) connection: Connection,

    /// Keep looking and tell what changes: drawn anew on a terminal, appended elsewhere. Ctrl-C ends it.
    #[arg(long, conflicts_with_all = ["from", "at", "compat"])]
    pub(crate) watch: bool,

    /// Wait until it is so, then tell the status.
    #[arg(long, value_name = "STATE", value_enum, conflicts_with_all = ["from", "at", "compat"])]
    pub(crate) wait: Option<Wait>,

    /// How long to wait, such as 90m; past it the exit code is 1. Without it, for as long as it takes.
    #[arg(long, value_name = "TIME", value_parser = span, requires = "wait")]
    pub(crate) timeout: Option<Duration>,

    /// Output format.
    #[arg(long, short, value_name = "FORMAT", value_enum, default_value_t = Output::Text)]
    pub(crate) output: Output,

    /// What to tell more about.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Details::None)]
    pub(crate) details: Details,

    /// Judge as of this moment (RFC 3339), instead of now or the moment of the recording.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) at: Option<Timestamp>,

    /// Print what another tool would print, mistakes included.
    #[arg(long, value_name = "TOOL", value_enum)]
    pub(crate) compat: Option<Compat>,

    /// Tell by the exit code how the update goes; see below.
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Do not colour words. They are coloured on a terminal only, and not when NO_COLOR is set.
    #[arg(long)]
    pub(crate) no_color: bool,

    /// Refuse input files, archive entries and answers that are larger than this, such as 512MiB.
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub(crate) max_file_size: ByteSize,
}

/// Which cluster, as whom, and how long to wait for it.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options for a running cluster")]
#[group(id = "live", conflicts_with = "from", multiple = true)]
pub(crate) struct Live {
    /// Where the answer comes from.
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t = Source::Auto)]
    pub(crate) source: Source,

    /// Where Prometheus or Thanos answers about alerts, instead of the cluster's own route to it. The token of the
    /// kubeconfig is shown to it over https only.
    #[arg(long, value_name = "URL", value_parser = url)]
    pub(crate) prometheus: Option<Uri>,

    /// A file with the token to show when asking about alerts, instead of the kubeconfig's.
    #[arg(long, value_name = "FILE")]
    pub(crate) prometheus_token_file: Option<PathBuf>,

    /// A file with the certificates that sign that of Prometheus, instead of those that the cluster publishes.
    #[arg(long, value_name = "FILE")]
    pub(crate) prometheus_ca_file: Option<PathBuf>,
}

/// How to reach a cluster: kubectl's flags.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options for a running cluster")]
#[group(id = "connection", multiple = true)]
pub(crate) struct Connection {
    /// The kubeconfig file; otherwise those that KUBECONFIG names, or ~/.kube/config.
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// The context of the kubeconfig.
    #[arg(long, value_name = "NAME")]
    pub(crate) context: Option<String>,

    /// The user to act as.
    #[arg(long = "as", value_name = "USER")]
    pub(crate) act_as: Option<String>,

    /// A group to act as; may be given several times.
    #[arg(long = "as-group", value_name = "GROUP", requires = "act_as")]
    pub(crate) act_as_groups: Vec<String>,

    /// How long to wait for one answer of the server, such as 30s or 2m; 0 waits for as long as it takes.
    #[arg(long, value_name = "TIME", value_parser = span, default_value = "0")]
    pub(crate) request_timeout: Duration,
}

const EXAMPLES: &str = "\
Examples:
  # The cluster of the current context
  headway status

  # Keep looking; or let a script wait for the end of the update
  headway status --watch
  headway status --wait=updated --timeout=3h

  # A must-gather, as a folder or as the archive that the customer sent
  headway status --from must-gather.local.100
  headway status --from must-gather.tar.gz --details=all

  # Objects piped from somewhere else
  oc get clusterversion,co,mcp,mc,node -o yaml | headway status --from -

  # The clusters that a management cluster keeps; one of them in full
  headway status -A --sort-by=worst
  headway status -n fleet -l env=prod -o wide
  headway status c1 -n fleet

  # The same of what was recorded
  headway status --from must-gather-of-the-hub.tar.gz -A
  headway status c1 -n fleet --from clusters/

  # For a script: what needs attention, as JSON
  headway status --from must-gather.local.100 -o json | jq '.insights[] | {level, summary}'

Exit codes:
  0  the status was told; with --exit-code: not updating, or done (of a table of clusters: the gravest of its rows)
  1  wrong usage, nothing that could be read, or --wait past its --timeout
  With --exit-code:
  3  updating, and well
  4  needs attention
  5  stalled or failing
  6  what was observed is not enough to tell";

/// Show what an upgrade would do: its steps, what rolls in each, who is asked, and what stands in the way.
///
/// Reckons from two versions, or looks at a Cluster API management cluster, running or recorded: Cluster, ClusterClass,
/// control plane, MachineDeployments, MachinePools, Machines, ExtensionConfigs and, of the workload cluster,
/// PodDisruptionBudgets. With --check it looks at the version list of a ClusterClass before anybody sets a target.
/// Changes nothing, and asks no extension: what only they know is named.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = PLAN_EXAMPLES, after_help = "Use --help for examples and exit codes.")]
#[command(group(ArgGroup::new("about").required(true).multiple(true).args(["from_version", "from", "check", "cluster"])))]
pub(crate) struct Plan {
    /// The version that the control plane has, when there is nothing but versions to reckon from.
    #[arg(long, value_name = "VERSION", requires = "to", conflicts_with_all = ["from", "check", "connection"])]
    pub(crate) from_version: Option<String>,

    /// The version to go to; with --from instead of the one that the Cluster's topology names.
    #[arg(long, value_name = "VERSION", conflicts_with = "check")]
    pub(crate) to: Option<String>,

    /// The versions that may be visited, old to new, with commas between them; with --from instead of those that the
    /// ClusterClass or its extension names.
    #[arg(long, value_name = "VERSION,…", value_delimiter = ',', num_args = 1.., conflicts_with = "check")]
    pub(crate) versions: Vec<String>,

    /// The version that workers have, or that of one group of them as NAME=VERSION; `none` for a cluster without. By
    /// default they have the control plane's.
    #[arg(long, value_name = "[NAME=]VERSION,…", value_delimiter = ',', num_args = 1.., conflicts_with_all = ["from", "check"])]
    pub(crate) workers_version: Vec<String>,

    /// What to read: files or folders of YAML or JSON, an archive (.tar, .tar.gz, .tgz), or - for standard input. May
    /// be given several times.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "connection")]
    pub(crate) from: Vec<PathBuf>,

    /// Check the version lists of the ClusterClasses in these files, with the clusters that are there beside them.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["from", "connection"])]
    pub(crate) check: Vec<PathBuf>,

    /// Which Cluster: with --from when there are several; otherwise of the running management cluster.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from_version", "check"])]
    pub(crate) cluster: Option<String>,

    /// The namespace of the Cluster; of a running one, by default that of the kubeconfig's context.
    #[arg(long, short, value_name = "NAME", conflicts_with_all = ["from_version", "check"])]
    pub(crate) namespace: Option<String>,

    /// Output format.
    #[arg(long, short, value_name = "FORMAT", value_enum, default_value_t = PlanOutput::Text)]
    pub(crate) output: PlanOutput,

    /// Judge as of this moment (RFC 3339), instead of now, or with --from of the newest condition of any object.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with_all = ["from_version", "check"])]
    pub(crate) at: Option<Timestamp>,

    #[command(flatten)]
    pub(crate) connection: Connection,

    /// Tell by the exit code how it stands; see below.
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Do not colour words. They are coloured on a terminal only, and not when NO_COLOR is set.
    #[arg(long)]
    pub(crate) no_color: bool,

    /// Refuse input files and archive entries that are larger than this, such as 512MiB.
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub(crate) max_file_size: ByteSize,
}

const PLAN_EXAMPLES: &str = "\
Examples:
  # The steps between two versions, by a list
  headway plan --from-version v1.30.6 --to v1.33.4 --versions v1.31.9,v1.32.5,v1.33.4

  # Workers that are behind
  headway plan --from-version v1.33.4 --to v1.34.1 --workers-version md-a=v1.31.2,md-b=v1.33.4

  # What a recorded cluster would do, or why it does not move
  headway plan --from cluster.yaml
  kubectl get -A -o yaml cluster,clusterclass,kubeadmcontrolplane,machinedeployment,machinepool,machine,extensionconfig \\
    | headway plan --from - --cluster c1 --to v1.35.0

  # A cluster of the running management cluster
  headway plan --cluster c1 -n fleet --to v1.35.0

  # The same as a rehearsal, hook by hook and pool by pool
  headway plan --cluster c1 -n fleet --to v1.35.0 -o script | headway simulate -

  # The version list of a class, before anybody uses it
  headway plan --check class.yaml

Exit codes:
  0  the plan was told; with --exit-code: there is nothing to do
  1  no plan can be made or a list is not sound, wrong usage, or nothing that could be read
  With --exit-code:
  3  it can begin, or is under way, and nothing stands in its way
  4  something holds it up, now or on the way
  5  it is stuck
  6  what was seen is not enough to tell";

/// Write a completion script for a shell to standard output.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:\n  source <(headway completion bash)")]
pub(crate) struct Completion {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Write the generated files (man pages, definitions of our kinds, API reference) below a folder, as they lie in the
/// checkout; for `cargo xtask codegen`.
#[derive(Debug, ClapArgs)]
pub(crate) struct InternalDocs {
    /// The folder.
    pub(crate) out: PathBuf,
}

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people.
    Text,
    /// For people, with since when, configurations, budgets and rule ids.
    Wide,
    /// The Report as JSON.
    Json,
    /// The Report as YAML.
    Yaml,
}

/// Output formats of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanOutput {
    /// For people.
    Text,
    /// For people, with the versions that were not taken, failure policies and kinds of holds.
    Wide,
    /// The Preview as JSON.
    Json,
    /// The Preview as YAML.
    Yaml,
    /// A script for `headway simulate`.
    Script,
}

/// What to tell more about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Details {
    /// Nothing more.
    None,
    /// Every node, not only the first ten and those with trouble.
    Nodes,
    /// Description, resources and reference of each insight.
    Health,
    /// What updating operators say.
    Operators,
    /// All of these.
    All,
}

/// Where the answer about a running cluster comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Source {
    /// What headway-operator has published, if it did so lately; otherwise the objects.
    Auto,
    /// What headway-operator has published; where there is nothing, the conditions of the ClusterVersion.
    Api,
    /// The objects of the cluster.
    Objects,
}

/// What can be waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wait {
    /// Nothing is being updated: control plane and nodes are at their version.
    Updated,
    /// Nothing needs attention, whether an update runs or not.
    Healthy,
}

/// Tools whose text can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compat {
    /// `oc adm upgrade status`, byte for byte.
    Oc,
}

/// Reads a span as kubectl does: `90s`, `1m30s`, or a number of seconds.
fn span(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().map(SignedDuration::from_secs);
    let span = seconds.or_else(|| text.parse().ok());
    span.and_then(|span| Duration::try_from(span).ok()).ok_or_else(|| "not a time to wait such as 30s or 2m".to_owned())
}

fn url(text: &str) -> Result<Uri, String> {
    let url: Option<Uri> = text.parse().ok();
    let is_whole = |url: &Uri| matches!(url.scheme_str(), Some("http" | "https")) && url.host().is_some();
    url.filter(is_whole).ok_or_else(|| "not an address such as https://thanos-querier.apps.example.com".to_owned())
}

fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "not an RFC 3339 time such as 2026-05-04T08:30:00Z".to_owned())
}

/// Parses the command line. When the binary is called `kubectl-headway`, which is how kubectl finds its plugins, help
/// and errors speak of `kubectl headway`.
pub(crate) fn parse() -> Result<Args, clap::Error> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let mut command = Args::command();
    let plugin =
        words.first().and_then(|word| Path::new(word).file_stem()).is_some_and(|stem| stem == "kubectl-headway");
    if let (true, Some(first)) = (plugin, words.first_mut()) {
        *first = "kubectl headway".into();
        let all = [
            ("status", EXAMPLES),
            ("plan", PLAN_EXAMPLES),
            ("simulate", simulate::EXAMPLES),
            ("drive", drive::EXAMPLES),
            ("approve", approve::EXAMPLES),
        ];
        for (name, examples) in all {
            let examples = examples.replace(&format!("headway {name}"), &format!("kubectl headway {name}"));
            command = command.mut_subcommand(name, |command| command.after_long_help(examples));
        }
        let examples = extension::EXAMPLES.replace("headway extension", "kubectl headway extension");
        command = command.mut_subcommand("extension", |command| {
            command.mut_subcommand("test", |command| command.after_long_help(examples))
        });
    }
    Args::from_arg_matches(&command.try_get_matches_from(words)?)
}

/// Whether the user does not want colours (https://no-color.org: set and not empty).
pub(crate) fn no_color_in_environment() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
