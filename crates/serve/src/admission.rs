//! The admission webhooks: reads what an API server is about to store, has `core::admission` judge it, and answers.
//!
//! What the judge must see is read through [`Objects`]. What cannot be read in time is told to the judge as that, and
//! never left out: see [`Mode`] for what becomes of it.

mod answer;
mod look;
mod objects;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request as HttpRequest, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::post;
use headway_api::admission::{Request, Response};
use headway_api::quoted::with_causes;
use headway_core::admission::Mode;
use tokio::time::{Instant, timeout_at};

pub use objects::{Objects, Reference, Selection, Unreadable};

/// Where Clusters are judged.
pub const VALIDATE_CLUSTER: &str = "/validate-cluster";

/// Where ClusterClasses are judged.
pub const VALIDATE_CLUSTER_CLASS: &str = "/validate-clusterclass";

/// Where Clusters are given what they lack.
pub const MUTATE_CLUSTER: &str = "/mutate-cluster";

/// The largest body that is read. An object has at most some 2 MiB, and an update brings two.
const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

/// How long a body, and all that must be read of a cluster for it, may take. Our configurations let an API server wait
/// ten seconds.
const PATIENCE: Duration = Duration::from_secs(8);

/// What the handlers share.
struct Desk<O> {
    objects: O,
    mode: Mode,
}

/// The routes of the webhooks.
pub fn router<O: Objects>(objects: O, mode: Mode) -> Router {
    let desk = Arc::new(Desk { objects, mode });
    Router::new()
        .route(VALIDATE_CLUSTER, post(validate_cluster::<O>))
        .route(VALIDATE_CLUSTER_CLASS, post(validate_cluster_class::<O>))
        .route(MUTATE_CLUSTER, post(mutate_cluster))
        .with_state(desk)
}

async fn validate_cluster<O: Objects>(State(desk): State<Arc<Desk<O>>>, request: HttpRequest) -> HttpResponse {
    let deadline = Instant::now() + PATIENCE;
    match read(request, deadline).await {
        Ok(review) => write(&answer::to_cluster(&desk.objects, desk.mode, &review, deadline).await),
        Err(refusal) => refusal,
    }
}

async fn validate_cluster_class<O: Objects>(State(desk): State<Arc<Desk<O>>>, request: HttpRequest) -> HttpResponse {
    let deadline = Instant::now() + PATIENCE;
    match read(request, deadline).await {
        Ok(review) => write(&answer::to_cluster_class(&desk.objects, desk.mode, &review, deadline).await),
        Err(refusal) => refusal,
    }
}

async fn mutate_cluster(request: HttpRequest) -> HttpResponse {
    match read(request, Instant::now() + PATIENCE).await {
        Ok(review) => write(&answer::with_additions(&review)),
        Err(refusal) => refusal,
    }
}

/// Reads a review; what is none is answered with an error of HTTP, for there is no request to answer to.
async fn read(request: HttpRequest, deadline: Instant) -> Result<Request, HttpResponse> {
    let body = match timeout_at(deadline, to_bytes(request.into_body(), MAX_BODY_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(error)) => return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, &error)),
        Err(_) => return Err((StatusCode::REQUEST_TIMEOUT, "the body did not come in time\n").into_response()),
    };
    Request::read(&body).map_err(|error| refused(StatusCode::BAD_REQUEST, &error))
}

fn refused(code: StatusCode, error: &(dyn Error + 'static)) -> HttpResponse {
    (code, format!("{}\n", with_causes(error))).into_response()
}

fn write(response: &Response) -> HttpResponse {
    ([(CONTENT_TYPE, "application/json")], response.write()).into_response()
}

#[cfg(test)]
mod tests;
