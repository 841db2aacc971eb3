//! `/healthz`, `/readyz` and `/metrics`.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::clock::Clock;
use crate::metrics::Metrics;

/// A keeper that has not turned its loop for so many seconds hangs.
const HANGS: i64 = 120;

#[derive(Clone)]
struct Probed {
    metrics: Arc<Metrics>,
    clock: Clock,
}

/// Serves until told to stop.
///
/// # Errors
/// The address cannot be listened on.
pub(crate) async fn serve(
    address: SocketAddr,
    metrics: Arc<Metrics>,
    clock: Clock,
    mut stop: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(address = listener.local_addr()?.to_string(), "serving health and metrics");
    let stopped = async move {
        // An error means that whoever would tell is gone: that is an end as well.
        let _ = stop.wait_for(|stop| *stop).await;
    };
    axum::serve(listener, router(metrics, clock)).with_graceful_shutdown(stopped).await?;
    Ok(())
}

fn router(metrics: Arc<Metrics>, clock: Clock) -> Router {
    Router::new()
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics_text))
        .with_state(Probed { metrics, clock })
}

async fn healthy(State(Probed { metrics, clock }): State<Probed>) -> Response {
    let silent = clock.now().as_second() - metrics.last_beat();
    if silent.abs() < HANGS {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, format!("the keeper has not been heard of for {silent} s\n")).into_response()
    }
}

async fn ready(State(Probed { metrics, .. }): State<Probed>) -> Response {
    if metrics.is_ready() {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not all sources have been read\n").into_response()
    }
}

async fn metrics_text(State(Probed { metrics, .. }): State<Probed>) -> Response {
    match metrics.text() {
        Ok(text) => {
            ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}
