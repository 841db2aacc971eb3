//! The nodes of a workload cluster, by the kubeconfig that Cluster API keeps in a Secret beside the Cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::Context;
use headway_core::fleet::Kubeconfig;
use k8s_openapi::api::core::v1::Node;
use kube::Client;
use kube::api::{Api, ListParams};

use crate::kubeconfig::{self, KubeconfigError};

/// As long as the API server waits for us; then nobody hears the answer.
const PATIENCE: Duration = Duration::from_secs(8);

const PAGE: u32 = 500;

/// The versions that the kubelets of nodes report.
pub(super) async fn kubelets(
    client: &Client,
    namespace: &str,
    cluster: &str,
    nodes: &BTreeSet<String>,
) -> anyhow::Result<BTreeMap<String, String>> {
    let kubeconfig = Kubeconfig::of_cluster(cluster);
    let workload = match kubeconfig::connect(client, namespace, &kubeconfig, PATIENCE).await {
        Err(error @ KubeconfigError::Forbidden(_)) => {
            return Err(error).context("the value roles.admission.workloadNodes of the chart lets us");
        }
        other => other?,
    };
    let api: Api<Node> = Api::all(workload.client().clone());
    let mut all = BTreeMap::new();
    let mut params = ListParams::default().limit(PAGE);
    loop {
        let page = api.list(&params).await.context("cannot list the nodes of the workload cluster")?;
        for node in page.items {
            let version = node.status.and_then(|status| status.node_info).map(|info| info.kubelet_version);
            if let (Some(name), Some(version)) = (node.metadata.name, version)
                && nodes.contains(&name)
            {
                all.insert(name, version);
            }
        }
        match page.metadata.continue_.filter(|next| !next.is_empty()) {
            Some(next) => params = params.continue_token(&next),
            None => return Ok(all),
        }
    }
}
