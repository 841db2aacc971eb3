//! The invented cluster as a sequence of objects, kind by kind.

use serde_json::Value;

use super::fleet::{Fleet, Role};
use super::{cluster_version, machine_configs, nodes, operators, pools};

/// A kind of object that a recording holds, and where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The cluster version.
    Version,
    /// A cluster operator.
    Operator,
    /// A machine config pool.
    Pool,
    /// A machine config.
    Config,
    /// A node.
    Node,
}

impl Kind {
    /// The ending that the flat form gives it.
    pub(super) fn flat_name(self) -> &'static str {
        match self {
            Self::Version => "cv",
            Self::Operator => "co",
            Self::Pool => "mcp",
            Self::Config => "mc",
            Self::Node => "node",
        }
    }

    /// The folder that a must-gather gives it.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Version => "cluster-scoped-resources/config.openshift.io/clusterversions",
            Self::Operator => "cluster-scoped-resources/config.openshift.io/clusteroperators",
            Self::Pool => "cluster-scoped-resources/machineconfiguration.openshift.io/machineconfigpools",
            Self::Config => "cluster-scoped-resources/machineconfiguration.openshift.io/machineconfigs",
            Self::Node => "cluster-scoped-resources/core/nodes",
        }
    }
}

/// Every object of a cluster, made one by one.
pub(crate) fn objects(fleet: Fleet) -> impl Iterator<Item = (Kind, Value)> {
    std::iter::once((Kind::Version, cluster_version::cluster_version()))
        .chain(operators::operators(fleet).into_iter().map(|it| (Kind::Operator, it)))
        .chain(Role::ALL.into_iter().map(move |role| (Kind::Pool, pools::pool(fleet, role))))
        .chain(machine_configs::machine_configs().into_iter().map(|it| (Kind::Config, it)))
        .chain(fleet.members().map(|member| (Kind::Node, nodes::node(member))))
}
