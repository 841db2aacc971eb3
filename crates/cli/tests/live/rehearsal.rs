//! `headway extension test` with a real API server: told by its ConfigMap, asked over TLS, by hand and by our own client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Cluster, LifecycleCall, Object, StepBehind, Verdict};
use headway_api::meta::Labels;
use headway_cluster::hook_client::{About, HookClient, Options, Timing};
use headway_testenv::Plane;
use jiff::Timestamp;
use k8s_openapi::ByteString;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};

use super::command::root;

/// Machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(60);

const SCRIPT: &str = "c1-try-test-extension-hookresponses";

/// A running test extension; dropping it kills it.
struct Extension {
    child: Child,
    address: String,
    authority: Vec<u8>,
    out: Option<BufReader<ChildStdout>>,
    err: BufReader<ChildStderr>,
}

impl Extension {
    fn start(kubeconfig: &Path, folder: &Path) -> Self {
        let authority = folder.join("ca.crt");
        let mut child = Command::new(env!("CARGO_BIN_EXE_headway"))
            .env_clear()
            .env("HOME", "/nonexistent")
            .current_dir(root())
            .args(["extension", "test", "--listen", "127.0.0.1:0", "--request-timeout", "3s"])
            .args(["--kubeconfig", kubeconfig.to_str().unwrap(), "--write-ca", authority.to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        err.read_line(&mut line).unwrap();
        let address = line.strip_prefix("serving hooks on https://").and_then(|rest| rest.split_once(';'));
        let address = address.unwrap_or_else(|| panic!("{line}")).0.to_owned();
        let out = child.stdout.take().map(BufReader::new);
        Self { child, address, authority: std::fs::read(authority).unwrap(), out, err }
    }

    /// Asks as Cluster API does.
    fn ask(&self, path: &str, body: &Value) -> Value {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(&self.authority).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        let connection = ClientConnection::new(Arc::new(config), ServerName::try_from("127.0.0.1").unwrap()).unwrap();
        let mut stream = StreamOwned::new(connection, TcpStream::connect(&self.address).unwrap());
        let (path, body) = (format!("/hooks.runtime.cluster.x-k8s.io/v1alpha1/{path}?timeout=10s"), body.to_string());
        let head = format!("Host: x\r\nConnection: close\r\nContent-Length: {}", body.len());
        write!(stream, "POST {path} HTTP/1.1\r\n{head}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// The next lines of standard output, without their times.
    fn lines(&mut self, count: usize) -> Vec<String> {
        let out = self.out.as_mut().unwrap();
        let line = |_| {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            let (time, rest) = line.trim_end().split_once("  ").unwrap_or_else(|| panic!("{line:?}"));
            assert!(time.parse::<Timestamp>().is_ok(), "{line}");
            rest.to_owned()
        };
        (0..count).map(line).collect()
    }

    fn interrupt(&mut self) -> ExitStatus {
        assert!(Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success());
        self.ended()
    }

    fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Extension {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill().and_then(|()| self.child.wait()));
    }
}

fn cluster() -> Value {
    json!({"metadata": {"name": "c1", "namespace": "default", "uid": "u"}, "spec": {"topology": {"version": "v1.32.0"}}})
}

fn settings() -> Value {
    json!({"extensionConfigName": "try", "defaultAllHandlersToBlocking": "true"})
}

fn asked(extension: &Extension, hook: &str) -> Value {
    let dashed: String = hook
        .chars()
        .enumerate()
        .map(|(at, letter)| match letter {
            letter if at > 0 && letter.is_ascii_uppercase() => format!("-{}", letter.to_ascii_lowercase()),
            letter => letter.to_ascii_lowercase().to_string(),
        })
        .collect();
    let question = json!({
        "settings": settings(),
        "cluster": cluster(),
        "fromKubernetesVersion": "v1.30.0+a",
        "toKubernetesVersion": "v1.32.0",
        "kubernetesVersion": "v1.31.0",
        "fromControlPlaneKubernetesVersion": "v1.30.0",
        "fromWorkersKubernetesVersion": "v1.30.0",
    });
    extension.ask(&format!("{}/{dashed}", hook.to_lowercase()), &question)
}

fn script(plane: &Plane) -> Value {
    let text = plane.kubectl_text(&["get", "configmap", SCRIPT, "--output=json"]).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["data"].take()
}

fn tell(plane: &Plane, key: &str, value: &str) {
    let change = json!({"data": {key: value}}).to_string();
    plane.kubectl_text(&["patch", "configmap", SCRIPT, "--type=merge", "--patch", &change]).unwrap();
}

/// What our own driver would do: it discovers, and asks.
fn asked_by_our_client(extension: &Extension) -> String {
    let bundle = serde_json::to_value(ByteString(extension.authority.clone())).unwrap();
    let config: ExtensionConfig = serde_json::from_value(json!({
        "metadata": {"name": "try", "uid": "u", "generation": 1},
        "spec": {
            "clientConfig": {"url": format!("https://{}", extension.address), "caBundle": bundle},
            "settings": settings(),
        },
    }))
    .unwrap();
    let Value::Object(fields) = cluster() else { panic!("it is an object") };
    let cluster = Cluster::new(Object::new(fields));
    let call = LifecycleCall::AfterControlPlaneUpgrade(StepBehind {
        kubernetes_version: "v1.31.0".into(),
        control_plane_upgrades: vec!["v1.32.0".into()],
        workers_upgrades: vec!["v1.32.0".into()],
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let clock = Arc::new(Timestamp::now);
        let client = HookClient::new(Options { cluster: None, identity: None, clock, timing: Timing::default() });
        assert_eq!(client.warm_up(vec![config]).await, []);
        let namespace = Labels::default();
        match client.ask(About { cluster: &cluster, namespace: &namespace }, &call).await.unwrap().verdict {
            Verdict::Go { .. } => "go".to_owned(),
            Verdict::Wait { seconds, .. } => format!("wait {seconds}"),
        }
    })
}

#[test]
#[ignore = "ring 2: a real API server"]
fn ch_8_1_the_test_extension_blocks_answers_and_records_as_its_configmap_says() {
    let plane = Plane::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut extension = Extension::start(plane.kubeconfig(), folder.path());

    let discovered = extension.ask("discovery", &json!({}));
    assert_eq!(discovered["handlers"].as_array().map(Vec::len), Some(10), "{discovered:#}");
    assert_eq!(extension.lines(1), ["Discovery  Success"]);

    // It blocks, its ConfigMap is made, and says so.
    let held = asked(&extension, "BeforeControlPlaneUpgrade");
    assert_eq!((&held["status"], &held["retryAfterSeconds"]), (&json!("Success"), &json!(5)));
    let blocked = "Status: Success, RetryAfterSeconds: 5";
    let expect = json!({
        "BeforeControlPlaneUpgrade-actualResponseStatus": blocked,
        "BeforeControlPlaneUpgrade-v1.30.0_a-v1.32.0-actualResponseStatus": blocked,
    });
    assert_eq!(script(&plane), expect);
    let message = held["message"].as_str().unwrap();
    let line = format!(
        "BeforeControlPlaneUpgrade  default/c1  v1.30.0+a to v1.32.0  Success, blocks for 5 s: {message}  [settings]"
    );
    assert_eq!(extension.lines(1), [line]);

    // Unblocked as people do it; another hook still blocks, also for our own client.
    tell(&plane, "BeforeControlPlaneUpgrade-preloadedResponse", "status: Success\n");
    let expect = json!({
        "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "kind": "BeforeControlPlaneUpgradeResponse",
        "status": "Success",
    });
    assert_eq!(asked(&extension, "BeforeControlPlaneUpgrade"), expect);
    let passed = "Status: Success, RetryAfterSeconds: 0";
    assert_eq!(script(&plane)["BeforeControlPlaneUpgrade-v1.30.0_a-v1.32.0-actualResponseStatus"], passed);
    assert_eq!(asked_by_our_client(&extension), "wait 5");
    tell(&plane, "AfterControlPlaneUpgrade-v1.31.0-preloadedResponse", r#"{"Status": "Success"}"#);
    assert_eq!(asked_by_our_client(&extension), "go");
    assert_eq!(script(&plane)["AfterControlPlaneUpgrade-v1.31.0-actualResponseStatus"], passed);

    // What is broken is a failure, which is recorded too.
    tell(&plane, "BeforeControlPlaneUpgrade-v1.30.0_a-v1.32.0-preloadedResponse", "retryAfterSeconds: 5");
    let broken = asked(&extension, "BeforeControlPlaneUpgrade");
    let why = format!(
        "ConfigMap default/{SCRIPT}: BeforeControlPlaneUpgrade-v1.30.0_a-v1.32.0-preloadedResponse cannot be answered: \
         BeforeControlPlaneUpgradeResponse: status is missing"
    );
    assert_eq!((&broken["status"], &broken["message"]), (&json!("Failure"), &json!(why)));
    let failed = script(&plane)["BeforeControlPlaneUpgrade-actualResponseStatus"].take();
    assert_eq!(failed, "Status: Failure, RetryAfterSeconds: 0");

    let plan = asked(&extension, "GenerateUpgradePlan");
    assert_eq!(plan["controlPlaneUpgrades"], json!([{"version": "v1.31.0"}, {"version": "v1.32.0"}]));
    assert_eq!(script(&plane)["GenerateUpgradePlan-actualResponseStatus"], "Status: Success");
    let lines = extension.lines(7);
    assert_eq!(
        lines[0],
        "BeforeControlPlaneUpgrade  default/c1  v1.30.0+a to v1.32.0  Success  [BeforeControlPlaneUpgrade-preloadedResponse]"
    );
    assert_eq!(
        lines[6],
        "GenerateUpgradePlan  default/c1  v1.30.0 to v1.32.0  Success: control plane v1.31.0 v1.32.0; workers v1.32.0  [planned]"
    );

    // Nothing passes while the API server is slow or away, and each reason is its own.
    plane.pause_apiserver().unwrap();
    let slow = asked(&extension, "AfterClusterUpgrade");
    plane.resume_apiserver().unwrap();
    let server = plane.server().trim_start_matches("https://");
    let why = format!("the API server {server} did not answer about ConfigMap default/{SCRIPT} within 3s");
    assert_eq!((&slow["status"], &slow["message"]), (&json!("Failure"), &json!(why)));
    plane.stop_apiserver().unwrap();
    let away = asked(&extension, "AfterClusterUpgrade");
    let why = format!("cannot read ConfigMap default/{SCRIPT}: the API server {server} cannot be asked: ");
    assert_eq!(away["status"], "Failure");
    assert!(away["message"].as_str().unwrap().starts_with(&why), "{away:#}");
    plane.start_apiserver().unwrap();
    assert_eq!(asked(&extension, "AfterClusterUpgrade")["retryAfterSeconds"], 5);

    assert!(extension.interrupt().success());
    let mut rest = String::new();
    extension.err.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");

    // Whoever read the lines has seen enough: it ends, and complains to nobody.
    let mut unread = Extension::start(plane.kubeconfig(), folder.path());
    drop(unread.out.take());
    unread.ask("discovery", &json!({}));
    assert!(unread.ended().success());
    unread.err.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");

    // Who may not write is told so, and nothing passes.
    plane.kubectl_text(&["create", "serviceaccount", "nobody"]).unwrap();
    let nobody = plane.account_kubeconfig("default", "nobody").unwrap();
    let refused = asked(&Extension::start(&nobody, folder.path()), "BeforeClusterDelete");
    assert_eq!(refused["status"], "Failure");
    let why = format!("cannot read ConfigMap default/{SCRIPT}: configmaps \"{SCRIPT}\" is forbidden: ");
    assert!(refused["message"].as_str().unwrap().starts_with(&why), "{refused:#}");
}
