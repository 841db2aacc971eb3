//! Installed by its manifest, under its rights; and asked by our own client over TLS whose certificate is replaced.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Cluster, LifecycleCall, Object, StepAhead, Verdict};
use headway_api::meta::Labels;
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_api::quoted::with_causes;
use headway_cluster::hook_client::{About, HookClient, Options, Timing};
use headway_core::plan::{Course, Facts, GroupFacts, Situation};
use headway_serve::certificate::Authority;
use headway_serve::tls::{CERTIFICATE_FILE, KEY_FILE};
use headway_testenv::Plane;
use jiff::Timestamp;
use k8s_openapi::ByteString;
use serde_json::{Value, json};

use super::program::{NAMESPACE, Operator};

const SERVICE: &str = "headway-hooks.headway-system.svc";

const HOOKS: &str = "/hooks.runtime.cluster.x-k8s.io/v1alpha1";

fn plane() -> Plane {
    let plane = Plane::start().unwrap();
    plane.apply_cluster_api_crds().unwrap();
    plane
}

fn class(plane: &Plane, versions: &[&str]) {
    let template = json!({"templateRef": {"apiVersion": "example.test/v1", "kind": "Template", "name": "any"}});
    let class = json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "ClusterClass",
        "metadata": {"name": "prod", "namespace": "default"},
        "spec": {"infrastructure": template, "controlPlane": template, "kubernetesVersions": versions},
    });
    plane.apply(&class.to_string()).unwrap();
}

fn cluster() -> Value {
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Cluster",
        "metadata": {"name": "c1", "namespace": "default", "uid": "uid-1"},
        "spec": {"topology": {"classRef": {"name": "prod"}, "version": "v1.33.0"}},
    })
}

/// A question for a plan from v1.29.0 to v1.33.0.
fn question(settings: &Value) -> Value {
    json!({
        "settings": settings,
        "cluster": cluster(),
        "fromControlPlaneKubernetesVersion": "v1.29.0",
        "fromWorkersKubernetesVersion": "v1.29.0",
        "toKubernetesVersion": "v1.33.0",
    })
}

fn versions(steps: &Value) -> Vec<&str> {
    steps.as_array().map_or(&[][..], Vec::as_slice).iter().map(|step| step["version"].as_str().unwrap()).collect()
}

fn get(plane: &Plane, what: &[&str]) -> Value {
    serde_json::from_str(&plane.kubectl_text(&[&["get", "--output=json"], what].concat()).unwrap()).unwrap()
}

fn manifest() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/manifests/hooks.yaml")).unwrap()
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn ch_5_8_two_replicas_answer_under_one_certificate_and_the_rights_of_the_manifest() {
    let plane = plane();
    plane.apply(&manifest()).unwrap();
    class(&plane, &["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0"]);
    let deployment = get(&plane, &["deployment", "headway-operator-hooks", "--namespace", NAMESPACE]);
    assert_eq!(deployment["spec"]["replicas"], 2);
    let arguments = deployment["spec"]["template"]["spec"]["containers"][0]["args"].as_array().unwrap();
    let arguments: Vec<String> = arguments.iter().map(|argument| argument.as_str().unwrap().to_owned()).collect();
    let account = plane.account_kubeconfig(NAMESPACE, "headway-operator-hooks").unwrap();
    // At the same moment, so that both find no Secret.
    let replicas = [Operator::start(&account, &arguments), Operator::start(&account, &arguments)];
    for replica in &replicas {
        replica.wait("it is ready", || replica.is_ready());
    }
    let secret = get(&plane, &["secret", "headway-hooks-tls", "--namespace", NAMESPACE]);
    let data: BTreeMap<String, ByteString> = serde_json::from_value(secret["data"].clone()).unwrap();
    let authority = &data["ca.crt"].0;

    let plan = format!("{HOOKS}/generateupgradeplan/generate-upgrade-plan?timeout=10s");
    for replica in &replicas {
        let discovered =
            replica.ask(SERVICE, authority, &format!("{HOOKS}/discovery?timeout=10s"), &json!({})).unwrap();
        assert_eq!(discovered["handlers"].as_array().unwrap().len(), 7, "{discovered}");
        let mut answer = Value::Null;
        replica.wait("it has read the ClusterClasses", || {
            answer = replica.ask(SERVICE, authority, &plan, &question(&json!({}))).unwrap();
            answer["status"] == "Success"
        });
        assert_eq!(versions(&answer["controlPlaneUpgrades"]), ["v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0"]);
        assert_eq!(versions(&answer["workersUpgrades"]), ["v1.32.0", "v1.33.0"]);
    }

    // A newer patch in the class, and a catalogue, are known while it runs.
    let [one, other] = &replicas;
    class(&plane, &["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.7", "v1.33.0"]);
    let workers = |settings: &Value| {
        let answer = one.ask(SERVICE, authority, &plan, &question(settings)).unwrap();
        versions(&answer["workersUpgrades"]).join(" ")
    };
    one.wait("the class that changed is known", || workers(&json!({})) == "v1.32.7 v1.33.0");
    let catalogue = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "stable", "namespace": NAMESPACE, "labels": {"headway.dev/version-catalogue": ""}},
        "data": {"versions": "v1.30.9\nv1.31.9\nv1.32.9 # long tested\nv1.33.0\n"},
    });
    plane.apply(&catalogue.to_string()).unwrap();
    let stable = json!({"catalogue": "stable"});
    one.wait("the catalogue is known", || workers(&stable) == "v1.32.9 v1.33.0");
    let refused = other.ask(SERVICE, authority, &plan, &question(&json!({"catalogue": "beta"}))).unwrap();
    assert_eq!(refused["status"], "Failure");
    assert!(refused["message"].as_str().unwrap().contains("\"beta\""), "{refused}");

    let metrics = other.probe("/metrics").unwrap();
    assert!(
        metrics.contains("headway_hook_answers_total{hook=\"GenerateUpgradePlan\",status=\"Failure\"} "),
        "{metrics}"
    );
    for replica in replicas {
        let log = replica.log();
        assert!(!log.contains("forbidden") && !log.contains("cannot be watched"), "{log}");
        replica.stop();
    }
}

