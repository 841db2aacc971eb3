//! The runtime-extension server (chained-upgrades.md, 5.5 and 5.8): reads what Cluster API asks, has an [`Extension`]
//! answer, and writes what it says.
//!
//! Whatever cannot be read is answered as the protocol wants it, with 200 and a `status` of Failure that says why; so is
//! an answer that does not come in time. A path that no handler has is 404, a method other than POST 405.

mod body;
mod wait;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as HttpRequest, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::post;
use headway_api::hooks::{DiscoveryResponse, Failure, Handler, Hook, Request, Response};
use headway_api::quoted::with_causes;

use body::Room;

/// What answers hooks.
pub trait Extension: Send + Sync + 'static {
    /// What it serves, as discovery tells it. Discovery itself is not among them.
    fn handlers(&self) -> Vec<Handler>;

    /// Answers a request to one of its handlers. What takes longer than the caller waits is not heard.
    fn answer(&self, handler: &str, request: Request) -> impl Future<Output = Response> + Send;

    /// Told of each answer that is given, also of those that are given for it because a request could not be read.
    fn answered(&self, hook: Hook, response: &Response, took: Duration);
}

struct Served<E> {
    extension: Arc<E>,
    room: Room,
}

struct Route<E> {
    served: Arc<Served<E>>,
    hook: Hook,
    handler: Arc<str>,
}

// By hand: derived, it would ask for a clone of the extension itself.
impl<E> Clone for Route<E> {
    fn clone(&self) -> Self {
        Self { served: self.served.clone(), hook: self.hook, handler: self.handler.clone() }
    }
}

/// The routes of an extension: one for each handler, and discovery.
///
/// A handler whose hook is unknown has none: discovery tells of it, and whoever reads that refuses it.
pub fn router<E: Extension>(extension: Arc<E>) -> Router {
    let handlers = extension.handlers();
    let served = Arc::new(Served { extension, room: Room::default() });
    let mut router = Router::new();
    let mut add = |hook: Hook, handler: &str| {
        let route = Route { served: served.clone(), hook, handler: handler.into() };
        let taken = std::mem::take(&mut router);
        router = taken.route(&hook.path(handler), post(handle::<E>).with_state(route));
    };
    add(Hook::Discovery, "");
    for handler in &handlers {
        if let Some(hook) = Hook::find(handler.api_version(), handler.hook()) {
            add(hook, &handler.name);
        }
    }
    router
}

async fn handle<E: Extension>(State(route): State<Route<E>>, request: HttpRequest) -> HttpResponse {
    let Route { served, hook, handler } = route;
    let began = tokio::time::Instant::now();
    let patience = wait::patience(request.uri().query());
    let asked = served.ask(hook, &handler, request.into_body());
    let response = match tokio::time::timeout(patience, asked).await {
        Ok(response) => response,
        Err(_) => Failure::new(hook, format!("there was no answer within {} s", patience.as_secs_f64())).into(),
    };
    served.extension.answered(hook, &response, began.elapsed());
    write(&response)
}

impl<E: Extension> Served<E> {
    async fn ask(&self, hook: Hook, handler: &str, body: Body) -> Response {
        let read = match self.room.read(body).await {
            Ok(body) => Request::read(hook, &body.bytes).map_err(|error| with_causes(&error)),
            Err(error) => Err(with_causes(&error)),
        };
        match read {
            Ok(Request::Discovery(_)) => Response::Discovery(DiscoveryResponse::new(self.extension.handlers())),
            Ok(request) => self.extension.answer(handler, request).await,
            Err(message) => Failure::new(hook, message).into(),
        }
    }
}

fn write(response: &Response) -> HttpResponse {
    match serde_json::to_vec(response) {
        Ok(body) => ([(CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

#[cfg(test)]
mod tests;
