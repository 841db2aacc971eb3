//! What `headway plan --check` tells of the version lists of ClusterClasses.

use std::fmt;

use serde::Serialize;

use crate::gap::Gap;

/// The version lists that were looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Listing {
    /// The version of this document.
    pub api_version: &'static str,
    /// Always `VersionListCheck`.
    pub kind: &'static str,
    /// Whether no list has an error.
    pub passed: bool,
    /// The classes, in input order.
    pub classes: Vec<ClassListing>,
    /// What could not be read.
    pub gaps: Vec<Gap>,
}

/// The version list of one ClusterClass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClassListing {
    /// The class as `NAMESPACE/NAME`.
    pub class: String,
    /// How many entries its list has.
    pub versions: usize,
    /// The clusters of the class that were seen, as `NAMESPACE/NAME`.
    pub clusters: Vec<String>,
    /// What is wrong or worth knowing, in the order of the list.
    pub faults: Vec<ListingFault>,
}

/// Something about a version list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListingFault {
    /// How it weighs.
    pub severity: Severity,
    /// The rule that says so.
    pub rule: String,
    /// The place in the list, from 0; absent when it is of the whole list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// What it is.
    pub message: String,
}

/// How a fault weighs, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Severity {
    /// An upgrade that needs this part of the list fails, or clusters are stranded.
    Error,
    /// It is allowed and may not be what was meant.
    Warning,
    /// It is to be known.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}
