//! Recordings that are well: one written here, and those of `../shared` where it is present.

use std::fs;
use std::path::{Path, PathBuf};

/// A recording in memory: its files, and which of them (or `.` for all) is given to `--from`.
#[derive(Debug, Clone)]
pub(super) struct Original {
    pub(super) name: String,
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) from: String,
}

impl Original {
    /// Writes the files below a folder and gives the path to read.
    pub(super) fn write(&self, folder: &Path) -> PathBuf {
        for (name, text) in &self.files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder.join(&self.from)
    }

    /// The same with another content of one file.
    pub(super) fn with(&self, file: usize, text: Vec<u8>) -> Self {
        let mut other = self.clone();
        other.files[file].1 = text;
        other
    }
}

/// What the written cluster is up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// All is done: the one state that damage must not be taken for, and must not be told from less.
    Done,
    /// The control plane is done, a worker node is not.
    NodeBehind,
    /// The control plane is on its way.
    Updating,
}

/// The recordings that are written here, in the flat form.
pub(super) fn written() -> Vec<Original> {
    [("done", State::Done), ("node-behind", State::NodeBehind), ("updating", State::Updating)]
        .map(|(name, state)| Original { name: name.into(), files: flat(state), from: "x-cv.yaml".into() })
        .into()
}

fn flat(state: State) -> Vec<(String, Vec<u8>)> {
    let (progressing, entry, behind) = match state {
        State::Done | State::NodeBehind => {
            ("False", "state: Completed\n    completionTime: \"2026-05-04T08:50:00Z\"", "4.15.3")
        }
        State::Updating => ("True", "state: Partial\n    completionTime: null", "4.14.9"),
    };
    let version = format!(
        "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata:\n  name: version\n  generation: 3\nspec:\n  \
         channel: stable-4.15\nstatus:\n  availableUpdates: null\n  conditions:\n{}{}{}  desired:\n    image: new\n    \
         version: 4.15.3\n  history:\n  - {entry}\n    image: new\n    startedTime: \"2026-05-04T08:00:00Z\"\n    \
         version: 4.15.3\n  - completionTime: \"2026-02-01T09:00:00Z\"\n    image: old\n    startedTime: \
         \"2026-02-01T08:00:00Z\"\n    state: Completed\n    version: 4.14.9\n  observedGeneration: 3\n",
        condition("  ", "Available", "True"),
        condition("  ", "Failing", "False"),
        condition("  ", "Progressing", progressing),
    );
    let operators = [("etcd", "4.15.3"), ("network", behind)].map(|(name, version)| {
        let conditions: String =
            [("Available", "True"), ("Degraded", "False"), ("Progressing", progressing), ("Upgradeable", "True")]
                .map(|(kind, status)| condition("    ", kind, status))
                .concat();
        format!(
            "- apiVersion: config.openshift.io/v1\n  kind: ClusterOperator\n  metadata:\n    annotations:\n      \
             include.release.openshift.io/self-managed-high-availability: \"true\"\n    name: {name}\n  status:\n    \
             conditions:\n{conditions}    versions:\n    - name: operator\n      version: {version}\n"
        )
    });
    let pools = ["master", "worker"].map(|name| {
        format!(
            "- apiVersion: machineconfiguration.openshift.io/v1\n  kind: MachineConfigPool\n  metadata:\n    name: \
             {name}\n  spec:\n    configuration:\n      name: rendered-{name}-new\n    nodeSelector:\n      \
             matchLabels:\n        node-role.kubernetes.io/{name}: \"\"\n    paused: false\n  status:\n    \
             conditions:\n{}    machineCount: {}\n",
            condition("    ", "Updated", "True"),
            if name == "master" { 1 } else { 2 },
        )
    });
    let configs = [("master", "new", "4.15.3"), ("worker", "new", "4.15.3"), ("worker", "old", "4.14.9")];
    let configs = configs.map(|(pool, age, version)| {
        format!(
            "- apiVersion: machineconfiguration.openshift.io/v1\n  kind: MachineConfig\n  metadata:\n    \
             annotations:\n      machineconfiguration.openshift.io/release-image-version: {version}\n    name: \
             rendered-{pool}-{age}\n"
        )
    });
    let age = if state == State::Done { "new" } else { "old" };
    let nodes = [("cp-0", "master", "new"), ("w-0", "worker", "new"), ("w-1", "worker", age)].map(|(name, pool, age)| {
        format!(
            "- apiVersion: v1\n  kind: Node\n  metadata:\n    annotations:\n      \
             machineconfiguration.openshift.io/currentConfig: rendered-{pool}-{age}\n      \
             machineconfiguration.openshift.io/desiredConfig: rendered-{pool}-{age}\n      \
             machineconfiguration.openshift.io/state: Done\n    labels:\n      node-role.kubernetes.io/{pool}: \"\"\n    \
             name: {name}\n  spec: {{}}\n  status:\n    conditions:\n{}",
            condition("    ", "Ready", "True"),
        )
    });
    let alerts = "{\"status\": \"success\", \"data\": {\"alerts\": []}}\n";
    let list = |items: &[String]| {
        format!("apiVersion: v1\nitems:\n{}kind: List\nmetadata:\n  resourceVersion: \"\"\n", items.concat())
    };
    [
        ("x-cv.yaml", version),
        ("x-co.yaml", list(&operators)),
        ("x-mcp.yaml", list(&pools)),
        ("x-mc.yaml", list(&configs)),
        ("x-node.yaml", list(&nodes)),
        ("x-alerts.json", alerts.to_owned()),
    ]
    .map(|(name, text)| (name.to_owned(), text.into_bytes()))
    .into()
}

