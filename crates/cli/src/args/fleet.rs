//! Arguments of `headway status` that speak of the clusters that a management cluster keeps.

use anyhow::bail;
use clap::{Args as ClapArgs, ValueEnum};
use headway_core::fleet::{Order, Selector};

use super::{Details, Source, Status};

/// Which of the clusters that a management cluster keeps.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options for a management cluster")]
#[group(id = "fleet", multiple = true, conflicts_with = "compat")]
pub(crate) struct Fleet {
    /// The one cluster to show in full: a Cluster or HostedCluster by its name, or as cluster/NAME and
    /// hostedcluster/NAME where there is one of each. Before --from, which takes all that follows it for paths.
    #[arg(value_name = "NAME", conflicts_with_all = ["all_namespaces", "selector", "sort_by"])]
    pub(crate) name: Option<String>,

    /// Its namespace, or that of the clusters in the table; of a running management cluster, by default that of the
    /// kubeconfig's context.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) namespace: Option<String>,

    /// The clusters of all namespaces, in a table.
    #[arg(long, short = 'A', conflicts_with = "namespace")]
    pub(crate) all_namespaces: bool,

    /// Only clusters with these labels, as in kubectl: env=prod, tier!=a, 'region in (x,y)', '!old'.
    #[arg(long, short = 'l', value_name = "SELECTOR", allow_hyphen_values = true)]
    pub(crate) selector: Option<Selector>,

    /// The column that the table is sorted by, instead of namespace and name.
    #[arg(long, value_name = "COLUMN", value_enum, ignore_case = true)]
    pub(crate) sort_by: Option<SortBy>,
}

/// The columns that a table can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortBy {
    /// By namespace, then name.
    Namespace,
    /// By name, then namespace.
    Name,
    /// By the kind of cluster.
    Form,
    /// By the version that was, the oldest first.
    From,
    /// By the version that is to be, the oldest first.
    To,
    /// By the step that is under way.
    Step,
    /// The least done first, those that are done last.
    Progress,
    /// The gravest first.
    Worst,
    /// The oldest first.
    Since,
}

impl Fleet {
    /// Whether any of it was given: then the clusters that are kept are meant, and never the one that keeps them.
    pub(crate) fn is_asked_for(&self) -> bool {
        let Self { name, namespace, all_namespaces, selector, sort_by } = self;
        name.is_some() || namespace.is_some() || *all_namespaces || selector.is_some() || sort_by.is_some()
    }

    /// Whether a table is meant, be it of one row.
    pub(crate) fn wants_table(&self) -> bool {
        self.all_namespaces || self.selector.is_some() || self.sort_by.is_some()
    }

    /// The order of the table.
    pub(crate) fn order(&self) -> Order {
        match self.sort_by {
            None | Some(SortBy::Namespace) => Order::Namespace,
            Some(SortBy::Name) => Order::Name,
            Some(SortBy::Form) => Order::Form,
            Some(SortBy::From) => Order::From,
            Some(SortBy::To) => Order::To,
            Some(SortBy::Step) => Order::Step,
            Some(SortBy::Progress) => Order::Progress,
            Some(SortBy::Worst) => Order::Worst,
            Some(SortBy::Since) => Order::Since,
        }
    }
}

impl Status {
    /// Refuses what does not go with the clusters that a management cluster keeps.
    pub(crate) fn check_for_kept_clusters(&self) -> anyhow::Result<()> {
        if self.watch || self.wait.is_some() {
            bail!(
                "--watch and --wait do not look at the clusters that a management cluster keeps yet; ask again, or use \
                 kubectl wait on the Cluster or HostedCluster"
            );
        }
        if self.compat.is_some() {
            bail!("--compat prints what is told of a cluster itself, and this is a management cluster: leave it out");
        }
        if self.live.source == Source::Api {
            bail!(
                "--source=api tells of a cluster itself: of those that a management cluster keeps nothing is published yet"
            );
        }
        let Self { live, .. } = self;
        if live.prometheus.is_some() || live.prometheus_token_file.is_some() || live.prometheus_ca_file.is_some() {
            bail!("alerts tell of a cluster itself, not of those that it keeps: leave out --prometheus");
        }
        Ok(())
    }

    /// Refuses what does not go with a table of clusters.
    pub(crate) fn check_for_table(&self) -> anyhow::Result<()> {
        if self.details == Details::None {
            return Ok(());
        }
        bail!("--details tells more of one cluster, and this is a table of clusters: name one of them")
    }
}
