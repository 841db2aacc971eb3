//! Telling what happened as events, which `kubectl describe` shows beside the object.

use headway_api::upgrade::ClusterUpgrade;
use headway_core::drive::{Happening, Said, Tone};
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::{Client, Resource};
use tracing::{info, warn};

/// As much of a note as the API server takes.
const NOTE: usize = 1_000;

/// Where events go.
#[derive(Clone)]
pub(crate) struct Events(Recorder);

impl Events {
    pub(crate) fn new(client: Client, identity: &str) -> Self {
        let reporter = Reporter { controller: "headway-operator".into(), instance: Some(identity.to_owned()) };
        Self(Recorder::new(client, reporter))
    }

    /// Tells what happened to an upgrade. That an event cannot be written holds up nothing: the status says it too.
    pub(crate) async fn tell(&self, upgrade: &ClusterUpgrade, happenings: &[Happening]) {
        let reference = upgrade.object_ref(&());
        let (namespace, name) = (&upgrade.metadata.namespace, &upgrade.metadata.name);
        for Happening { tone, reason, note } in happenings {
            info!(namespace, upgrade = name, reason, note, "an upgrade goes on");
            let event = Event {
                type_: match tone {
                    Tone::Normal => EventType::Normal,
                    Tone::Warning => EventType::Warning,
                },
                reason: reason.clone(),
                note: Some(note.chars().take(NOTE).collect()),
                action: "Drive".into(),
                secondary: None,
            };
            if let Err(error) = self.0.publish(&event, &reference).await {
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
