//! The command line. All that is taken from the environment is taken here.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use headway_core::admission::Mode;

use crate::drive::Shard;

/// Keeps the status of a cluster's update in the Kubernetes API, as `UpdateStatus` and its details; that of each cluster
/// that a management cluster keeps too.
#[derive(Debug, Clone, Parser)]
#[command(name = "headway-operator", version)]
pub(crate) struct Args {
    /// The kubeconfig; without it the service account of the pod, or the usual places.
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// What to do here. Each role has rights of its own, so the chart gives each a Deployment.
    #[arg(long, value_name = "ROLE", value_enum, value_delimiter = ',', default_values_t = [Role::Status])]
    pub(crate) roles: Vec<Role>,

    /// Which forms of the status to keep.
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', default_values_t = [Render::Singleton, Render::PoolDetails, Render::Clusters, Render::Metrics])]
    pub(crate) render: Vec<Render>,

    /// Ask the clusters that are kept themselves while they are updated, by the kubeconfigs in the Secrets beside them:
    /// for what holds up drains, and what runs in hosted clusters.
    #[arg(long)]
    pub(crate) workloads: bool,

    /// Which nodes get an insight object of their own, with --render=insights.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = NodeInsights::Interesting)]
    pub(crate) node_insights: NodeInsights,

    /// Where health, readiness and metrics are served.
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8080")]
    pub(crate) listen: SocketAddr,

    /// Where Prometheus or Thanos answers; without it the cluster's own monitoring is looked for.
    #[arg(long, value_name = "URL")]
    pub(crate) prometheus: Option<String>,

    /// A file with the bearer token for Prometheus; without it that of the cluster is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) prometheus_token_file: Option<PathBuf>,

    /// A file with the certificates that Prometheus is trusted by.
    #[arg(long, value_name = "FILE")]
    pub(crate) prometheus_ca_file: Option<PathBuf>,

    /// Write only while holding the lease, so that a second replica can stand by.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub(crate) leader_elect: bool,

    /// The namespace of the lease.
    #[arg(long, value_name = "NAME", env = "POD_NAMESPACE", default_value = "headway-system")]
    pub(crate) namespace: String,

    /// The name by which this replica holds the lease.
    #[arg(long, value_name = "NAME", env = "POD_NAME", default_value = "headway-operator")]
    pub(crate) identity: String,

    /// How long a lease holds without being renewed, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    pub(crate) lease_seconds: u64,

    /// Where hooks are served, over TLS.
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9444")]
    pub(crate) hooks_listen: SocketAddr,

    /// A folder with tls.crt and tls.key for the hooks, read again when they change; without it --hooks-secret.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) hooks_tls_dir: Option<PathBuf>,

    /// The Secret with the certificate for the hooks; it is made and renewed.
    #[arg(long, value_name = "NAME", default_value = "headway-hooks-tls")]
    pub(crate) hooks_secret: String,

    /// The Service by which Cluster API reaches the hooks: the certificate of the Secret is for its name.
    #[arg(long, value_name = "NAME", default_value = "headway-hooks")]
    pub(crate) hooks_service: String,

    /// A file with the certificates that clients of the hooks must be vouched for by; without it all are let in.
    #[arg(long, value_name = "FILE")]
    pub(crate) hooks_client_ca_file: Option<PathBuf>,

    /// A file with the versions that upgrade plans visit, where neither the ExtensionConfig's settings nor a catalogue
    /// that they name say it; without it the ClusterClass does.
    #[arg(long, value_name = "FILE")]
    pub(crate) version_catalogue: Option<PathBuf>,

    /// Where admission is served, over TLS.
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9443")]
    pub(crate) admission_listen: SocketAddr,

    /// Who drives the topologies: what cannot be seen is refused with topology, and left to Cluster API with beside.
    #[arg(long, value_name = "MODE", value_enum, default_value_t = AdmissionMode::Beside)]
    pub(crate) admission_mode: AdmissionMode,

    /// A folder with tls.crt, tls.key and ca.crt for admission, read again when they change; without it
    /// --admission-secret.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) admission_tls_dir: Option<PathBuf>,

    /// The Secret with the certificate for admission; it is made and renewed.
    #[arg(long, value_name = "NAME", default_value = "headway-admission-tls")]
    pub(crate) admission_secret: String,

    /// The Service by which the API server reaches admission: the certificate of the Secret is for its name.
    #[arg(long, value_name = "NAME", default_value = "headway-operator-admission")]
    pub(crate) admission_service: String,

    /// The webhook configurations that are told whom to trust.
    #[arg(long, value_name = "NAME", default_value = "headway-operator-admission")]
    pub(crate) admission_configuration: String,

    /// Which part of all clusters to drive, such as 0/4 for the first of four: each part has a lease of its own.
    #[arg(long, value_name = "I/N", default_value_t = Shard::default())]
    pub(crate) shard: Shard,

    /// How the log is written.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Json)]
    pub(crate) log_format: LogFormat,

    /// Read the time from this file, which holds one RFC 3339 time; for tests.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) clock_file: Option<PathBuf>,
}

impl Args {
    /// Whether to do that here.
    pub(crate) fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}

/// What an operator does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// Watches the cluster and keeps its `UpdateStatus`, and the status of each cluster that it keeps.
    Status,
    /// Answers the hooks of Cluster API, on every replica.
    Hooks,
    /// Judges writes of Clusters and ClusterClasses of Cluster API, on every replica.
    Admission,
    /// Walks the upgrades that ClusterUpgrades ask for.
    Drive,
}

/// Who drives the topologies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AdmissionMode {
    /// We do, and our admission stands in for that of Cluster API.
    Topology,
    /// Cluster API does, and its own admission decides too.
    Beside,
}

impl AdmissionMode {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Topology => "topology",
            Self::Beside => "beside",
        }
    }
}

impl From<AdmissionMode> for Mode {
    fn from(mode: AdmissionMode) -> Self {
        match mode {
            AdmissionMode::Topology => Self::Topology,
            AdmissionMode::Beside => Self::Beside,
        }
    }
}

/// Forms of the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Render {
    /// The one `UpdateStatus`.
    Singleton,
    /// Every node of every pool, as `PoolUpdateStatus`.
    PoolDetails,
    /// One object for each part of the cluster and each finding.
    Insights,
    /// Each cluster that a management cluster keeps, as `ClusterUpdateStatus` or `HostedClusterUpdateStatus`.
    Clusters,
    /// Gauges for Prometheus.
    Metrics,
}

/// Which nodes get an object of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NodeInsights {
    /// Those on their way, and those with trouble.
    Interesting,
    /// All.
    All,
}

/// Forms of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object a line.
    Json,
    /// For people.
    Text,
}
