//! The routes, asked without a network.

use std::sync::Mutex;

use axum::body::Bytes;
use axum::http::{Method, Request as HttpRequest};
use headway_api::hooks::{Lifecycle, LifecycleResponse, MAX_BODY_BYTES, Status};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::*;

/// Answers one hook after a time, and notes what was answered.
struct Slow {
    takes: Duration,
    answered: Mutex<Vec<(Hook, Status)>>,
}

impl Slow {
    fn new(takes: Duration) -> Arc<Self> {
        Arc::new(Self { takes, answered: Mutex::default() })
    }
}

impl Extension for Slow {
    fn handlers(&self) -> Vec<Handler> {
        vec![Handler::new("before-cluster-upgrade", Hook::Lifecycle(Lifecycle::BeforeClusterUpgrade))]
    }

    async fn answer(&self, handler: &str, request: Request) -> Response {
        assert_eq!(handler, "before-cluster-upgrade");
        assert_eq!(request.hook(), Hook::Lifecycle(Lifecycle::BeforeClusterUpgrade));
        tokio::time::sleep(self.takes).await;
        Response::Lifecycle(LifecycleResponse::go(Lifecycle::BeforeClusterUpgrade, "gone"))
    }

    fn answered(&self, hook: Hook, response: &Response, _took: Duration) {
        self.answered.lock().unwrap().push((hook, response.status()));
    }
}

const PATH: &str = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/before-cluster-upgrade";

async fn send(extension: &Arc<Slow>, method: Method, path: &str, body: impl Into<Body>) -> (StatusCode, Bytes) {
    let request = HttpRequest::builder().method(method).uri(path).body(body.into()).unwrap();
    let response = router(extension.clone()).oneshot(request).await.unwrap();
    let status = response.status();
    (status, axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap())
}

/// What the protocol answers, which is 200 whatever it says.
async fn told(extension: &Arc<Slow>, path: &str, body: impl Into<Body>) -> Value {
    let (status, body) = send(extension, Method::POST, path, body).await;
    assert_eq!(status, StatusCode::OK);
    serde_json::from_slice(&body).unwrap()
}

fn request() -> Vec<u8> {
    let body = json!({
        "cluster": {"metadata": {"name": "c1", "namespace": "ns1"}},
        "fromKubernetesVersion": "v1.29.0",
        "toKubernetesVersion": "v1.30.0",
    });
    serde_json::to_vec(&body).unwrap()
}

#[tokio::test]
async fn ch_5_2_discovery_tells_what_is_served() {
    let told = told(&Slow::new(Duration::ZERO), "/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery", "{}").await;
    let expect = json!({
        "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1",
        "kind": "DiscoveryResponse",
        "status": "Success",
        "handlers": [{
            "name": "before-cluster-upgrade",
            "requestHook": {
                "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1",
                "hook": "BeforeClusterUpgrade",
            },
        }],
    });
    assert_eq!(told, expect);
}

#[tokio::test]
async fn ch_5_5_a_request_without_a_content_type_is_answered() {
    let extension = Slow::new(Duration::ZERO);
    let told = told(&extension, &format!("{PATH}?timeout=10s"), request()).await;
    assert_eq!((&told["status"], &told["message"]), (&json!("Success"), &json!("gone")));
    let hook = Hook::Lifecycle(Lifecycle::BeforeClusterUpgrade);
    assert_eq!(*extension.answered.lock().unwrap(), [(hook, Status::Success)]);
}

