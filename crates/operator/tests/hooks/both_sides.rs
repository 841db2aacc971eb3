//! An extension behind `headway_serve::hooks`, asked by `headway_cluster::hook_client`.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{
    Cluster, DiscoveryResponse, Failure, GenerateUpgradePlanResponse, Handler, Hook, Lifecycle, LifecycleCall,
    LifecycleResponse, Object, Request, Response, StepAhead, Verdict,
};
use headway_api::meta::Labels;
use headway_api::quoted::with_causes;
use headway_cluster::hook_client::{About, HookClient, IdentityFiles, Options, Timing};
use headway_core::plan::{Facts, Situation};
use headway_serve::certificate::Authority;
use headway_serve::hooks::{Extension, router};
use headway_serve::listen::Listener;
use headway_serve::tls::{Pem, Tls};
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use serde_json::{Value, json};

/// Blocks once, and plans.
#[derive(Default)]
struct Gate {
    lifecycle_calls: Mutex<u32>,
}

impl Extension for Gate {
    fn handlers(&self) -> Vec<Handler> {
        let gate = Handler::new("gate", Lifecycle::BeforeClusterUpgrade.into());
        vec![gate, Handler::new("plan", Hook::GenerateUpgradePlan)]
    }

    async fn answer(&self, _handler: &str, request: Request) -> Response {
        match request {
            Request::Lifecycle(request) => {
                let mut calls = self.lifecycle_calls.lock().unwrap();
                *calls += 1;
                let seconds = NonZeroU32::new(30).filter(|_| *calls == 1);
                Response::Lifecycle(match seconds {
                    Some(seconds) => LifecycleResponse::wait(request.hook(), seconds, "ask the team"),
                    None => LifecycleResponse::go(request.hook(), ""),
                })
            }
            Request::GenerateUpgradePlan(_) => {
                let none: [&str; 0] = [];
                Response::GenerateUpgradePlan(GenerateUpgradePlanResponse::new(["v1.32.0", "v1.33.0"], none))
            }
            Request::Discovery(_) => Response::Discovery(DiscoveryResponse::new(self.handlers())),
            other => Failure::new(other.hook(), "not served here").into(),
        }
    }

    fn answered(&self, _hook: Hook, _response: &Response, _took: Duration) {}
}

fn serve(tls: &Tls, gate: &Arc<Gate>) -> SocketAddr {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.address();
    let (tls, router) = (tls.clone(), router(Arc::clone(gate)));
    tokio::spawn(async move { listener.serve(&tls, router, std::future::pending()).await.unwrap() });
    address
}

fn issued(authority: &Authority) -> Pem {
    authority.issue(&["127.0.0.1".to_owned()], Timestamp::now()).unwrap().pem
}

fn config(address: SocketAddr, authority: &Authority, generation: i64) -> ExtensionConfig {
    let bundle = serde_json::to_value(ByteString(authority.certificate.clone().into_bytes())).unwrap();
    serde_json::from_value(json!({
        "metadata": {"name": "ours", "uid": "u", "generation": generation},
        "spec": {"clientConfig": {"url": format!("https://{address}"), "caBundle": bundle}},
    }))
    .unwrap()
}

/// A client with a clock of its own.
fn client(identity: Option<IdentityFiles>) -> (Arc<HookClient>, Arc<Mutex<Timestamp>>) {
    let now = Arc::new(Mutex::new(Timestamp::UNIX_EPOCH));
    let clock = Arc::clone(&now);
    let clock = Arc::new(move || *clock.lock().unwrap());
    (HookClient::new(Options { cluster: None, identity, clock, timing: Timing::default() }), now)
}

fn cluster() -> Cluster {
    let Value::Object(fields) = json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
        "metadata": {"name": "c1", "namespace": "ns1", "uid": "c1-uid"},
        "spec": {"topology": {"classRef": {"name": "prod"}, "version": "v1.33.0"}},
    }) else {
        panic!("it is an object")
    };
    Cluster::new(Object::new(fields))
}

