//! The webhooks without a server: what is asked, what is answered, and what is no question.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::{Body, to_bytes};
use axum::http::{Request as HttpRequest, StatusCode};
use headway_core::admission::Mode;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Objects, Reference, Selection, Unreadable, router};

/// A cluster's objects by kind, or nothing that answers.
#[derive(Clone)]
enum World {
    Of(Vec<Value>),
    Forbidden,
    Silent,
}

impl World {
    async fn all(&self, kind: &str) -> Result<Vec<Value>, Unreadable> {
        match self {
            Self::Of(objects) => Ok(objects.iter().filter(|object| object["kind"] == kind).cloned().collect()),
            Self::Forbidden => Err(Unreadable("forbidden".into())),
            Self::Silent => std::future::pending().await,
        }
    }
}

impl Objects for World {
    async fn get(&self, reference: &Reference) -> Result<Option<Value>, Unreadable> {
        let all = self.all(&reference.kind).await?;
        Ok(all.into_iter().find(|object| object["metadata"]["name"] == *reference.name))
    }

    async fn list(&self, selection: &Selection) -> Result<Vec<Value>, Unreadable> {
        self.all(&selection.kind).await
    }

    async fn kubelets(
        &self,
        _namespace: &str,
        _cluster: &str,
        _nodes: &BTreeSet<String>,
    ) -> Result<BTreeMap<String, String>, Unreadable> {
        self.all("Node").await.map(|_| BTreeMap::new())
    }
}

fn world() -> World {
    World::Of(vec![
        json!({"kind": "ClusterClass", "metadata": {"name": "sea", "namespace": "bay"},
            "spec": {"kubernetesVersions": ["v1.31.0", "v1.32.0"]}}),
        json!({"kind": "KubeadmControlPlane", "metadata": {"name": "cp", "namespace": "bay"},
            "spec": {"version": "v1.31.0"}, "status": {"version": "v1.31.0"}}),
    ])
}

fn cluster(version: &str) -> Value {
    json!({"metadata": {"name": "gull", "namespace": "bay"},
        "spec": {"controlPlaneRef": {"kind": "KubeadmControlPlane", "name": "cp"},
            "topology": {"classRef": {"name": "sea"}, "version": version}}})
}

fn review(old: Value, new: Value) -> String {
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {"uid": "u1", "namespace": "bay", "name": "gull", "object": new, "oldObject": old}})
    .to_string()
}

