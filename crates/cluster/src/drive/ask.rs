//! Asking extensions on the way: lifecycle hooks, and the plan.

use headway_api::hooks::{Cluster, LifecycleCall, Object, Verdict};
use headway_api::meta::Labels;
use headway_api::plan::Plan;
use headway_api::quoted::with_causes;
use headway_api::upgrade::ClusterUpgrade;
use headway_core::drive::{Refusal, Said, cluster_of};
use headway_core::plan::{self, Extension, ExtensionError, PlanError, Situation, Source};
use jiff::SignedDuration;
use kube::api::{Api, ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use serde_json::Value;

use super::{Driver, Remembered, Sight, pause};
use crate::hook_client::About;

/// The versions of Cluster API's own kinds, the newest first.
const VERSIONS: [&str; 2] = ["v1beta2", "v1beta1"];

impl Sight<'_> {
    /// The labels of the namespace, by which extensions are selected; `None` where it was not seen.
    pub(super) fn namespace_labels(&self, upgrade: &ClusterUpgrade) -> Option<Labels> {
        let name = upgrade.metadata.namespace.as_deref().unwrap_or_default();
        let namespace = self.inventory.namespaces.iter().find(|namespace| namespace.metadata.name == name);
        namespace.map(|namespace| namespace.metadata.labels.clone())
    }
}

impl Driver {
    /// Asks a hook, and takes note of what is said.
    pub(super) async fn ask(
        &self,
        sight: &Sight<'_>,
        upgrade: &ClusterUpgrade,
        call: &LifecycleCall,
        remembered: &mut Remembered,
    ) -> Said {
        let answer = self.answer(sight, upgrade, call).await;
        // The time begins when it was asked for, which may be long after the question.
        let now = (self.clock)();
        let later = |seconds: SignedDuration| now.saturating_add(seconds).unwrap_or(now);
        let said = match answer {
            Ok(Verdict::Go { message: _ }) => Said::Go,
            Ok(Verdict::Wait { seconds, asked: _, message }) => {
                let until = later(SignedDuration::from_secs(seconds.get().into()));
                Said::Wait { since: now, until, message }
            }
            Err(message) => {
                let times = remembered.failures.entry(call.hook()).or_default();
                let until = later(pause(*times));
                *times += 1;
                Said::Failed { since: now, until, message }
            }
        };
        if !matches!(said, Said::Failed { .. }) {
            remembered.failures.remove(&call.hook());
        }
        remembered.answers.hear(call, said.clone());
        said
    }

    async fn answer(
        &self,
        sight: &Sight<'_>,
        upgrade: &ClusterUpgrade,
        call: &LifecycleCall,
    ) -> Result<Verdict, String> {
        let cluster = self.cluster(sight, upgrade).await?;
        let namespace = namespace(sight, upgrade)?;
        let about = About { cluster: &cluster, namespace: &namespace };
        let outcome = self.hooks.ask(about, call).await.map_err(|error| with_causes(&error))?;
        Ok(outcome.verdict)
    }

    /// Asks the extension of this name for the plan.
    pub(super) async fn ask_for_plan(
        &self,
        sight: &Sight<'_>,
        upgrade: &ClusterUpgrade,
        name: &str,
        situation: &Situation,
    ) -> Result<Plan, PlanError> {
        let failed = |why: String| {
            let answer = Err(ExtensionError::Failed(why));
            plan::plan(situation, &Source::Extension(Extension { name: name.to_owned(), answer }))
        };
        if situation.question().is_none() {
            return plan::plan(situation, &Source::OneMinor);
        }
        let cluster = match self.cluster(sight, upgrade).await {
            Ok(cluster) => cluster,
            Err(why) => return failed(why),
        };
        match namespace(sight, upgrade) {
            Ok(namespace) => self.hooks.plan(name, About { cluster: &cluster, namespace: &namespace }, situation).await,
            Err(why) => failed(why),
        }
    }

    /// The whole Cluster, which extensions are sent.
    async fn cluster(&self, sight: &Sight<'_>, upgrade: &ClusterUpgrade) -> Result<Cluster, String> {
        let seen = cluster_of(sight.inventory, upgrade).map_err(|error: Refusal| error.to_string())?;
        let (namespace, name) = (&seen.metadata.namespace, &seen.metadata.name);
        for version in VERSIONS {
            let kind = GroupVersionKind::gvk(headway_api::cluster_api::GROUP, version, "Cluster");
            let resource = ApiResource::from_gvk_with_plural(&kind, "clusters");
            let api: Api<DynamicObject> = Api::namespaced_with(self.client.clone(), namespace, &resource);
            let object = match api.get(name).await {
                Ok(object) => object,
                // It may be served in the older version only.
                Err(kube::Error::Api(status)) if status.code == 404 => continue,
                Err(error) => return Err(format!("cannot read the Cluster {name}: {}", with_causes(&error))),
            };
            return match serde_json::to_value(object) {
                Ok(Value::Object(fields)) => Ok(Cluster::new(Object::new(fields))),
                Ok(_) | Err(_) => Err(format!("the Cluster {name} cannot be written as JSON")),
            };
        }
        Err(format!("the Cluster {name} is not served"))
    }
}

/// The labels of the namespace: without them it cannot be told who is to be asked.
fn namespace(sight: &Sight<'_>, upgrade: &ClusterUpgrade) -> Result<Labels, String> {
    let name = upgrade.metadata.namespace.as_deref().unwrap_or_default();
    sight.namespace_labels(upgrade).ok_or_else(|| {
        format!("the labels of the namespace {name} were not seen, so that it cannot be told which extensions to ask")
    })
}
