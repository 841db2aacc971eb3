//! Alerts of a running cluster: through the route, from an address, with a token, and with certificates that are
//! believed or not.

use std::fs;

use serde_json::{Value, json};

use super::command::{of_cluster, root};
use super::prometheus::{Prometheus, TOKEN, token_file};
use super::world::{World, client, send, world};

const EXAMPLE: &str = "examples/previous-update-partial/input";

fn prometheus(world: &World) -> Prometheus {
    Prometheus::start(world.plane.serving(), fs::read(root().join(EXAMPLE).join("alerts.json")).unwrap())
}

/// What is said of the alerts: nothing when there are any.
fn alerts(world: &World, more: &[&str]) -> String {
    let ran = of_cluster(world.plane.kubeconfig(), &[more, &["-o", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["alerts"]["available"], report["alerts"]["message"].as_str().unwrap_or_default().is_empty());
    report["alerts"]["message"].as_str().unwrap_or_default().to_owned()
}

#[test]
#[ignore = "ring 2: a real API server"]
fn alerts_come_from_an_address_with_token_and_certificates() {
    let mut world = world();
    world.hold(&[root().join(EXAMPLE)]);
    let folder = tempfile::tempdir().unwrap();
    let served = prometheus(&world);
    let url = served.url();
    let token = token_file(folder.path(), TOKEN);
    let authority = world.plane.serving().authority.to_str().unwrap().to_owned();
    let with = |more: &[&str]| alerts(&world, &[&["--prometheus", &url], more].concat());
    let whole = ["--prometheus-token-file", &token, "--prometheus-ca-file", &authority];
    assert_eq!(with(&whole), "");
    let asked = served.asked();
    assert!(asked[0].starts_with("GET /api/v1/alerts HTTP/1.1\r\n"), "{asked:?}");
    // Without a token it says no; without its certificates nothing is shown to it, the token least of all.
    assert_eq!(with(&["--prometheus-ca-file", &authority]), format!("{url}/: the server answered 403: Forbidden"));
    let before = served.asked().len();
    let unknown = with(&["--prometheus-token-file", &token]);
    assert!(unknown.starts_with(&format!("{url}/: ")) && unknown.contains("certificate"), "{unknown}");
    assert_eq!(served.asked().len(), before);
    assert_eq!(with(&["--prometheus-token-file", "/nowhere"]), "cannot read /nowhere: no such file or directory");
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    assert_eq!(with(&["--prometheus-ca-file", empty]), format!("{empty} holds no certificate"));
    let gone = alerts(&world, &["--prometheus", "https://127.0.0.1:1"]);
    assert_eq!(gone, "https://127.0.0.1:1/: the connection was refused");
}

#[test]
#[ignore = "ring 2: a real API server"]
fn alerts_come_through_the_route_of_the_cluster() {
    let mut world = world();
    world.hold(&[root().join(EXAMPLE)]);
    let served = prometheus(&world);
    let kubeconfig = world.plane.kubeconfig().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ingress = fs::read_to_string(&world.plane.serving().authority).unwrap();
    let put = |method: &'static str, path: String, body: Value| {
        let kubeconfig = kubeconfig.clone();
        runtime.block_on(async move {
            send(&client(&kubeconfig).await, method, &path, "application/json", &body).await;
        });
    };
    for name in ["openshift-monitoring", "openshift-config-managed"] {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        put("POST", "/api/v1/namespaces".into(), namespace);
    }
    let no_route = "the cluster has no route openshift-monitoring/thanos-querier";
    assert_eq!(alerts(&world, &[]), no_route);
    let routes = "/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes";
    let route = json!({"apiVersion": "route.openshift.io/v1", "kind": "Route",
        "metadata": {"name": "thanos-querier"}, "spec": {"host": served.host()}});
    put("POST", routes.into(), route);
    // Who came with a certificate has no token to show.
    assert_eq!(alerts(&world, &[]), "no token is currently in use for this session");
    let folder = tempfile::tempdir().unwrap();
    let token = token_file(folder.path(), TOKEN);
    let unknown = alerts(&world, &["--prometheus-token-file", &token]);
    assert!(unknown.contains("certificate"), "{unknown}");
    let bundle = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "default-ingress-cert"},
        "data": {"ca-bundle.crt": ingress}});
    put("POST", "/api/v1/namespaces/openshift-config-managed/configmaps".into(), bundle);
    assert_eq!(alerts(&world, &["--prometheus-token-file", &token]), "");
    put("DELETE", format!("{routes}/thanos-querier"), json!({}));
    assert_eq!(alerts(&world, &[]), no_route);
}