async fn ask(world: World, mode: Mode, path: &str, body: impl Into<Body>) -> (StatusCode, String) {
    let request = HttpRequest::post(path).body(body.into()).unwrap();
    let response = router(world, mode).oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

async fn answer(world: World, mode: Mode, path: &str, body: String) -> Value {
    let (status, body) = ask(world, mode, path, body).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    serde_json::from_str::<Value>(&body).unwrap()["response"].take()
}

#[tokio::test]
async fn writes_are_let_in_or_refused_with_the_reason() {
    let update = |to: &str| review(cluster("v1.31.0"), cluster(to));
    let told = answer(world(), Mode::Topology, "/validate-cluster", update("v1.32.0")).await;
    assert_eq!(told, json!({"uid": "u1", "allowed": true}));
    let told = answer(world(), Mode::Topology, "/validate-cluster", update("v1.33.0")).await;
    let message = "spec.topology.version: ClusterClass/sea does not list v1.33.0 (rule A4)";
    let status = json!({"code": 422, "reason": "Invalid", "message": message});
    assert_eq!(told, json!({"uid": "u1", "allowed": false, "status": status}));
    let class = |versions: Value| json!({"metadata": {"name": "pond", "namespace": "bay"}, "spec": {"kubernetesVersions": versions}});
    let body = review(Value::Null, class(json!(["v1.31.0", "v1.33.0"])));
    let told = answer(world(), Mode::Topology, "/validate-clusterclass", body).await;
    assert_eq!(told["allowed"], false, "{told}");
}

#[tokio::test]
async fn deletions_and_parts_are_none_of_ours() {
    for body in [review(cluster("v1.31.0"), Value::Null), {
        let mut status: Value = serde_json::from_str(&review(cluster("v1.31.0"), cluster("nonsense"))).unwrap();
        status["request"]["subResource"] = json!("status");
        status.to_string()
    }] {
        let told = answer(World::Silent, Mode::Topology, "/validate-cluster", body).await;
        assert_eq!(told, json!({"uid": "u1", "allowed": true}));
    }
}

#[tokio::test]
async fn what_cannot_be_read_refuses_where_nobody_else_looks() {
    let update = || review(cluster("v1.31.0"), cluster("v1.32.0"));
    let told = answer(World::Forbidden, Mode::Topology, "/validate-cluster", update()).await;
    assert_eq!(told["allowed"], false);
    let message = told["status"]["message"].as_str().unwrap();
    assert!(message.contains("ClusterClass/bay/sea could not be read: forbidden"), "{message}");
    let told = answer(World::Forbidden, Mode::Beside, "/validate-cluster", update()).await;
    assert_eq!(told["allowed"], true);
    assert!(told["warnings"][0].as_str().unwrap().contains("left to Cluster API"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_does_not_answer_is_told_in_time() {
    let began = tokio::time::Instant::now();
    let body = review(cluster("v1.31.0"), cluster("v1.32.0"));
    let told = answer(World::Silent, Mode::Topology, "/validate-cluster", body).await;
    assert_eq!(told["allowed"], false);
    assert!(told["status"]["message"].as_str().unwrap().contains("no answer in time"), "{told}");
    assert!(began.elapsed() < std::time::Duration::from_secs(10));
}

#[tokio::test]
async fn objects_that_do_not_fit_are_named() {
    let mut broken = cluster("v1.31.0");
    broken["spec"]["topology"]["version"] = json!(1.31);
    let told = answer(world(), Mode::Topology, "/validate-cluster", review(Value::Null, broken.clone())).await;
    assert_eq!(told["allowed"], false);
    let message = told["status"]["message"].as_str().unwrap();
    assert!(message.contains("does not fit at spec.topology.version"), "{message}");
    // Its schema refuses it later.
    let told = answer(world(), Mode::Topology, "/mutate-cluster", review(Value::Null, broken)).await;
    assert_eq!(told, json!({"uid": "u1", "allowed": true}));
    let mut class = json!({"kind": "ClusterClass", "metadata": {"name": "sea"}, "spec": {"kubernetesVersions": "all"}});
    class["metadata"]["namespace"] = json!("bay");
    let body = review(cluster("v1.31.0"), cluster("v1.32.0"));
    let told = answer(World::Of(vec![class]), Mode::Topology, "/validate-cluster", body).await;
    let message = told["status"]["message"].as_str().unwrap();
    assert!(message.contains("spec.kubernetesVersions"), "{message}");
}

#[tokio::test]
async fn ch_adm_2_what_a_cluster_lacks_is_added() {
    let told = answer(world(), Mode::Topology, "/mutate-cluster", review(Value::Null, cluster("1.31.0"))).await;
    assert_eq!(told["patchType"], "JSONPatch");
    // [{"op":"add","path":"/spec/topology/version","value":"v1.31.0"},…] in base64.
    assert!(
        told["patch"].as_str().unwrap().starts_with("W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvdG9wb2xvZ3kvdmVyc2lvbiIs")
    );
    assert_eq!(told["allowed"], true);
}

#[tokio::test]
async fn what_is_no_review_is_an_error_of_http() {
    let check = async |body: Vec<u8>, expect: StatusCode, words: &str| {
        for path in ["/validate-cluster", "/validate-clusterclass", "/mutate-cluster"] {
            let (status, text) = ask(world(), Mode::Topology, path, body.clone()).await;
            assert_eq!(status, expect, "{text}");
            assert!(text.contains(words), "{text}");
        }
    };
    check(b"<html>".to_vec(), StatusCode::BAD_REQUEST, "not an AdmissionReview: expected value").await;
    check(b"{}".to_vec(), StatusCode::BAD_REQUEST, "not an AdmissionReview").await;
    check(vec![b' '; 9 << 20], StatusCode::PAYLOAD_TOO_LARGE, "limit").await;
    let wrong = HttpRequest::get("/validate-cluster").body(Body::empty()).unwrap();
    let response = router(world(), Mode::Topology).oneshot(wrong).await.unwrap();
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
}
