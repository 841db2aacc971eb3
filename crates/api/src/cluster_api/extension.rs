//! `ExtensionConfig` (runtime.cluster.x-k8s.io): which hooks an extension answers, and for which namespaces.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Metadata, NewerConditions, condition};
use crate::hooks::is_dns_label;
use crate::meta::{Condition, Identity, LabelSelector, null_as_default};

/// `ExtensionConfig`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ExtensionConfig {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: ExtensionConfigSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ExtensionConfigStatus,
}

/// The part of an ExtensionConfig's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ExtensionConfigSpec {
    /// Where it is, and by which certificates it is known.
    #[serde(deserialize_with = "null_as_default")]
    pub client_config: ClientConfig,
    /// Labels of the namespaces whose clusters it is asked about; absent for all.
    pub namespace_selector: Option<LabelSelector>,
    /// What is sent along with each request.
    #[serde(deserialize_with = "null_as_default")]
    pub settings: BTreeMap<String, String>,
}

/// Where an extension is: an address or a service, and not both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClientConfig {
    /// An address.
    #[serde(deserialize_with = "null_as_default")]
    pub url: String,
    /// A service of the management cluster.
    pub service: Option<ServiceReference>,
    /// Certificates in PEM, in base64; empty for those that the system trusts.
    #[serde(deserialize_with = "null_as_default")]
    pub ca_bundle: String,
}

/// A service of the management cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ServiceReference {
    /// Its namespace.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// What paths begin with.
    #[serde(deserialize_with = "null_as_default")]
    pub path: String,
    /// Its port; absent is 443.
    pub port: Option<u32>,
}

/// The part of an ExtensionConfig's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ExtensionConfigStatus {
    /// What it answers, as it was discovered last.
    #[serde(deserialize_with = "null_as_default")]
    pub handlers: Vec<ExtensionHandler>,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of older versions.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
}

/// One handler of an extension.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ExtensionHandler {
    /// Its full name, `HANDLER.EXTENSIONCONFIG`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Which hook it answers.
    #[serde(deserialize_with = "null_as_default")]
    pub request_hook: RequestHook,
    /// How long it is waited for.
    pub timeout_seconds: Option<u64>,
    /// `Fail` or `Ignore`: what becomes of a call that fails.
    #[serde(deserialize_with = "null_as_default")]
    pub failure_policy: String,
}

/// Which hook a handler answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RequestHook {
    /// Group and version of the hook.
    #[serde(deserialize_with = "null_as_default")]
    pub api_version: String,
    /// The hook's name, such as `BeforeClusterUpgrade`.
    #[serde(deserialize_with = "null_as_default")]
    pub hook: String,
}

/// `Namespace` (v1), whose labels selectors speak of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Namespace {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
}

/// Annotation on an ExtensionConfig: the Secret, as `NAMESPACE/NAME`, whose `ca.crt` takes the place of the `caBundle`.
pub const INJECT_CA_ANNOTATION: &str = "runtime.cluster.x-k8s.io/inject-ca-from-secret";

impl ExtensionConfigStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}

/// The parts of a handler's full name, `HANDLER.EXTENSIONCONFIG`: a DNS label, and the name of an object.
///
/// `None` when the text has another shape.
#[must_use]
pub fn handler_and_config(name: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 253;
    let (handler, config) = name.split_once('.')?;
    let is_object_name = config.len() <= LONGEST && config.split('.').all(is_dns_label);
    (is_dns_label(handler) && is_object_name).then_some((handler, config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_handlers_have_two_parts() {
        let check = |name: &str, expect: Option<(&str, &str)>| assert_eq!(handler_and_config(name), expect, "{name}");
        check("plan.headway", Some(("plan", "headway")));
        check("plan.headway.example.org", Some(("plan", "headway.example.org")));
        for wrong in ["", "plan", "plan.", ".headway", "Plan.headway", "plan.head way", "plan.-a", "plan..a", "pl/an.a"]
        {
            check(wrong, None);
        }
    }
}
