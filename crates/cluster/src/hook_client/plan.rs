//! An extension is asked for the plan of an upgrade (chained-upgrades.md, 2.4).

use headway_api::hooks::{
    ClassRef, Cluster, GenerateUpgradePlanRequest, GenerateUpgradePlanResponse, Hook, UpgradeStep,
};
use headway_api::plan::Plan;
use headway_api::quoted::with_causes;
use headway_core::hook::{CallFault, Fingerprint, Handler, PlanQuestion};
use headway_core::plan::{Answer, Extension, ExtensionError, PlanError, Question, Situation, Source, plan};

use super::ask::{About, body};
use super::{HookClient, lock};

impl HookClient {
    /// Makes the plan of what the handler `name` answers. An answer is kept for ten minutes for the same question,
    /// unless it is not a plan; `failurePolicy` counts for nothing here, since no answer is no plan.
    ///
    /// # Errors
    ///
    /// With the rule that is broken: X2 when there is no answer, with the reason.
    pub async fn plan(&self, name: &str, about: About<'_>, situation: &Situation) -> Result<Plan, PlanError> {
        let extension = |answer| Extension { name: name.to_owned(), answer };
        let failed = |why: String| Source::Extension(extension(Err(ExtensionError::Failed(why))));
        let Some(question) = situation.question() else {
            // Nothing is left to ask: the source is not looked at.
            return plan(situation, &Source::OneMinor);
        };
        let handler = self.registry().named(name, Hook::GenerateUpgradePlan, about.namespace);
        let handler = match handler {
            Ok(handler) => handler,
            Err(error) => return plan(situation, &failed(with_causes(&error))),
        };
        let uid = about.cluster.object().uid().unwrap_or_default();
        let class = about.cluster.class().map(class).unwrap_or_default();
        let key = PlanQuestion::new(uid, &class, Fingerprint::of(std::slice::from_ref(&handler)), &question);
        if let Some(answer) = lock(&self.plans).known(&key, self.now()) {
            return plan(situation, &Source::Extension(extension(Ok(answer))));
        }
        let answer = self.proposal(&handler, about.cluster, &question).await;
        let answer = answer.map_err(|fault| ExtensionError::Failed(with_causes(&fault)));
        let extension = extension(answer);
        if uid.is_empty() {
            return plan(situation, &Source::Extension(extension));
        }
        lock(&self.plans).settle(key, situation, extension, self.now())
    }

    async fn proposal(
        &self,
        handler: &Handler,
        cluster: &Cluster,
        question: &Question<'_>,
    ) -> Result<Answer, CallFault> {
        let Question { from_control_plane, from_workers, to } = question;
        let request = GenerateUpgradePlanRequest {
            settings: handler.config.spec.settings.clone(),
            cluster: Cluster::new(cluster.object().clone().to_be_sent()),
            from_control_plane_kubernetes_version: from_control_plane.to_string(),
            from_workers_kubernetes_version: from_workers.map(ToString::to_string),
            to_kubernetes_version: to.to_string(),
        };
        let answer = self.send(handler, body(&request)?).await?;
        let response = GenerateUpgradePlanResponse::read(&answer)?;
        let (control_plane, workers) = response.upgrades()?;
        let texts = |steps: &[UpgradeStep]| steps.iter().map(|step| step.version.clone()).collect();
        Ok(Answer { control_plane: texts(control_plane), workers: texts(workers) })
    }
}

fn class(class: ClassRef<'_>) -> String {
    let ClassRef { namespace, name } = class;
    format!("{}/{name}", namespace.unwrap_or_default())
}
