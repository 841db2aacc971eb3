//! References to the objects that an insight interprets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::word::{Surface, Word};

/// A reference to an object of the Kubernetes API.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceRef {
    /// The API group; absent for the core group.
    ///
    /// Copied: the group of the object that is referred to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub group: Option<String>,
    /// The resource: the kind in lower case and plural, such as `nodes`.
    ///
    /// Copied: the resource of the object that is referred to.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub resource: String,
    /// The name.
    ///
    /// Copied: metadata.name of the object that is referred to.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: String,
    /// The namespace; absent for cluster-scoped objects.
    ///
    /// Copied: metadata.namespace of the object that is referred to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME), regex(pattern = limit::LABEL_PATTERN))]
    pub namespace: Option<String>,
    /// Which API server serves it; absent for the one that serves this object.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Word<Surface>>,
}
