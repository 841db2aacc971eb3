//! Recordings of one small cluster in several states, written as YAML documents.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// What the cluster is up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    Updating,
    NeedsAttention,
    Failing,
    CannotTell,
}

/// A recording in a file of a folder of its own.
pub(super) struct Recording {
    pub(super) folder: TempDir,
    pub(super) path: PathBuf,
}

/// Records the cluster.
pub(super) fn record(state: State) -> Recording {
    of_text("all.yaml", text(state).as_bytes())
}

/// Puts a text into a folder of its own.
pub(super) fn of_text(name: &str, text: &[u8]) -> Recording {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write(&path, text);
    Recording { folder, path }
}

/// Writes a file.
pub(super) fn write(path: &Path, text: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The objects of the cluster.
pub(super) fn text(state: State) -> String {
    let updating = state != State::Idle;
    let progressing = if updating { "True" } else { "False" };
    let failing = if state == State::Failing { "True" } else { "False" };
    let newest = if updating {
        "  - {state: Partial, version: 4.15.3, image: new, startedTime: \"2026-05-04T08:00:00Z\"}\n".to_owned()
    } else {
        let times = "startedTime: \"2026-05-04T08:00:00Z\", completionTime: \"2026-05-04T09:00:00Z\"";
        format!("  - {{state: Completed, version: 4.15.3, image: new, {times}}}\n")
    };
    let mut all = format!(
        "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata:\n  name: version\nstatus:\n  \
         desired: {{version: 4.15.3, image: new}}\n  history:\n{newest}  - state: Completed\n    version: 4.14.9\n    \
         image: old\n    startedTime: \"2026-02-01T08:00:00Z\"\n    completionTime: \"2026-02-01T09:00:00Z\"\n  \
         conditions:\n"
    );
    for (kind, status) in [("Available", "True"), ("Failing", failing), ("Progressing", progressing)] {
        all.push_str(&condition(kind, status, "08:00"));
    }
    for (name, version) in [("etcd", "4.15.3"), ("network", if updating { "4.14.9" } else { "4.15.3" })] {
        all.push_str(&format!(
            "---\napiVersion: config.openshift.io/v1\nkind: ClusterOperator\nmetadata:\n  name: {name}\n  \
             annotations:\n    include.release.openshift.io/x: \"true\"\nstatus:\n  versions:\n  - name: operator\n    \
             version: {version}\n  conditions:\n"
        ));
        let degraded = if state == State::NeedsAttention && name == "network" { "True" } else { "False" };
        let progressing = if version == "4.14.9" { "True" } else { "False" };
        for (kind, status) in [("Available", "True"), ("Degraded", degraded), ("Progressing", progressing)] {
            let at = if kind == "Degraded" { "07:00" } else { "08:20" };
            all.push_str(&condition(kind, status, at));
        }
    }
    if state == State::CannotTell {
        return all.replace("status: \"True\"\n    type: Progressing", "status: \"Unknown\"\n    type: Progressing");
    }
    for pool in ["master", "worker"] {
        all.push_str(&format!(
            "---\napiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata:\n  \
             name: {pool}\nspec:\n  paused: false\n  configuration:\n    name: rendered-{pool}-new\n  nodeSelector:\n    \
             matchLabels:\n      node-role.kubernetes.io/{pool}: \"\"\nstatus:\n  conditions: []\n"
        ));
        for (age, version) in [("new", "4.15.3"), ("old", "4.14.9")] {
            all.push_str(&format!(
                "---\napiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  \
                 name: rendered-{pool}-{age}\n  annotations:\n    \
                 machineconfiguration.openshift.io/release-image-version: {version}\n"
            ));
        }
    }
    let age = if updating { "old" } else { "new" };
    for (name, pool) in [("cp-0", "master"), ("w-0", "worker"), ("w-1", "worker")] {
        all.push_str(&node(name, pool, age));
    }
    all
}

/// A condition in a list of `status`.
pub(super) fn condition(kind: &str, status: &str, at: &str) -> String {
    format!(
        "  - lastTransitionTime: \"2026-05-04T{at}:00Z\"\n    message: {kind} is {status}\n    reason: AsExpected\n    \
         status: \"{status}\"\n    type: {kind}\n"
    )
}

/// A node, as a document that follows others.
pub(super) fn node(name: &str, pool: &str, age: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n  annotations:\n    \
         machineconfiguration.openshift.io/currentConfig: rendered-{pool}-{age}\n    \
         machineconfiguration.openshift.io/desiredConfig: rendered-{pool}-{age}\n    \
         machineconfiguration.openshift.io/state: Done\n  labels:\n    node-role.kubernetes.io/{pool}: \"\"\n\
         status:\n  conditions:\n{}",
        condition("Ready", "True", "07:00")
    )
}
