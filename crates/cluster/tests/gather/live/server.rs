//! A server of a few objects that answers within the process, and remembers what it was asked.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headway_cluster::gather::live::Cluster;
use http::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

use super::super::cluster::Object;

/// What the server says instead of its objects, by the beginning of the path.
#[derive(Debug, Clone)]
pub(super) enum Instead {
    /// A status with a message.
    Status(u16, &'static str),
    /// The same, as often as it says; then the objects.
    StatusAtFirst(u16, usize),
    /// A text with code 200.
    Text(&'static str),
    /// Nothing, for ever.
    Silence,
    /// No connection.
    Refuse,
}

/// The server.
#[derive(Clone, Default)]
pub(super) struct Server {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    objects: Vec<Object>,
    instead: BTreeMap<String, Instead>,
    /// Objects on a page at most, whatever is asked for.
    page: Option<usize>,
    asked: Vec<Asked>,
}

/// A request that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) path: String,
    pub(super) accept: String,
}

impl Server {
    pub(super) fn new(objects: Vec<Object>) -> Self {
        let server = Self::default();
        server.inner().objects = objects;
        server
    }

    /// Answers requests whose path begins so with something else.
    pub(super) fn instead(self, path: &str, instead: Instead) -> Self {
        self.inner().instead.insert(path.to_owned(), instead);
        self
    }

    pub(super) fn pages_of(self, objects: usize) -> Self {
        self.inner().page = Some(objects);
        self
    }

    /// What was asked so far.
    pub(super) fn asked(&self) -> Vec<Asked> {
        self.inner().asked.clone()
    }

    /// A cluster of which this is the server.
    pub(super) fn cluster(&self, timeout: Option<Duration>) -> Cluster {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { server.answer(request).await }
        });
        Cluster::of_client(Client::new(service, "default"), "api.example.com:6443", timeout)
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, io::Error> {
        // Bodies cannot be shared between threads, so nothing but the head is kept over a wait.
        let (request, _) = request.into_parts();
        let path = request.uri.path_and_query().unwrap().to_string();
        let accept = request.headers.get("accept").map(|it| it.to_str().unwrap().to_owned()).unwrap_or_default();
        let instead = {
            let mut inner = self.inner();
            inner.asked.push(Asked { path: path.clone(), accept });
            let found = inner.instead.iter_mut().rev().find(|(start, _)| path.starts_with(start.as_str()));
            found.and_then(|(_, instead)| match instead {
                Instead::StatusAtFirst(_, 0) => None,
                Instead::StatusAtFirst(code, left) => {
                    *left -= 1;
                    Some(Instead::Status(*code, "not now"))
                }
                other => Some(other.clone()),
            })
        };
        match instead {
            None => Ok(self.objects(request.uri.path(), request.uri.query().unwrap_or_default())),
            Some(Instead::Status(code, message)) => Ok(status(code, message)),
            Some(Instead::Text(text)) => Ok(response(200, text.into())),
            Some(Instead::Silence | Instead::StatusAtFirst(..)) => std::future::pending().await,
            Some(Instead::Refuse) => Err(io::ErrorKind::ConnectionRefused.into()),
        }
    }

    fn objects(&self, path: &str, query: &str) -> Response<Body> {
        let inner = self.inner();
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let parts = match parts.as_slice() {
            ["api", "v1", rest @ ..] => ("v1".to_owned(), rest),
            ["apis", group, version, rest @ ..] => (format!("{group}/{version}"), rest),
            _ => return status(404, "the server could not find the requested resource"),
        };
        let (api, rest) = parts;
        let of_api: Vec<&Object> = inner.objects.iter().filter(|object| object.value["apiVersion"] == api).collect();
        match rest {
            [] if of_api.is_empty() => status(404, "the server could not find the requested resource"),
            [] => {
                let resources: Vec<Value> = of_api.iter().map(|object| json!({"name": object.plural()})).collect();
                response(200, json!({"kind": "APIResourceList", "resources": resources}).to_string())
            }
            ["namespaces", namespace, plural, name] => {
                let one = of_api.iter().find(|object| {
                    object.namespace == Some(namespace) && object.plural() == *plural && object.name == *name
                });
                one.map_or_else(|| status(404, "not found"), |one| response(200, one.value.to_string()))
            }
            ["namespaces", namespace, plural] => {
                let within = of_api.iter().filter(|object| object.namespace == Some(namespace));
                list(&within.filter(|object| object.plural() == *plural).collect::<Vec<_>>(), query, inner.page)
            }
            [plural] => {
                let on = query.split('&').find_map(|part| part.strip_prefix("fieldSelector=spec.nodeName%3D"));
                let is_on = |object: &&&Object| on.is_none_or(|node| object.value["spec"]["nodeName"] == node);
                let all: Vec<&&Object> = of_api.iter().filter(|o| o.plural() == *plural).filter(is_on).collect();
                list(&all, query, inner.page)
            }
            _ => status(404, "not found"),
        }
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }
}

/// A page of a list; where it begins is the token.
fn list(all: &[&&Object], query: &str, page: Option<usize>) -> Response<Body> {
    let number = |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)).map(|n| n.parse().unwrap());
    let start: usize = number("continue=").unwrap_or(0);
    let limit = if query.contains("limit=") { page.or(number("limit=")) } else { None };
    let end = limit.map_or(all.len(), |limit| all.len().min(start + limit));
    let items: Vec<&Value> = all[start..end].iter().map(|object| &object.value).collect();
    let token = if end < all.len() { end.to_string() } else { String::new() };
    let metadata = json!({"resourceVersion": "7", "continue": token});
    response(200, json!({"apiVersion": "v1", "kind": "List", "items": items, "metadata": metadata}).to_string())
}

fn status(code: u16, message: &str) -> Response<Body> {
    let status = json!({"apiVersion": "v1", "kind": "Status", "status": "Failure", "message": message, "code": code});
    response(code, status.to_string())
}

fn response(code: u16, text: String) -> Response<Body> {
    let answer = Response::builder().status(code);
    let answer = if code == 429 { answer.header("retry-after", "0") } else { answer };
    answer.body(Body::from(text.into_bytes())).unwrap()
}
