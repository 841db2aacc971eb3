//! The nodes of a workload cluster, by the kubeconfig that Cluster API keeps in a Secret beside the Cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context, bail};
use k8s_openapi::api::core::v1::{Node, Secret};
use kube::api::{Api, ListParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

/// The key of the Secret, and how its name ends.
const KEY: &str = "value";
const SUFFIX: &str = "-kubeconfig";

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
    let name = format!("{cluster}{SUFFIX}");
    let secrets: Api<Secret> = Api::namespaced(client.clone(), namespace);
    let secret = secrets.get(&name).await.with_context(|| {
        format!("cannot read Secret {namespace}/{name} (the value roles.admission.workloadNodes of the chart lets us)")
    })?;
    let data = secret.data.and_then(|mut data| data.remove(KEY));
    let text = data.and_then(|data| String::from_utf8(data.0).ok());
    let text = text.with_context(|| format!("Secret {namespace}/{name} has no text {KEY}"))?;
    let workload = connect(&text).await.with_context(|| format!("the kubeconfig in Secret {namespace}/{name}"))?;
    let api: Api<Node> = Api::all(workload);
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

/// Whoever may write the Secret must not make us run programs or read our own files: only what the text itself holds
/// is used.
async fn connect(text: &str) -> anyhow::Result<Client> {
    let kubeconfig = Kubeconfig::from_yaml(text)?;
    for user in kubeconfig.auth_infos.iter().filter_map(|user| user.auth_info.as_ref()) {
        let runs = user.exec.is_some() || user.auth_provider.is_some();
        let reads = user.token_file.is_some() || user.client_certificate.is_some() || user.client_key.is_some();
        if runs || reads {
            bail!("it names a program or a file, and only data is used");
        }
    }
    for cluster in kubeconfig.clusters.iter().filter_map(|cluster| cluster.cluster.as_ref()) {
        if cluster.certificate_authority.is_some() {
            bail!("it names a file, and only data is used");
        }
    }
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    config.connect_timeout = Some(PATIENCE);
    config.read_timeout = Some(PATIENCE);
    Ok(Client::try_from(config)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_data_of_a_kubeconfig_is_used() {
        let check = async |user: &str, cluster: &str, words: &str| {
            let text = format!(
                "{{apiVersion: v1, kind: Config, current-context: a, contexts: [{{name: a, context: {{cluster: a, user: a}}}}],
                clusters: [{{name: a, cluster: {{server: 'https://127.0.0.1:9'{cluster}}}}}],
                users: [{{name: a, user: {{{user}}}}}]}}"
            );
            let told = connect(&text).await.map_or_else(|error| format!("{error:#}"), |_| "fine".into());
            assert!(told.contains(words), "{user} {cluster}: {told}");
        };
        check("token: a", "", "fine").await;
        check("exec: {apiVersion: client.authentication.k8s.io/v1, command: touch}", "", "a program or a file").await;
        check("tokenFile: /etc/passwd", "", "a program or a file").await;
        check("client-certificate: /etc/passwd", "", "a program or a file").await;
        check("client-key: /etc/passwd", "", "a program or a file").await;
        check("auth-provider: {name: gcp, config: {}}", "", "a program or a file").await;
        check("token: a", ", certificate-authority: /etc/passwd", "a file").await;
        assert!(connect("nonsense: [").await.is_err());
    }
}