#[tokio::test]
async fn ch_5_8_other_paths_are_404_and_other_methods_405() {
    let extension = Slow::new(Duration::ZERO);
    for path in ["/", "/healthz", &PATH.replace("v1alpha1", "v1beta1"), &format!("{PATH}/more"), &format!("{PATH}x")] {
        assert_eq!(send(&extension, Method::POST, path, request()).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    for method in [Method::GET, Method::PUT, Method::DELETE, Method::HEAD] {
        assert_eq!(
            send(&extension, method.clone(), PATH, request()).await.0,
            StatusCode::METHOD_NOT_ALLOWED,
            "{method}"
        );
    }
    assert!(extension.answered.lock().unwrap().is_empty());
}

#[tokio::test]
async fn ch_5_8_what_cannot_be_read_is_a_failure_that_says_why() {
    let extension = Slow::new(Duration::ZERO);
    let cases: [(&[u8], &str); 5] = [
        (b"", "BeforeClusterUpgradeRequest"),
        (b"<html>", "BeforeClusterUpgradeRequest"),
        (b"{\"kind\":\"DiscoveryRequest\"}", "kind"),
        (b"{\"cluster\":{},\"toKubernetesVersion\":\"v1.30.0\"}", "fromKubernetesVersion"),
        (b"{\"cluster\":3}", "cluster"),
    ];
    for (body, names) in cases {
        let told = told(&extension, PATH, body).await;
        assert_eq!(told["status"], "Failure", "{told}");
        assert!(told["message"].as_str().unwrap().contains(names), "{told} names {names}");
        assert_eq!(told["kind"], "BeforeClusterUpgradeResponse");
    }
    assert_eq!(extension.answered.lock().unwrap().len(), cases.len());
}

#[tokio::test]
async fn ch_5_8_bodies_have_bounds() {
    let extension = Slow::new(Duration::ZERO);
    // Five megabytes of annotations are a request like any other.
    let mut large: Value = serde_json::from_slice(&request()).unwrap();
    large["cluster"]["metadata"]["annotations"] = json!({"note": "x".repeat(5_000_000)});
    assert_eq!(told(&extension, PATH, serde_json::to_vec(&large).unwrap()).await["status"], "Success");
    let check = |told: Value| {
        assert_eq!(told["status"], "Failure");
        assert_eq!(told["message"], "the request is larger than 20971520 bytes");
    };
    check(told(&extension, PATH, vec![b' '; MAX_BODY_BYTES + 1]).await);
    // One that does not say how long it is, is found out while it is read.
    let piece = Bytes::from(vec![b' '; 1 << 20]);
    let endless = futures::stream::iter((0..21).map(move |_| Ok::<_, std::io::Error>(piece.clone())));
    check(told(&extension, PATH, Body::from_stream(endless)).await);
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_a_failure_before_the_caller_gives_up() {
    let extension = Slow::new(Duration::from_secs(3));
    assert_eq!(told(&extension, &format!("{PATH}?timeout=10s"), request()).await["status"], "Success");
    let late = told(&extension, &format!("{PATH}?timeout=2s"), request()).await;
    assert_eq!((&late["status"], &late["message"]), (&json!("Failure"), &json!("there was no answer within 1.75 s")));
    // A client that sends its body for ever is let go too.
    let slow = futures::stream::once(std::future::pending::<Result<Bytes, std::io::Error>>());
    assert_eq!(told(&extension, PATH, Body::from_stream(slow)).await["status"], "Failure");
}

#[tokio::test(start_paused = true)]
async fn slow_bodies_do_not_take_the_room_of_others_for_long() {
    let extension = Slow::new(Duration::ZERO);
    let router = router(extension.clone());
    let endless = || futures::stream::once(std::future::pending::<Result<Bytes, std::io::Error>>());
    let hung: Vec<_> = (0..8)
        .map(|_| {
            let request = HttpRequest::post(PATH).body(Body::from_stream(endless())).unwrap();
            tokio::spawn(router.clone().oneshot(request))
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let usual = HttpRequest::post(format!("{PATH}?timeout=30s")).body(Body::from(request())).unwrap();
    let answered = router.oneshot(usual).await.unwrap();
    let body = axum::body::to_bytes(answered.into_body(), usize::MAX).await.unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["status"], "Success");
    for hung in hung {
        assert_eq!(hung.await.unwrap().unwrap().status(), StatusCode::OK);
    }
}
