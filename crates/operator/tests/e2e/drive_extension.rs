//! An extension that writes down what it is asked and answers as a test says, behind real TLS, discovered by somebody
//! else: as it is where Cluster API runs too.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headway_api::hooks::{
    DiscoveryResponse, Failure, Handler, Hook, Lifecycle, LifecycleCall, LifecycleResponse, Request, Response,
};
use headway_core::drive::Told;
use headway_serve::certificate::Authority;
use headway_serve::hooks::{Extension, router};
use headway_serve::listen::Listener;
use headway_serve::tls::Tls;
use jiff::Timestamp;
use k8s_openapi::ByteString;
use serde_json::json;

use super::world::World;

/// A running extension; it ends with its runtime.
pub(super) struct Asked {
    state: Arc<State>,
    _runtime: tokio::runtime::Runtime,
}

#[derive(Default)]
struct State {
    calls: Mutex<Vec<String>>,
    /// What is held up, with the message; or failed.
    blocked: Mutex<Option<(Lifecycle, Answer)>>,
}

/// What is answered where it is not "go".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Ask again in this many seconds.
    Wait(u32),
    /// It fails.
    Fail,
}

impl Extension for State {
    fn handlers(&self) -> Vec<Handler> {
        Lifecycle::OF_UPGRADE.into_iter().map(|hook| Handler::new(hook.name().to_lowercase(), hook.into())).collect()
    }

    async fn answer(&self, _handler: &str, request: Request) -> Response {
        match request {
            Request::Lifecycle(request) => {
                self.calls.lock().unwrap().push(short(&request.call));
                let hook = request.call.hook();
                let blocked = *self.blocked.lock().unwrap();
                match blocked.filter(|(which, _)| *which == hook) {
                    None => Response::Lifecycle(LifecycleResponse::go(hook, "")),
                    Some((_, Answer::Wait(seconds))) => {
                        let seconds = NonZeroU32::new(seconds).unwrap();
                        Response::Lifecycle(LifecycleResponse::wait(hook, seconds, "ask the team"))
                    }
                    Some((_, Answer::Fail)) => Failure::new(Hook::Lifecycle(hook), "the disk is full").into(),
                }
            }
            Request::Discovery(_) => Response::Discovery(DiscoveryResponse::new(self.handlers())),
            other => Failure::new(other.hook(), "not served here").into(),
        }
    }

    fn answered(&self, _hook: Hook, _response: &Response, _took: Duration) {}
}

/// Starts one, and writes its ExtensionConfig with what Cluster API would have discovered.
pub(super) fn start(world: &World) -> Asked {
    let state = Arc::new(State::default());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let authority = Authority::new(Timestamp::now()).unwrap();
    let pem = authority.issue(&["127.0.0.1".to_owned()], Timestamp::now()).unwrap().pem;
    let tls = Tls::new(&pem, None).unwrap();
    let address = runtime.block_on(async {
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.address();
        let router = router(Arc::clone(&state));
        tokio::spawn(async move { listener.serve(&tls, router, std::future::pending()).await.unwrap() });
        address
    });
    let bundle = serde_json::to_value(ByteString(authority.certificate.clone().into_bytes())).unwrap();
    let handlers: Vec<_> = state
        .handlers()
        .iter()
        .map(|handler| {
            json!({ "name": format!("{}.asked", handler.name), "timeoutSeconds": 5, "failurePolicy": "Fail",
                "requestHook": { "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "hook": handler.hook() } })
        })
        .collect();
    world.put(json!({
        "apiVersion": "runtime.cluster.x-k8s.io/v1beta2", "kind": "ExtensionConfig", "metadata": { "name": "asked" },
        "spec": { "clientConfig": { "url": format!("https://{address}"), "caBundle": bundle } },
        "status": { "handlers": handlers, "conditions": [{ "type": "Discovered", "status": "True",
            "reason": "Discovered", "message": "", "lastTransitionTime": "2026-05-04T11:00:00Z" }] },
    }));
    Asked { state, _runtime: runtime }
}

impl Asked {
    /// What was asked so far, in short.
    pub(super) fn calls(&self) -> Vec<String> {
        self.state.calls.lock().unwrap().clone()
    }

    /// Answers a hook in this way from now on.
    pub(super) fn block(&self, hook: Lifecycle, answer: Answer) {
        *self.state.blocked.lock().unwrap() = Some((hook, answer));
    }

    /// Has nothing against anything any more.
    pub(super) fn release(&self) {
        *self.state.blocked.lock().unwrap() = None;
    }
}

/// A call in one line.
fn short(call: &LifecycleCall) -> String {
    Told(call).to_string()
}