fn upgrade() -> LifecycleCall {
    LifecycleCall::BeforeClusterUpgrade(StepAhead {
        from_kubernetes_version: "v1.31.0".into(),
        to_kubernetes_version: "v1.33.0".into(),
        control_plane_upgrades: vec!["v1.32.0".into(), "v1.33.0".into()],
        workers_upgrades: Vec::new(),
    })
}

async fn asked(client: &HookClient) -> String {
    let (cluster, namespace) = (cluster(), Labels::default());
    match client.ask(About { cluster: &cluster, namespace: &namespace }, &upgrade()).await {
        Ok(outcome) => match outcome.verdict {
            Verdict::Go { .. } => "go".into(),
            Verdict::Wait { seconds, message, .. } => format!("wait {seconds} {message}"),
        },
        Err(error) => with_causes(&error),
    }
}

#[tokio::test]
async fn ch_5_8_a_gate_that_blocks_once_and_a_plan() {
    let authority = Authority::new(Timestamp::now()).unwrap();
    let gate = Arc::new(Gate::default());
    let address = serve(&Tls::new(&issued(&authority), None).unwrap(), &gate);
    let (client, now) = client(None);
    assert_eq!(client.warm_up(vec![config(address, &authority, 1)]).await, []);
    for _ in 0..5 {
        assert_eq!(asked(&client).await, "wait 30 ask the team");
    }
    assert_eq!(*gate.lifecycle_calls.lock().unwrap(), 1);
    *now.lock().unwrap() += SignedDuration::from_secs(30);
    assert_eq!(asked(&client).await, "go");
    let facts = Facts { target: "v1.33.0".into(), control_plane: Some("v1.31.0".into()), groups: Vec::new() };
    let (cluster, namespace) = (cluster(), Labels::default());
    let about = About { cluster: &cluster, namespace: &namespace };
    let plan = client.plan("plan.ours", about, &Situation::read(&facts).unwrap()).await.unwrap();
    assert_eq!(plan.control_plane.iter().map(ToString::to_string).collect::<Vec<_>>(), ["v1.32.0", "v1.33.0"]);
}

#[tokio::test]
async fn ch_5_5_certificates_are_replaced_on_both_sides() {
    let (first, second) = (Authority::new(Timestamp::now()).unwrap(), Authority::new(Timestamp::now()).unwrap());
    let clients = Authority::new(Timestamp::now()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = IdentityFiles { certificate: folder.path().join("tls.crt"), key: folder.path().join("tls.key") };
    let renew = || {
        let Pem { certificates, key } = clients.issue_client("headway", Timestamp::now()).unwrap().pem;
        std::fs::write(&files.certificate, certificates).unwrap();
        std::fs::write(&files.key, key).unwrap();
    };
    renew();
    let tls = Tls::new(&issued(&first), Some(clients.certificate.as_bytes())).unwrap();
    let gate = Arc::new(Gate { lifecycle_calls: Mutex::new(1) });
    let address = serve(&tls, &gate);
    let (client, _) = client(Some(files.clone()));
    assert_eq!(client.warm_up(vec![config(address, &first, 1)]).await, []);
    assert_eq!(asked(&client).await, "go");
    // A new certificate of the same authority, and a new one of ours: both are taken without a word. Ours makes a new
    // connection, which is shown the new one of the server.
    tls.replace(&issued(&first)).unwrap();
    renew();
    assert_eq!(asked(&client).await, "go");
    // One of another authority, which the ExtensionConfig does not know yet: refused, and nothing goes on.
    tls.replace(&issued(&second)).unwrap();
    renew();
    let refused = "BeforeClusterUpgrade of gate.ours failed: its certificate is refused: certificate signed by unknown \
                   authority, which has the name of a known one";
    assert_eq!(asked(&client).await, refused);
    // Once it does, all is well.
    assert!(client.discover(config(address, &second, 2)).await.found.is_ok());
    assert_eq!(asked(&client).await, "go");
}
