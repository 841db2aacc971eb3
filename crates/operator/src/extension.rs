//! The role `hooks`: the runtime extension that Cluster API asks.
//!
//! It needs no lease: every replica answers, from what `known` keeps up to date. Its certificate comes from a folder, or
//! from a Secret that is made and renewed.

mod known;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use headway_api::hooks::{Failure, Handler, Hook, Request, Response};
use headway_api::quoted::with_causes;
use headway_core::extension::{self, Known};
use headway_serve::hooks::{self, Extension};
use headway_serve::listen::Listener;
use kube::Client;
use tokio::sync::watch;
use tracing::info;

use crate::args::Args;
use crate::clock::Clock;
use crate::identity::Identity;
use crate::metrics::Metrics;
use crate::secret::Secret;
use crate::stop;

/// Answers from what is known.
struct Answering {
    known: watch::Receiver<Arc<Known>>,
    metrics: Arc<Metrics>,
}

impl Extension for Answering {
    fn handlers(&self) -> Vec<Handler> {
        extension::handlers()
    }

    async fn answer(&self, _handler: &str, request: Request) -> Response {
        let known = self.known.borrow().clone();
        match request {
            Request::GenerateUpgradePlan(request) => match extension::upgrade_plan(&request, &known) {
                Ok(response) => Response::GenerateUpgradePlan(response),
                Err(refusal) => {
                    let cluster = request.cluster.object();
                    let (namespace, name) =
                        (cluster.namespace().unwrap_or_default(), cluster.name().unwrap_or_default());
                    let reason = with_causes(&refusal);
                    info!(namespace, name, reason, "there is no upgrade plan");
                    Failure::new(Hook::GenerateUpgradePlan, reason).into()
                }
            },
            Request::Lifecycle(request) => Response::Lifecycle(extension::gate(&request)),
            Request::Discovery(_)
            | Request::CanUpdateMachine(_)
            | Request::CanUpdateMachineSet(_)
            | Request::UpdateMachine(_) => Failure::new(request.hook(), "this extension does not serve it").into(),
        }
    }

    fn answered(&self, hook: Hook, response: &Response, took: Duration) {
        self.metrics.answered(hook, response.status(), took);
    }
}

/// Serves until told to stop.
///
/// # Errors
///
/// The address cannot be listened on, there is no certificate to show, or the catalogue cannot be read.
pub(crate) async fn serve(
    args: Arc<Args>,
    client: Client,
    clock: Clock,
    metrics: Arc<Metrics>,
    mut stop: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let listener = Listener::bind(args.hooks_listen)?;
    let clients = args.hooks_client_ca_file.as_ref().map(|file| {
        std::fs::read(file).with_context(|| format!("cannot read {} of --hooks-client-ca-file", file.display()))
    });
    let clients = clients.transpose()?;
    let (learned, known) = watch::channel(Arc::new(Known::default()));
    let mut working = known::keep(&args, &client, learned)?;
    let secret = Secret::new(client, &args.namespace, &args.hooks_secret, &args.hooks_service);
    let identity = Identity::new(args.hooks_tls_dir.as_deref(), secret);
    let tls = identity.show(clients.as_deref(), clock, stop.clone(), &mut working).await?;
    info!(address = listener.address().to_string(), "serving hooks");
    metrics.hooks_ready();
    let answering = Answering { known, metrics };
    let stopped = async move { stop::told(&mut stop).await };
    listener.serve(&tls, hooks::router(Arc::new(answering)), stopped).await?;
    working.shutdown().await;
    Ok(())
}
