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

use crate::args::Role;
use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::stop;

/// A keeper that has not turned its loop for so many seconds hangs.
const HANGS: i64 = 120;

/// What the probes look at.
#[derive(Clone)]
pub(crate) struct Probed {
    pub(crate) roles: Vec<Role>,
    /// Whether the status of each cluster that is kept is kept too.
    pub(crate) keeps_fleet: bool,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
}

/// Serves until told to stop.
///
/// # Errors
/// The address cannot be listened on.
pub(crate) async fn serve(address: SocketAddr, probed: Probed, mut stop: watch::Receiver<bool>) -> anyhow::Result<()> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(address = listener.local_addr()?.to_string(), "serving health and metrics");
    let stopped = async move { stop::told(&mut stop).await };
    axum::serve(listener, router(probed)).with_graceful_shutdown(stopped).await?;
    Ok(())
}

fn router(probed: Probed) -> Router {
    Router::new()
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics_text))
        .with_state(probed)
}

async fn healthy(State(Probed { roles, metrics, clock, .. }): State<Probed>) -> Response {
    let status = roles.contains(&Role::Status).then(|| metrics.last_beat());
    let beats = [status, metrics.fleet().last_beat(), metrics.drive().last_beat()];
    // Where nobody keeps anything, nothing hangs.
    let Some(beat) = beats.into_iter().flatten().min() else { return (StatusCode::OK, "ok\n").into_response() };
    let silent = clock.now().as_second() - beat;
    if silent.abs() < HANGS {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, format!("the keeper has not been heard of for {silent} s\n")).into_response()
    }
}

async fn ready(State(Probed { roles, keeps_fleet, metrics, .. }): State<Probed>) -> Response {
    let waits = |role: &Role| match role {
        Role::Status if !metrics.is_ready() => Some("not all sources have been read\n"),
        Role::Status => {
            let waits = keeps_fleet && !metrics.fleet().is_ready();
            waits.then_some("not all kinds of a management cluster have been read\n")
        }
        Role::Drive => (!metrics.drive().is_ready()).then_some("not all that upgrades need has been read\n"),
        Role::Admission => (!metrics.is_admission_ready()).then_some("there is no certificate to show yet\n"),
        Role::Hooks => (!metrics.are_hooks_ready()).then_some("there is no certificate to show yet\n"),
    };
    match roles.iter().find_map(waits) {
        None => (StatusCode::OK, "ok\n").into_response(),
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, reason).into_response(),
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
