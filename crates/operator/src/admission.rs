//! The role `admission`: the webhooks that judge writes of Clusters and ClusterClasses.
//!
//! It needs no lease: every replica answers, and reads what it must see when it must see it, so that nothing is judged
//! by what was true a while ago. Its certificate comes from a folder, or from a Secret that is made and renewed;
//! `bundle` tells the API server whom to trust.

mod bundle;
mod objects;
mod workload;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use headway_serve::admission;
use headway_serve::listen::Listener;
use headway_serve::tls::{Pem, Tls};
use kube::Client;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::info;

use crate::args::Args;
use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::secret::Secret;

use objects::Live;

/// How often files are looked at. The kubelet takes a minute to bring them.
const FILES: Duration = Duration::from_secs(10);

/// The file with the certificates that we are to be trusted by, in the folder of --admission-tls-dir.
const AUTHORITY_FILE: &str = "ca.crt";

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
    let configuration = args.admission_configuration.clone();
    let tls = match &args.admission_tls_dir {
        Some(folder) => {
            let pem = Pem::of_folder(folder)?;
            let tls = Tls::new(&pem, None).with_context(|| folder.display().to_string())?;
            working.spawn(tls.clone().follow(folder.clone(), pem, FILES));
            let folder = folder.clone();
            let authority = move || {
                let folder = folder.clone();
                async move { authority_of(&folder) }
            };
            working.spawn(bundle::keep(client.clone(), configuration, authority));
            tls
        }
        None => {
            let secret = || {
                let (name, service) = (&args.admission_secret, &args.admission_service);
                Secret::new(client.clone(), &args.namespace, name, service)
            };
            let pem = secret().read_patiently(&clock, stop.clone()).await?;
            let tls = Tls::new(&pem, None)?;
            working.spawn(secret().follow(tls.clone(), pem, clock));
            let secret = Arc::new(secret());
            let authority = move || {
                let secret = secret.clone();
                async move { secret.authority().await }
            };
            working.spawn(bundle::keep(client.clone(), configuration, authority));
            tls
        }
    };
    let mode = args.admission_mode.into();
    info!(address = listener.address().to_string(), mode = args.admission_mode.name(), "serving admission");
    metrics.admission_ready();
    let stopped = async move {
        // An error means that whoever would tell is gone: that is an end as well.
        let _ = stop.wait_for(|stop| *stop).await;
    };
    listener.serve(&tls, admission::router(Live::new(client), mode), stopped).await?;
    working.shutdown().await;
    Ok(())
}

fn authority_of(folder: &Path) -> anyhow::Result<Vec<u8>> {
    let file = folder.join(AUTHORITY_FILE);
    std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
}
