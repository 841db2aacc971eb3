//! The API server that the tests of this binary share, with our kinds in it.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use headway_testenv::Plane;
use serde_json::{Value, json};

use super::recording::root;

/// The shared server, for one test alone.
pub(super) fn server() -> MutexGuard<'static, Server> {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let shared = SERVER.get_or_init(|| {
        let plane = Plane::start().unwrap();
        let mut definitions = String::new();
        for entry in fs::read_dir(root().join("deploy/crds")).unwrap() {
            definitions.push_str("---\n");
            definitions.push_str(&fs::read_to_string(entry.unwrap().path()).unwrap());
        }
        plane.apply_crds(&definitions).unwrap();
        Mutex::new(Server { plane })
    });
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a write stays.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stay {
    /// It does.
    Kept,
    /// The server only says what it would do.
    Tried,
}

pub(super) struct Server {
    pub(super) plane: Plane,
}

impl Server {
    /// kubectl with an object on its standard input: what it printed, or what it refused with.
    pub(super) fn kubectl(&self, arguments: &[&str], input: &Value) -> Result<String, String> {
        let mut command = self.plane.kubectl_command();
        let mut child = command.args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        if output.status.success() { Ok(out) } else { Err(String::from_utf8(output.stderr).unwrap()) }
    }

    /// Makes a namespace, if it is not there.
    pub(super) fn namespace(&self, name: &str) {
        let object = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
        self.kubectl(&["apply", "--server-side", "-f", "-"], &object).unwrap();
    }

    /// An object of ours without its status, as it is created; its name is `NAMESPACE/NAME` where it has a namespace.
    pub(super) fn create(&self, kind: &str, name: &str) {
        let object = json!({ "apiVersion": API, "kind": kind, "metadata": metadata(name), "spec": {} });
        self.kubectl(&["apply", "--server-side", "--field-manager=headway-status", "-f", "-"], &object).unwrap();
    }

    /// Creates objects and writes their statuses, all of one kind at once; none of them may be refused.
    pub(super) fn keep(&self, kind: &str, all: &[(&str, Value)]) {
        let objects = |with_status: bool| {
            let object = |(name, status): &(&str, Value)| {
                let mut object = json!({ "apiVersion": API, "kind": kind, "metadata": metadata(name), "spec": {} });
                if with_status {
                    object["status"] = status.clone();
                }
                object
            };
            json!({ "apiVersion": "v1", "kind": "List", "items": all.iter().map(object).collect::<Vec<_>>() })
        };
        let mut arguments = vec!["apply", "--server-side", "--field-manager=headway-status", "-f", "-"];
        self.kubectl(&arguments, &objects(false)).unwrap();
        arguments.push("--subresource=status");
        if let Err(refusal) = self.kubectl(&arguments, &objects(true)) {
            panic!("{kind}: {refusal}");
        }
    }

    /// All objects of a kind.
    pub(super) fn list(&self, kind: &str) -> Vec<Value> {
        let text = self.plane.kubectl_text(&["get", kind, "-A", "-o", "json"]).unwrap();
        let mut list: Value = serde_json::from_str(&text).unwrap();
        std::mem::take(list["items"].as_array_mut().unwrap())
    }

    /// Writes the status of an object as the operator does: a server-side apply of the whole.
    pub(super) fn status(&self, kind: &str, name: &str, status: &Value, stay: Stay) -> Result<String, String> {
        let object =
            json!({ "apiVersion": API, "kind": kind, "metadata": metadata(name), "spec": {}, "status": status });
        let mut arguments =
            vec!["apply", "--server-side", "--subresource=status", "--field-manager=headway-status", "-f", "-"];
        if stay == Stay::Tried {
            arguments.push("--dry-run=server");
        }
        self.kubectl(&arguments, &object)
    }

    /// An object as it is stored, with the record of who owns what.
    pub(super) fn get(&self, kind: &str, name: &str) -> Value {
        let text = self.plane.kubectl_text(&["get", kind, name, "-o", "json", "--show-managed-fields"]).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Puts all objects of ours away.
    pub(super) fn clear(&self) {
        let kinds = "updatestatuses,poolupdatestatuses,clusterversionprogressinsights,clusteroperatorprogressinsights,\
                     machineconfigpoolprogressinsights,nodeprogressinsights,healthinsights";
        self.plane.kubectl_text(&["delete", kinds, "--all", "--wait=true"]).unwrap();
        let kinds = "hostedclusterupdatestatuses,clusterupdatestatuses";
        self.plane.kubectl_text(&["delete", kinds, "--all", "-A", "--wait=true"]).unwrap();
    }
}

/// A name, or a namespace and a name.
fn metadata(name: &str) -> Value {
    match name.split_once('/') {
        Some((namespace, name)) => json!({ "name": name, "namespace": namespace }),
        None => json!({ "name": name }),
    }
}

pub(super) const API: &str = "update.openshift.io/v1alpha1";
