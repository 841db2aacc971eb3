//! Cluster API: its managers, and its kinds as its own modules define them.
//!
//! `cargo xtask test` takes the kinds once out of the Go modules that
//! `testenv/cluster-api/go.mod` names, `cargo xtask e2e` compiles the managers
//! too, and both are kept beside the programs: no schema of others is copied
//! into this repository.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::environment::Environment;
use crate::programs::{required, short_hash};

const GO_MOD: &str = include_str!("../../../testenv/cluster-api/go.mod");

/// One of the managers that Cluster API is made of, each with kinds of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Manager {
    /// Clusters, classes and machines.
    Core,
    /// What a machine runs when it starts, by kubeadm.
    Bootstrap,
    /// Control planes made by kubeadm.
    ControlPlane,
    /// Machines that are made in memory: the provider that Cluster API is developed with.
    Infrastructure,
}

impl Manager {
    /// All of them; the kinds of the first are those that the others refer to.
    pub const ALL: [Self; 4] = [Self::Core, Self::Bootstrap, Self::ControlPlane, Self::Infrastructure];

    /// The name of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Bootstrap => "bootstrap",
            Self::ControlPlane => "control-plane",
            Self::Infrastructure => "infrastructure",
        }
    }

    /// Where the objects of its installation lie when they have been fetched:
    /// one JSON after the other, as Cluster API would have them applied.
    #[must_use]
    pub fn manifests(self, cache: &Path) -> PathBuf {
        folder(cache).join("manifests").join(format!("{}.json", self.name()))
    }

    /// Where it lies when it has been compiled.
    #[must_use]
    pub fn program(self, cache: &Path) -> PathBuf {
        folder(cache).join("managers").join(self.name())
    }
}

impl fmt::Display for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why there are no objects of Cluster API.
#[derive(Debug, thiserror::Error)]
pub enum ClusterApiError {
    /// They are not there, or not for us to read.
    #[error(
        "cannot read {}: `cargo xtask test` fetches what is missing and runs the tests, `cargo xtask env build` only \
         fetches and compiles", path.display()
    )]
    Read {
        /// Where they should be.
        path: PathBuf,
        /// Why they cannot be read.
        #[source]
        cause: io::Error,
    },
    /// A manager is not there.
    #[error("the manager {manager} is not at {}: `cargo xtask e2e` compiles what is missing and runs the tests", path.display())]
    Program {
        /// Which one.
        manager: Manager,
        /// Where it should be.
        path: PathBuf,
    },
    /// What is there is not what we put there.
    #[error("{} holds no objects in JSON; delete it, and `cargo xtask env build` fetches it again", path.display())]
    Parse {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        cause: serde_json::Error,
    },
}

/// The version of Cluster API that this checkout tests with, such as `v1.14.2`.
#[must_use]
pub fn version() -> &'static str {
    required(GO_MOD, "sigs.k8s.io/cluster-api").unwrap_or_default()
}

/// The definitions of all its kinds, for an API server where no manager of it
/// runs: served in every version as in a real installation, with the labels
/// that name contracts, but nothing converts between versions.
///
/// Caveats: an object is stored with the fields that it was written with. Read
/// in another version, it lacks those that this version does not know.
pub fn crds(environment: &Environment) -> Result<Vec<Value>, ClusterApiError> {
    let mut definitions = Vec::new();
    for manager in Manager::ALL {
        definitions.extend(objects(environment, manager)?.into_iter().filter(is_definition));
    }
    for definition in &mut definitions {
        definition["spec"]["conversion"] = json!({"strategy": "None"});
    }
    Ok(definitions)
}

/// What an API server is given before and after the managers start.
pub(crate) struct Installation {
    pub(crate) namespaces: Vec<Value>,
    pub(crate) definitions: Vec<Value>,
    pub(crate) webhooks: Vec<Value>,
}

/// The objects that Cluster API is installed with, but for those that would
/// run it in pods. The API server finds each manager at a URL instead of a
/// service, and trusts it by this bundle.
pub(crate) fn installation(
    environment: &Environment,
    url: impl Fn(Manager) -> String,
    bundle: &str,
) -> Result<Installation, ClusterApiError> {
    let mut all = Installation { namespaces: Vec::new(), definitions: Vec::new(), webhooks: Vec::new() };
    for manager in Manager::ALL {
        for mut object in objects(environment, manager)? {
            let kind = object["kind"].as_str().unwrap_or_default().to_owned();
            match kind.as_str() {
                "Namespace" => all.namespaces.push(object),
                "CustomResourceDefinition" => {
                    if let Some(webhook) = object.pointer_mut("/spec/conversion/webhook") {
                        direct(webhook, &url(manager), bundle);
                    }
                    all.definitions.push(object);
                }
                "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
                    for webhook in object["webhooks"].as_array_mut().into_iter().flatten() {
                        direct(webhook, &url(manager), bundle);
                    }
                    all.webhooks.push(object);
                }
                _ => {}
            }
        }
    }
    Ok(all)
}

