//! The ConfigMaps that the test extension is told by: read for each call, and written with what was answered.

use std::time::Duration;

use anyhow::{Context, anyhow};
use headway_cluster::gather::live::Cluster;
use headway_core::extension::rehearsal::{Answer, Script};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ObjectMeta, Patch, PatchParams, PostParams};
use serde_json::json;

/// How long a call may take with the API server: Cluster API waits for ten seconds, and what it is answered then should
/// be why.
const PATIENCE: Duration = Duration::from_secs(8);

/// The status of what is there already.
const CONFLICT: u16 = 409;

/// Where scripts are.
pub(super) struct Scripts {
    client: kube::Client,
    server: String,
    patience: Duration,
}

impl Scripts {
    /// Those of a cluster. A time of 0 is the usual patience, and no time is longer.
    pub(super) fn new(cluster: &Cluster, time: Duration) -> Self {
        let patience = if time.is_zero() { PATIENCE } else { time.min(PATIENCE) };
        Self { client: cluster.client().clone(), server: cluster.server().to_owned(), patience }
    }

    /// What a script says, once it is recorded.
    ///
    /// Guarantees: an answer that could not be recorded is not given, so that whoever reads the ConfigMap knows of every
    /// answer but failures. A ConfigMap that is not there is made.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written, or not in time.
    pub(super) async fn answer(&self, script: &Script<'_>) -> anyhow::Result<Answer> {
        let answered = tokio::time::timeout(self.patience, self.read_and_record(script)).await;
        answered.unwrap_or_else(|_| {
            let Self { client: _, server, patience } = self;
            Err(anyhow!(
                "the API server {server} did not answer about ConfigMap {script} within {}s",
                patience.as_secs_f64()
            ))
        })
    }

    async fn read_and_record(&self, script: &Script<'_>) -> anyhow::Result<Answer> {
        let api: Api<ConfigMap> = Api::namespaced(self.client.clone(), script.namespace);
        let found = api.get_opt(&script.name).await;
        let found =
            found.map_err(|error| self.told(error)).with_context(|| format!("cannot read ConfigMap {script}"))?;
        let is_there = found.is_some();
        let answer = script.answer(&found.and_then(|found| found.data).unwrap_or_default());
        let written =
            if is_there { self.patch(&api, script, &answer).await } else { self.create(&api, script, &answer).await };
        written.map_err(|error| self.told(error)).with_context(|| format!("cannot write ConfigMap {script}"))?;
        Ok(answer)
    }

    async fn create(&self, api: &Api<ConfigMap>, script: &Script<'_>, answer: &Answer) -> kube::Result<ConfigMap> {
        let labels =
            [("app.kubernetes.io/part-of", "headway"), ("app.kubernetes.io/managed-by", "headway-extension-test")];
        let labels = labels.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let metadata = ObjectMeta { name: Some(script.name.clone()), labels: Some(labels), ..ObjectMeta::default() };
        let new = ConfigMap { metadata, data: Some(answer.record.clone()), ..ConfigMap::default() };
        match api.create(&PostParams::default(), &new).await {
            // Another call of the cluster was faster.
            Err(kube::Error::Api(status)) if status.code == CONFLICT => self.patch(api, script, answer).await,
            done => done,
        }
    }

    /// Writes what was answered and nothing else: a person may be changing the rest.
    async fn patch(&self, api: &Api<ConfigMap>, script: &Script<'_>, answer: &Answer) -> kube::Result<ConfigMap> {
        let change = Patch::Merge(json!({"data": answer.record}));
        api.patch(&script.name, &PatchParams::default(), &change).await
    }

    /// The server's words, or why there are none.
    fn told(&self, error: kube::Error) -> anyhow::Error {
        match error {
            kube::Error::Api(status) => anyhow!("{}", status.message),
            other => {
                anyhow!("the API server {} cannot be asked: {}", self.server, anyhow::Error::new(other).root_cause())
            }
        }
    }
}
