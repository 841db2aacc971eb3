//! An object of Kubernetes within a message: kept as it came, with readers for what identifies it.

use serde::Serialize;
use serde_json::{Map, Value};

/// An object of any kind. Nothing of it is dropped, and any field may be missing or of a wrong type: the readers
/// answer `None` then, and also where a text is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Object(Map<String, Value>);

/// Annotations that double an object's size and tell an extension nothing; Cluster API does not send them either.
const UNSENT_ANNOTATIONS: [&str; 2] =
    ["kubectl.kubernetes.io/last-applied-configuration", "cluster.x-k8s.io/conversion-data"];

impl Object {
    /// An object of these fields.
    #[must_use]
    pub fn new(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    /// Its fields.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Its fields.
    #[must_use]
    pub fn into_fields(self) -> Map<String, Value> {
        self.0
    }

    /// The object as a request carries it: without status, managed fields, and the two annotations that hold copies
    /// of the object.
    #[must_use]
    pub fn to_be_sent(mut self) -> Self {
        self.0.remove("status");
        if let Some(Value::Object(metadata)) = self.0.get_mut("metadata") {
            metadata.remove("managedFields");
            if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
                for key in UNSENT_ANNOTATIONS {
                    annotations.remove(key);
                }
                if annotations.is_empty() {
                    metadata.remove("annotations");
                }
            }
        }
        self
    }

    /// `apiVersion`. Old versions of Cluster API leave it out of the Cluster.
    #[must_use]
    pub fn api_version(&self) -> Option<&str> {
        self.text(&["apiVersion"])
    }

    /// `kind`, which goes with [`api_version`](Self::api_version).
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.text(&["kind"])
    }

    /// `metadata.namespace`.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.text(&["metadata", "namespace"])
    }

    /// `metadata.name`.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.text(&["metadata", "name"])
    }

    /// `metadata.uid`.
    #[must_use]
    pub fn uid(&self) -> Option<&str> {
        self.text(&["metadata", "uid"])
    }

    /// A label's value, which is empty for those that are there to be there.
    #[must_use]
    pub fn label(&self, key: &str) -> Option<&str> {
        self.at(&["metadata", "labels", key])?.as_str()
    }

    /// An annotation's value, which is empty for those that are there to be there.
    #[must_use]
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.at(&["metadata", "annotations", key])?.as_str()
    }

    /// The value at a path.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.0.get(*first)?, |value, key| value.get(key))
    }

    /// The text at a path, unless it is empty.
    #[must_use]
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.as_str().filter(|text| !text.is_empty())
    }
}
