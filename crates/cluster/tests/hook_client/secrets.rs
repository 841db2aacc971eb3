//! Certificates out of Secrets, the list of extensions, and the status that is written on request, against an API
//! server that answers by a script.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use headway_cluster::hook_client::{extension_configs, namespace_labels, write_status};
use http::{Request, Response};
use http_body_util::BodyExt;
use k8s_openapi::ByteString;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

use super::certificates::{Authority, Offer, server_tls};
use super::extension::{Extension, Reply};
use super::world::{World, chain, config, success};

/// Answers by path, and remembers what was written.
#[derive(Clone, Default)]
struct ApiServer {
    objects: Arc<Mutex<BTreeMap<String, Value>>>,
    written: Arc<Mutex<Vec<(String, Value)>>>,
}

impl ApiServer {
    fn has(&self, path: &str, object: Value) {
        self.objects.lock().unwrap().insert(path.into(), object);
    }

    fn client(&self) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { Ok::<_, Infallible>(server.answer(request).await) }
        });
        Client::new(service, "default")
    }

    async fn answer(&self, request: Request<Body>) -> Response<Body> {
        let path = request.uri().path().to_owned();
        if request.method() == http::Method::PATCH {
            let query = request.uri().query().unwrap_or_default().to_owned();
            let body = request.into_body().collect().await.unwrap().to_bytes();
            let body: Value = serde_json::from_slice(&body).unwrap();
            self.written.lock().unwrap().push((format!("{path}?{query}"), body.clone()));
            return Response::new(Body::from(body.to_string().into_bytes()));
        }
        let object = self.objects.lock().unwrap().get(&path).cloned();
        let (code, body) = match object {
            Some(object) => (200, object),
            None => {
                let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404,
                    "reason": "NotFound", "message": format!("{path} not found")});
                (404, status)
            }
        };
        Response::builder().status(code).body(Body::from(body.to_string().into_bytes())).unwrap()
    }
}

const SECRET: &str = "/api/v1/namespaces/capi/secrets/ext-ca";

fn secret(data: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "ext-ca", "namespace": "capi"}, "data": data})
}

#[tokio::test]
async fn ch_5_1_certificates_out_of_a_secret() {
    let (authority, api) = (Authority::new("ours"), ApiServer::default());
    let world = World::with(|options| options.cluster = Some(api.client()));
    let extension = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, "trusted"))]);
    let annotated = |value: &str| {
        let mut config = config("ext", &extension, &authority);
        config.spec.client_config.ca_bundle.clear();
        let key = "runtime.cluster.x-k8s.io/inject-ca-from-secret";
        config.metadata.annotations = [(key, value)].into_iter().collect();
        config
    };
    world.client.list(Vec::new());
    let check = async |value: &str, why: &str| {
        let told = chain(&world.client.discover(annotated(value)).await.found.unwrap_err());
        assert_eq!(told, format!("! Discovery of ext failed: {why}"), "{value}");
        assert!(world.ask("cluster-1", "team=ext").await.contains(why));
        assert_eq!(world.ask("cluster-2", "team=other").await, "go");
    };
    for value in ["", "ext-ca", "/ext-ca", "capi/", "capi/ext/ca"] {
        let key = "runtime.cluster.x-k8s.io/inject-ca-from-secret";
        check(value, &format!("the annotation {key} is \"{value}\", not NAMESPACE/NAME")).await;
    }
    let absent = chain(&world.client.discover(annotated("capi/ext-ca")).await.found.unwrap_err());
    assert!(absent.starts_with("! Discovery of ext failed: cannot read the Secret capi/ext-ca: "), "{absent}");
    assert!(absent.contains("not found"), "{absent}");
    api.has(SECRET, secret(json!({"tls.crt": "eA=="})));
    check("capi/ext-ca", "the Secret capi/ext-ca has no ca.crt").await;
    api.has(SECRET, secret(json!({"ca.crt": "bm8gcGVt"})));
    check("capi/ext-ca", "its clientConfig cannot be used: caBundle holds no certificate in PEM").await;
    let other = Authority::new("other");
    api.has(SECRET, secret(json!({"ca.crt": other.bundle()})));
    check("capi/ext-ca", "its certificate is refused: certificate signed by unknown authority").await;
    api.has(SECRET, secret(json!({"ca.crt": ByteString(authority.pem().into())})));
    assert!(world.client.discover(annotated("capi/ext-ca")).await.found.is_ok());
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go trusted");
    // Without a cluster nobody can read it, and nothing else is trusted in its place.
    let alone = World::new();
    let told = chain(&alone.client.discover(annotated("capi/ext-ca")).await.found.unwrap_err());
    assert_eq!(told, "! Discovery of ext failed: the Secret capi/ext-ca cannot be read without a cluster");
    // Nothing was written.
    assert_eq!(*api.written.lock().unwrap(), []);
}

#[tokio::test]
async fn ch_5_2_the_status_is_written_on_request() {
    let (authority, api) = (Authority::new("ours"), ApiServer::default());
    let (world, client) = (World::new(), api.client());
    let extension = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    let config = config("ext", &extension, &authority);
    let discovered = world.client.discover(config.clone()).await;
    let now = "2026-11-30T10:00:00Z".parse().unwrap();
    write_status(&client, &config, &discovered, now).await.unwrap();
    let written = api.written.lock().unwrap().clone();
    let [(path, body)] = written.as_slice() else { panic!("{written:?}") };
    let at = "/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/ext/status";
    assert!(path.starts_with(at) && path.contains("fieldManager=headway-drive"), "{path}");
    assert_eq!(body["metadata"], json!({"name": "ext", "uid": "uid-ext"}));
    assert_eq!(body["status"]["handlers"][0]["name"], "gate.ext");
    assert_eq!(body["status"]["conditions"][0]["status"], "True");
}

#[tokio::test]
async fn ch_5_1_the_state_of_a_cluster_is_read_in_either_version() {
    let list = |version: &str| {
        json!({
            "apiVersion": format!("runtime.cluster.x-k8s.io/{version}"), "kind": "ExtensionConfigList",
            "metadata": {}, "items": [{
                "metadata": {"name": version, "uid": "u", "generation": 2},
                "spec": {"clientConfig": {"service": {"namespace": "ns", "name": "ext"}}},
            }],
        })
    };
    for version in ["v1alpha1", "v1beta2"] {
        let api = ApiServer::default();
        assert_eq!(extension_configs(&api.client()).await.unwrap(), []);
        api.has(&format!("/apis/runtime.cluster.x-k8s.io/{version}/extensionconfigs"), list(version));
        let found = extension_configs(&api.client()).await.unwrap();
        let [config] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((config.metadata.name.as_str(), config.metadata.generation), (version, Some(2)));
        assert_eq!(config.spec.client_config.service.as_ref().unwrap().name, "ext");
    }
    let api = ApiServer::default();
    let missing = chain(&namespace_labels(&api.client(), "ns1").await.unwrap_err());
    assert!(missing.starts_with("! cannot read the namespace ns1: "), "{missing}");
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns1", "labels": {"team": "a"}}});
    api.has("/api/v1/namespaces/ns1", namespace);
    assert_eq!(namespace_labels(&api.client(), "ns1").await.unwrap().get("team"), Some("a"));
}
