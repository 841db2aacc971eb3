//! What objects are written in: YAML or JSON, each as kubectl prints it.

use clap::ValueEnum;
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::yaml;

/// What the objects are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Syntax {
    /// As `kubectl get -o yaml` prints it.
    Yaml,
    /// As `kubectl get -o json` prints it.
    Json,
}

impl Syntax {
    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Json => "JSON",
        }
    }

    /// How files of it are named.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Json => "json",
        }
    }

    /// A single object as a file of its own.
    pub(super) fn document(self, object: &Value) -> anyhow::Result<String> {
        match self {
            Self::Yaml => Ok(yaml::document(object)),
            Self::Json => Ok(json(object)? + "\n"),
        }
    }

    /// What stands before the items of a list.
    pub(super) fn list_start(self) -> &'static str {
        match self {
            Self::Yaml => "apiVersion: v1\nitems:\n",
            Self::Json => "{\n    \"apiVersion\": \"v1\",\n    \"items\": [",
        }
    }

    /// One item of a list, after `before` others.
    pub(super) fn list_item(self, object: &Value, before: usize) -> anyhow::Result<String> {
        match self {
            Self::Yaml => Ok(yaml::list_item(object)),
            Self::Json => {
                let comma = if before > 0 { "," } else { "" };
                // No text of JSON holds a line break, so that every break is one of layout.
                Ok(format!("{comma}\n{}", json(object)?).replace('\n', "\n        "))
            }
        }
    }

    /// What stands after the items of a list.
    pub(super) fn list_end(self) -> &'static str {
        match self {
            Self::Yaml => "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
            Self::Json => {
                "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
            }
        }
    }
}

/// JSON in kubectl's layout: four columns a level.
fn json(object: &Value) -> anyhow::Result<String> {
    let mut out = Vec::new();
    object.serialize(&mut Serializer::with_formatter(&mut out, PrettyFormatter::with_indent(b"    ")))?;
    Ok(String::from_utf8(out)?)
}