/// Names a server by its URL where a service was named.
fn direct(webhook: &mut Value, url: &str, bundle: &str) {
    let Some(path) = webhook.pointer("/clientConfig/service/path").and_then(Value::as_str) else {
        return;
    };
    webhook["clientConfig"] = json!({"url": format!("{url}{path}"), "caBundle": bundle});
}

/// Fails when one of the managers is not there.
pub(crate) fn find_programs(environment: &Environment) -> Result<(), ClusterApiError> {
    let programs = Manager::ALL.into_iter().map(|manager| (manager, manager.program(&environment.cache)));
    match programs.into_iter().find(|(_, path)| !path.is_file()) {
        Some((manager, path)) => Err(ClusterApiError::Program { manager, path }),
        None => Ok(()),
    }
}

/// Everything that the manager's installation consists of.
fn objects(environment: &Environment, manager: Manager) -> Result<Vec<Value>, ClusterApiError> {
    let path = manager.manifests(&environment.cache);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(cause) => return Err(ClusterApiError::Read { path, cause }),
    };
    let objects: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&text).into_iter().collect();
    objects.map_err(|cause| ClusterApiError::Parse { path, cause })
}

fn is_definition(object: &Value) -> bool {
    object["kind"] == "CustomResourceDefinition"
}

/// Named for people first; a change of any dependency is a new folder too.
fn folder(cache: &Path) -> PathBuf {
    cache.join("testenv").join(format!("cluster-api-{}-{}", version(), short_hash([GO_MOD])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_of_this_checkout_are_of_one_version() {
        assert_eq!(version().split('.').count(), 3, "{}", version());
        for module in ["sigs.k8s.io/cluster-api/api", "sigs.k8s.io/cluster-api/test"] {
            assert_eq!(required(GO_MOD, module), Some(version()), "{module}");
        }
    }

    /// Writes the manager's file, with nothing in those of the others.
    fn environment(folder: &Path, core: &str) -> Environment {
        let environment = Environment { programs: None, assets: None, cache: folder.into(), keep: None };
        for manager in Manager::ALL {
            let path = manager.manifests(&environment.cache);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, if manager == Manager::Core { core } else { "" }).unwrap();
        }
        environment
    }

    #[test]
    fn definitions_are_picked_and_ask_no_manager_to_convert() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{"kind": "Namespace"} {"kind": "CustomResourceDefinition", "spec":
            {"group": "g", "conversion": {"strategy": "Webhook", "webhook": {}}}}"#;
        let expect =
            json!([{"kind": "CustomResourceDefinition", "spec": {"group": "g", "conversion": {"strategy": "None"}}}]);
        assert_eq!(Value::Array(crds(&environment(folder.path(), text)).unwrap()), expect);
    }

    #[test]
    fn managers_are_found_where_they_listen() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{"kind": "Namespace"} {"kind": "Deployment"}
            {"kind": "CustomResourceDefinition", "spec": {"conversion": {"webhook": {"clientConfig": {"service":
                {"name": "s", "path": "/convert"}}, "conversionReviewVersions": ["v1"]}}}}
            {"kind": "CustomResourceDefinition", "spec": {"group": "g"}}
            {"kind": "MutatingWebhookConfiguration", "webhooks": [{"clientConfig": {"service": {"path": "/m"}}}]}"#;
        let environment = environment(folder.path(), text);
        let Installation { namespaces, definitions, webhooks } =
            installation(&environment, |manager| format!("https://{manager}"), "B").unwrap();
        assert_eq!(namespaces, [json!({"kind": "Namespace"})]);
        let client = |path: &str| json!({"url": format!("https://core{path}"), "caBundle": "B"});
        assert_eq!(
            definitions[0]["spec"]["conversion"]["webhook"],
            json!({"clientConfig": client("/convert"), "conversionReviewVersions": ["v1"]})
        );
        assert_eq!(definitions[1]["spec"], json!({"group": "g"}), "nothing is added that was not there");
        assert_eq!(
            webhooks,
            [json!({"kind": "MutatingWebhookConfiguration", "webhooks": [{"clientConfig": client("/m")}]})]
        );
    }

    #[test]
    fn a_manager_that_is_missing_is_named_with_the_way_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let environment = environment(folder.path(), "");
        let path = Manager::Core.program(folder.path());
        assert_eq!(
            find_programs(&environment).unwrap_err().to_string(),
            format!(
                "the manager core is not at {}: `cargo xtask e2e` compiles what is missing and runs the tests",
                path.display()
            )
        );
        for manager in Manager::ALL {
            let path = manager.program(folder.path());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        assert!(find_programs(&environment).is_ok());
    }

    #[test]
    fn what_is_missing_or_broken_is_named_with_the_way_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let broken = environment(folder.path(), "{");
        let told = crds(&broken).unwrap_err().to_string();
        let path = Manager::Core.manifests(folder.path());
        assert!(told.starts_with(&format!("{} holds no objects", path.display())), "{told}");
        std::fs::remove_file(&path).unwrap();
        let told = crds(&broken).unwrap_err().to_string();
        assert!(told.starts_with(&format!("cannot read {}: `cargo xtask test`", path.display())), "{told}");
    }
}
