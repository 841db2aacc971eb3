//! The role `admission`: the webhooks that judge writes of Clusters and ClusterClasses.
//!
//! It needs no lease: every replica answers, and reads what it must see when it must see it, so that nothing is judged
//! by what was true a while ago. Its certificate comes from a folder, or from a Secret that is made and renewed;
//! `bundle` tells the API server whom to trust.

mod bundle;
mod objects;
mod workload;

use std::sync::Arc;

use headway_serve::admission;
use headway_serve::listen::Listener;
use kube::Client;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::info;

use crate::args::Args;
use crate::clock::Clock;
use crate::identity::Identity;
use crate::metrics::Metrics;
use crate::secret::Secret;
use crate::stop;

use objects::Live;

/// Serves until told to stop.
///
/// # Errors
///
/// The address cannot be listened on, or there is no certificate to show.
pub(crate) async fn serve(
    args: Arc<Args>,
    client: Client,
    clock: Clock,
    metrics: Arc<Metrics>,
    mut stop: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let listener = Listener::bind(args.admission_listen)?;
    let mut working = JoinSet::new();
    let secret = Secret::new(client.clone(), &args.namespace, &args.admission_secret, &args.admission_service);
    let identity = Identity::new(args.admission_tls_dir.as_deref(), secret);
    let tls = identity.show(None, clock, stop.clone(), &mut working).await?;
    working.spawn(bundle::keep(client.clone(), args.admission_configuration.clone(), identity));
    let mode = args.admission_mode.into();
    info!(address = listener.address().to_string(), mode = args.admission_mode.name(), "serving admission");
    metrics.admission_ready();
    let stopped = async move { stop::told(&mut stop).await };
    listener.serve(&tls, admission::router(Live::new(client), mode), stopped).await?;
    working.shutdown().await;
    Ok(())
}
