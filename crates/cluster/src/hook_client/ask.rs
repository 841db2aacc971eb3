//! A lifecycle hook is asked of all who answer it (chained-upgrades.md, 4.2).

use std::num::NonZeroU32;
use std::time::Duration;

use bytes::Bytes;
use headway_api::hooks::{Cluster, Hook, LifecycleCall, LifecycleRequest, LifecycleResponse, Verdict};
use headway_api::meta::Labels;
use headway_core::hook::{CallFault, Fingerprint, Handler, Held, HookError, Outcome, Subject, hear, step_of};
use serde::Serialize;

use super::caller::Call;
use super::{HookClient, lock};

/// Which cluster a hook is about.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The Cluster, as it was read.
    pub cluster: &'a Cluster,
    /// The labels of its namespace, by which extensions are selected.
    pub namespace: &'a Labels,
}

impl HookClient {
    /// Asks a lifecycle hook. Where nobody answers it, nothing is held up.
    ///
    /// Handlers are asked one after another, in the order of their names, and the first error ends it. Once somebody
    /// asked for time, nobody is asked again about this step before it is over, unless the extensions change.
    ///
    /// # Errors
    ///
    /// When it is not known who is to be asked, or a handler fails. Then nothing may go on, and nothing is remembered:
    /// the next look asks again, at whatever pace the caller backs off.
    pub async fn ask(&self, about: About<'_>, call: &LifecycleCall) -> Result<Outcome, HookError> {
        let hook = Hook::Lifecycle(call.hook());
        let handlers = self.registry().matching(hook, about.namespace);
        let handlers = handlers.map_err(|cause| HookError::Lookup { hook, cause })?;
        let uid = about.cluster.object().uid().unwrap_or_default().to_owned();
        let subject = Subject { uid, hook, step: step_of(call), handlers: Fingerprint::of(&handlers) };
        if let Some(Held { seconds, message }) = lock(&self.holds).held(&subject, self.now()) {
            let asked = i32::try_from(NonZeroU32::get(seconds)).unwrap_or(i32::MAX);
            return Ok(Outcome { verdict: Verdict::Wait { seconds, asked, message }, notes: Vec::new() });
        }
        let mut heard = Vec::new();
        for handler in handlers {
            let answer = self.answer(&handler, about.cluster, call).await;
            let answer = hear(&handler, hook, answer)?;
            heard.push((handler, answer));
        }
        let outcome = Outcome::of(heard);
        // Without a uid it cannot be told from another one, so nothing is remembered.
        if !subject.uid.is_empty() {
            // The time begins when it was asked for, which may be long after the question.
            lock(&self.holds).record(&subject, &outcome.verdict, self.now());
        }
        Ok(outcome)
    }

    async fn answer(&self, handler: &Handler, cluster: &Cluster, call: &LifecycleCall) -> Result<Verdict, CallFault> {
        let request = LifecycleRequest {
            settings: handler.config.spec.settings.clone(),
            cluster: Cluster::new(cluster.object().clone().to_be_sent()),
            call: call.clone(),
        };
        let answer = self.send(handler, body(&request)?).await?;
        Ok(LifecycleResponse::read(call.hook(), &answer)?.verdict()?)
    }

    /// Sends a request to a handler.
    pub(super) async fn send(&self, handler: &Handler, body: Vec<u8>) -> Result<Bytes, CallFault> {
        let registered = &handler.registered;
        let patience = Duration::from_secs(registered.timeout_seconds.into());
        let call = Call { config: &handler.config, hook: registered.hook, handler: &registered.name, patience, body };
        self.caller.call(call).await
    }
}

/// A request as it is sent.
pub(super) fn body(request: &impl Serialize) -> Result<Vec<u8>, CallFault> {
    serde_json::to_vec(request)
        .map_err(|cause| CallFault::ClientConfig(format!("the request cannot be written: {cause}")))
}
