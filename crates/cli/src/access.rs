//! Reaching a running cluster, for every command that looks at one.

use anyhow::{Context, anyhow};
use headway_cluster::gather::live::{Access, AccessError, Cluster};
use tokio::runtime::{Builder, Runtime};

use crate::args::Connection;

/// One thread does: it waits for the network most of the time.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread().enable_all().build().context("cannot wait for the network")
}

/// A client for a command that reads recordings too.
pub(crate) async fn connect(args: &Connection) -> anyhow::Result<Cluster> {
    connect_or(args, "set KUBECONFIG, give --kubeconfig, or read a recording with --from").await
}

/// A client, or with a kubeconfig missing what can be done about that.
pub(crate) async fn connect_or(args: &Connection, way_out: &str) -> anyhow::Result<Cluster> {
    let access = Access {
        kubeconfig: args.kubeconfig.clone(),
        context: args.context.clone(),
        act_as: args.act_as.clone(),
        act_as_groups: args.act_as_groups.clone(),
        timeout: (!args.request_timeout.is_zero()).then_some(args.request_timeout),
    };
    Cluster::connect(&access).await.map_err(|error| match error {
        AccessError::NoKubeconfig => anyhow!("{error}; {way_out}"),
        AccessError::NoContext => anyhow!("{error}; choose one with --context"),
        AccessError::Unreadable { .. }
        | AccessError::NoSuchContext(_)
        | AccessError::Unusable(_)
        | AccessError::NoClient(_) => anyhow::Error::new(error),
    })
}
