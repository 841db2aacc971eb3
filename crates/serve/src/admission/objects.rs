//! What must be asked of a cluster to judge a write.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Reads objects of a management cluster: of a live one in the operator, of a snapshot elsewhere.
pub trait Objects: Send + Sync + 'static {
    /// One object; `None` when it is not there.
    fn get(&self, reference: &Reference) -> impl Future<Output = Result<Option<Value>, Unreadable>> + Send;

    /// All objects of a kind.
    fn list(&self, selection: &Selection) -> impl Future<Output = Result<Vec<Value>, Unreadable>> + Send;

    /// The versions that kubelets of a workload cluster report, by the names of the nodes. Nodes that are not there are
    /// left out.
    fn kubelets(
        &self,
        namespace: &str,
        cluster: &str,
        nodes: &BTreeSet<String>,
    ) -> impl Future<Output = Result<BTreeMap<String, String>, Unreadable>> + Send;
}

/// Which object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The group of its kind.
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its namespace; `None` for cluster-scoped objects.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

/// Which objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The group of their kind.
    pub group: String,
    /// Their kind.
    pub kind: String,
    /// Their namespace; `None` for all.
    pub namespace: Option<String>,
    /// The cluster that their label names; `None` for all.
    pub cluster: Option<String>,
}

/// Why something could not be read, for whoever writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);