fn write(folder: &Path, authority: &Authority) {
    let pem = authority.issue(&["localhost".to_owned()], Timestamp::now()).unwrap().pem;
    std::fs::write(folder.join(CERTIFICATE_FILE), pem.certificates).unwrap();
    std::fs::write(folder.join(KEY_FILE), pem.key).unwrap();
}

/// A client that trusts one authority, after it was told of the extension.
async fn client(operator: &Operator, authority: &Authority) -> (Arc<HookClient>, Vec<String>) {
    let timing = Timing { warm_up: std::time::Duration::from_secs(1), ..Timing::default() };
    let client = HookClient::new(Options { cluster: None, identity: None, clock: Arc::new(Timestamp::now), timing });
    let port = operator.hooks.rsplit(':').next().unwrap();
    let config: ExtensionConfig = serde_json::from_value(json!({
        "metadata": {"name": "headway", "uid": "uid-ext", "generation": 1},
        "spec": {"clientConfig": {
            "url": format!("https://localhost:{port}"),
            "caBundle": ByteString(authority.certificate.clone().into_bytes()),
        }},
    }))
    .unwrap();
    let troubles = client.warm_up(vec![config]).await;
    let troubles = troubles.into_iter().map(|trouble| trouble.reason).collect();
    (client, troubles)
}

async fn planned(client: &HookClient) -> String {
    let Value::Object(fields) = cluster() else { panic!("it is an object") };
    let (cluster, namespace) = (Cluster::new(Object::new(fields)), Labels::default());
    let about = About { cluster: &cluster, namespace: &namespace };
    let group = GroupFacts {
        id: WorkerGroup { kind: GroupKind::MachineDeployment, name: "md-0".to_owned() },
        version: Some("v1.29.0".to_owned()),
        course: Course::Follows,
    };
    let facts = Facts { target: "v1.33.0".into(), control_plane: Some("v1.29.0".into()), groups: vec![group] };
    match client.plan("generate-upgrade-plan.headway", about, &Situation::read(&facts).unwrap()).await {
        Ok(plan) => {
            plan.control_plane.iter().chain(&plan.workers).map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        Err(error) => with_causes(&error),
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
async fn ch_5_5_our_client_asks_our_server_while_its_certificate_is_replaced() {
    let plane = plane();
    class(&plane, &["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0"]);
    plane.kubectl_text(&["create", "namespace", NAMESPACE]).unwrap();
    let (before, after) = (Authority::new(Timestamp::now()).unwrap(), Authority::new(Timestamp::now()).unwrap());
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &before);
    let arguments = ["--roles=hooks".to_owned(), format!("--hooks-tls-dir={}", folder.path().display())];
    let operator = Operator::start(plane.kubeconfig(), &arguments);
    operator.wait("it is ready", || operator.is_ready());
    operator.wait("the classes are read", || operator.log().contains("ClusterClass"));

    let (old, troubles) = client(&operator, &before).await;
    assert_eq!(troubles, [""; 0]);
    let plan = "v1.30.0 v1.31.0 v1.32.0 v1.33.0 v1.32.0 v1.33.0";
    assert_eq!(planned(&old).await, plan);
    let Value::Object(fields) = cluster() else { panic!("it is an object") };
    let (cluster, namespace) = (Cluster::new(Object::new(fields)), Labels::default());
    let call = LifecycleCall::BeforeClusterUpgrade(StepAhead {
        from_kubernetes_version: "v1.29.0".into(),
        to_kubernetes_version: "v1.33.0".into(),
        control_plane_upgrades: vec!["v1.30.0".into()],
        workers_upgrades: Vec::new(),
    });
    let outcome = old.ask(About { cluster: &cluster, namespace: &namespace }, &call).await.unwrap();
    assert!(matches!(outcome.verdict, Verdict::Go { .. }), "{outcome:?}");
    let (_, troubles) = client(&operator, &after).await;
    assert_eq!(troubles.len(), 1, "the other authority does not vouch for it yet: {troubles:?}");

    write(folder.path(), &after);
    operator.wait("the certificate is replaced", || operator.log().contains("the certificate was replaced"));
    let (new, troubles) = client(&operator, &after).await;
    assert_eq!(troubles, [""; 0]);
    assert_eq!(planned(&new).await, plan);
    let (_, troubles) = client(&operator, &before).await;
    assert_eq!(troubles.len(), 1, "{troubles:?}");
    operator.stop();
}
