//! An API server that asks, and an operator that answers. The tests of a mode share one.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use serde_json::Value;
use tempfile::TempDir;

/// The namespace that everything is installed to.
const NAMESPACE: &str = "headway-system";

/// The name of the account, the configurations, and all else that is the role's.
pub(super) const NAME: &str = "headway-operator-admission";

/// Machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Topology,
    Beside,
}

/// An API server with an operator.
pub(super) struct Desk {
    pub(super) plane: Plane,
    operator: Operator,
}

struct Operator {
    child: Child,
    folder: TempDir,
}

impl Desk {
    /// The one of a mode, started when it is first asked for.
    pub(super) fn of(mode: Mode) -> &'static Self {
        static TOPOLOGY: OnceLock<Desk> = OnceLock::new();
        static BESIDE: OnceLock<Desk> = OnceLock::new();
        match mode {
            Mode::Topology => TOPOLOGY.get_or_init(|| Self::start(Mode::Topology)),
            Mode::Beside => BESIDE.get_or_init(|| Self::start(Mode::Beside)),
        }
    }

    /// One for a test alone.
    pub(super) fn start(mode: Mode) -> Self {
        let plane = Plane::start().unwrap();
        plane.apply_cluster_api_crds().unwrap();
        plane.kubectl_text(&["create", "namespace", NAMESPACE]).unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        install(&plane, mode, &address);
        let operator = Operator::start(&plane, mode, &address);
        let desk = Self { plane, operator };
        desk.wait_until_it_answers();
        desk
    }

    /// Ends the operator; the configurations stay.
    pub(super) fn end_operator(&mut self) {
        self.operator.end();
    }

    /// What the operator logged.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.operator.folder.path().join("log")).unwrap()
    }

    /// An API server takes a moment to take note of its configurations and of the bundle.
    fn wait_until_it_answers(&self) {
        let probe = r#"{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "ClusterClass",
            "metadata": {"name": "probe", "namespace": "default"}, "spec": {
            "infrastructure": {"templateRef": {"apiVersion": "x.io/v1", "kind": "T", "name": "t"}},
            "controlPlane": {"templateRef": {"apiVersion": "x.io/v1", "kind": "T", "name": "t"}},
            "kubernetesVersions": ["v1.31.0", "v1.33.0"]}}"#;
        let begun = Instant::now();
        let mut told = String::new();
        while begun.elapsed() < PATIENCE {
            told = match self.plane.apply(probe) {
                Ok(()) => "the probe was let in".into(),
                Err(error) => error.to_string(),
            };
            if told.contains("rule C3") {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        panic!("it does not answer: {told}\n{}", self.log());
    }
}

/// What the chart makes of the role, with an address for the service: there is no network of pods.
fn install(plane: &Plane, mode: Mode, address: &str) {
    let chart = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/headway"));
    let values = format!(
        "roles.admission.enabled=true,roles.admission.mode={},roles.admission.workloadNodes=true,roles.status.enabled=false,crds.install=false",
        word(mode)
    );
    let place = ["template", "headway", chart.to_str().unwrap(), "--namespace", NAMESPACE, "--set", &values];
    let text = plane.helm_text(&place).unwrap();
    let lines = text.lines().map(|line| match line.split_once("service: {name: ").zip(line.split_once("path: ")) {
        Some(((before, _), (_, path))) => {
            let path = path.split_once(',').unwrap().0;
            format!("{before}url: https://{address}{path}")
        }
        None => line.to_owned(),
    });
    plane.apply(&lines.collect::<Vec<_>>().join("\n")).unwrap();
}

fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Topology => "topology",
        Mode::Beside => "beside",
    }
}

impl Operator {
    fn start(plane: &Plane, mode: Mode, address: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let serving = plane.serving();
        for (file, from) in
            [("tls.crt", &serving.certificate), ("tls.key", &serving.key), ("ca.crt", &serving.authority)]
        {
            fs::copy(from, folder.path().join(file)).unwrap();
        }
        let kubeconfig = plane.account_kubeconfig(NAMESPACE, NAME).unwrap();
        let probes = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        // What tests share is never dropped, so a shell waits for the end of the test's process, however that comes, and
        // then ends the operator: its standard input ends with it.
        let child = Command::new("/bin/sh")
            .env_clear()
            .args(["-c", "\"$@\" </dev/null & trap 'kill -KILL $!' EXIT; read -r _", "sh"])
            .arg(env!("CARGO_BIN_EXE_headway-operator"))
            .args(["--roles", "admission", "--admission-mode", word(mode), "--admission-listen", address])
            .args(["--admission-tls-dir", folder.path().to_str().unwrap(), "--listen", &probes])
            .args(["--kubeconfig", kubeconfig.to_str().unwrap(), "--log-format", "text"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        Self { child, folder }
    }
}

impl Operator {
    /// Ends it, and waits.
    fn end(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.end();
    }
}

/// What kubectl gets.
pub(super) fn get(plane: &Plane, what: &[&str]) -> Value {
    serde_json::from_str(&plane.kubectl_text(&[&["get", "--output=json"], what].concat()).unwrap()).unwrap()
}
