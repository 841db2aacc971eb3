//! `headway status` of a running cluster: who asks which server, and what came of it.

use anyhow::{Context, anyhow};
use headway_api::report::ClockSource;
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Access, AccessError, Cluster, Prometheus};
use headway_core::snapshot::{Moment, Snapshot};
use tokio::runtime::{Builder, Runtime};

use crate::args::{Live, Status};
use crate::clock;
use crate::failure::Failure;

/// Looks at the cluster once.
pub(super) fn snapshot(args: &Status, limits: &Limits) -> Result<Snapshot, Failure> {
    let now = clock::now();
    let gathered = runtime()?.block_on(async {
        let cluster = connect(&args.live).await?;
        live::list(&cluster, &prometheus(&args.live), limits, now).await.map_err(anyhow::Error::new)
    })?;
    let moment = match args.at {
        Some(at) => Moment { at, source: ClockSource::Given },
        None => Moment { at: now, source: ClockSource::Now },
    };
    Ok(Snapshot { moment, ..gathered.snapshot })
}

/// One thread does: it waits for the network most of the time.
pub(super) fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread().enable_all().build().context("cannot wait for the network")
}

pub(super) async fn connect(args: &Live) -> anyhow::Result<Cluster> {
    let access = Access {
        kubeconfig: args.kubeconfig.clone(),
        context: args.context.clone(),
        act_as: args.act_as.clone(),
        act_as_groups: args.act_as_groups.clone(),
        timeout: (!args.request_timeout.is_zero()).then_some(args.request_timeout),
    };
    Cluster::connect(&access).await.map_err(|error| match error {
        AccessError::NoKubeconfig => {
            anyhow!("{error}; set KUBECONFIG, give --kubeconfig, or read a recording with --from")
        }
        AccessError::NoContext => anyhow!("{error}; choose one with --context"),
        AccessError::Unreadable { .. }
        | AccessError::NoSuchContext(_)
        | AccessError::Unusable(_)
        | AccessError::NoClient(_) => anyhow::Error::new(error),
    })
}

pub(super) fn prometheus(args: &Live) -> Prometheus {
    Prometheus {
        url: args.prometheus.clone(),
        token_file: args.prometheus_token_file.clone(),
        ca_file: args.prometheus_ca_file.clone(),
    }
}