fn condition(indent: &str, kind: &str, status: &str) -> String {
    format!(
        "{indent}- lastTransitionTime: \"2026-05-04T08:10:00Z\"\n{indent}  message: |-\n{indent}    {kind} is\n\
         {indent}    {status}\n{indent}  reason: AsExpected\n{indent}  status: \"{status}\"\n{indent}  type: {kind}\n"
    )
}

/// The recordings of `../shared`; none, and said so, where it is not present.
pub(super) fn shared() -> Vec<Original> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let mut all = Vec::new();
    let fixtures = shared.join("fixtures/oc-status");
    for name in names(&fixtures).iter().filter_map(|name| name.strip_suffix("-cv.yaml")) {
        let own = |file: &String| file.strip_prefix(name).is_some_and(|end| end.starts_with('-') && is_text(file));
        let files = names(&fixtures).into_iter().filter(own);
        let files = files.map(|file| (file.clone(), fs::read(fixtures.join(&file)).unwrap())).collect();
        all.push(Original { name: name.to_owned(), files, from: format!("{name}-cv.yaml") });
    }
    let cases = shared.join("cases");
    for case in names(&cases).iter().filter(|name| name.starts_with("dev-a")) {
        let mut files = Vec::new();
        collect(&cases.join(case), "", &mut files);
        let flat = files.iter().find(|(name, _)| name.ends_with("-cv.yaml")).map(|(name, _)| name.clone());
        all.push(Original { name: case.clone(), from: flat.unwrap_or_else(|| ".".into()), files });
    }
    if all.is_empty() {
        eprintln!("SKIPPED: {} is not there, so none of its recordings is damaged", shared.display());
    } else {
        assert!(all.len() > 15, "only {} recordings in {}", all.len(), shared.display());
    }
    all
}

/// What is read of a recording: texts, and the moment.
fn is_text(name: &str) -> bool {
    [".yaml", ".json", "timestamp"].iter().any(|end| name.ends_with(end))
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn collect(folder: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            collect(&path, &format!("{below}{name}/"), files);
        } else if is_text(&name) {
            files.push((format!("{below}{name}"), fs::read(path).unwrap()));
        }
    }
}
