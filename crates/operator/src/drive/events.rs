//! Telling what happened as events, which `kubectl describe` shows beside the object.

use headway_api::upgrade::ClusterUpgrade;
use headway_core::drive::{Happening, Said, Tone};
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{Api, ObjectMeta, PostParams};
use kube::{Client, Resource};
use tracing::{info, warn};

use crate::clock::Clock;

/// As much of a note as the API server takes.
const NOTE: usize = 1_000;

/// Who tells.
const CONTROLLER: &str = "headway.dev/operator";

/// Where events go. kube's recorder would count those of one reason together and keep the words of the first: that the
/// second step begins would be told as the first one twice.
#[derive(Clone)]
pub(crate) struct Events {
    client: Client,
    identity: String,
    clock: Clock,
}

impl Events {
    pub(crate) fn new(client: Client, identity: &str, clock: Clock) -> Self {
        Self { client, identity: identity.to_owned(), clock }
    }

    /// Tells what happened to an upgrade. That an event cannot be written holds up nothing: the status says it too.
    pub(crate) async fn tell(&self, upgrade: &ClusterUpgrade, happenings: &[Happening]) {
        let (Some(namespace), Some(name)) = (&upgrade.metadata.namespace, &upgrade.metadata.name) else { return };
        let api: Api<Event> = Api::namespaced(self.client.clone(), namespace);
        for Happening { tone, reason, note } in happenings {
            info!(namespace, upgrade = name, reason, note, "an upgrade goes on");
            let event = Event {
                metadata: ObjectMeta { generate_name: Some(format!("{name}-")), ..ObjectMeta::default() },
                type_: Some(match tone {
                    Tone::Normal => "Normal".into(),
                    Tone::Warning => "Warning".into(),
                }),
                reason: Some(reason.clone()),
                note: Some(note.chars().take(NOTE).collect()),
                action: Some("Drive".into()),
                regarding: Some(upgrade.object_ref(&())),
                reporting_controller: Some(CONTROLLER.into()),
                reporting_instance: Some(self.identity.clone()),
                event_time: Some(MicroTime(self.clock.now())),
                ..Event::default()
            };
            if let Err(error) = api.create(&PostParams::default(), &event).await {
                warn!(namespace, upgrade = name, error = error.to_string(), "cannot write an event");
            }
        }
    }
}

/// What a hook came to, in a word.
pub(crate) fn word(said: &Said) -> &'static str {
    match said {
        Said::Go => "go",
        Said::Wait { .. } => "wait",
        Said::Failed { .. } => "failed",
    }
}
