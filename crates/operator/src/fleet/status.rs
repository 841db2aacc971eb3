//! The status of one cluster of a fleet, packed: a thousand of them are kept, and hardly any is looked at.

use headway_api::report::{Condition, Form, Truth};
use headway_api::update::kind;
use headway_api::update::status::Status;
use headway_core::fleet::{Informer, Key, Owner, Sight};
use headway_core::memory::Memory;
use headway_core::pace::{Change, Limits};
use headway_core::publish::{self, Level, Source, Writer};
use jiff::{SignedDuration, Timestamp};
use kube::core::ApiResource;
use serde_json::{Value, json};

use crate::kept::Content;
use crate::rendering::{RENDERER, degraded};

/// When the statuses of a fleet are written. What a single cluster's has confirmed every five minutes would be three
/// writes a second of a thousand, by which nobody learns anything.
pub(super) const LIMITS: Limits = Limits {
    settle: SignedDuration::from_secs(1),
    active: SignedDuration::from_secs(5),
    health: SignedDuration::from_secs(2),
    idle: SignedDuration::from_secs(60),
    confirm: SignedDuration::from_hours(1),
};

/// A status as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    json: Box<str>,
}

impl Packed {
    /// The status; what cannot be read is as if it were not there: it will be written anew.
    pub(super) fn status(&self) -> Option<Status> {
        serde_json::from_str(&self.json).ok()
    }

    /// As JSON.
    pub(super) fn value(&self) -> Result<Value, serde_json::Error> {
        serde_json::from_str(&self.json)
    }

    fn pack(status: &Status) -> Result<Self, serde_json::Error> {
        Ok(Self { json: serde_json::to_string(status)?.into() })
    }

    /// What was read back from the API server.
    pub(super) fn of_value(status: &Value) -> Self {
        Self { json: status.to_string().into() }
    }
}

impl Content for Packed {
    fn change_from(&self, written: &Self) -> Change {
        match (self.status(), written.status()) {
            (Some(new), Some(old)) => publish::change(&new, &old),
            (Some(_) | None, None) | (None, Some(_)) => Change::Health,
        }
    }

    fn observed_at(&self) -> Option<Timestamp> {
        self.status()?.observed.map(|observed| observed.at)
    }
}

/// Renders what was seen of a cluster. `past` is what was written last.
///
/// # Errors
/// What cannot be told as JSON.
pub(super) fn render(
    sight: &Sight,
    memory: &Memory,
    informers: &[Informer],
    past: Option<&Packed>,
    floor: Level,
) -> Result<Packed, serde_json::Error> {
    let form = sight.report.cluster.form;
    let of_form = informers.iter().filter(|informer| informer.source.is_of(form));
    let writer = Writer {
        renderer: RENDERER,
        generation: 1,
        available: Condition { status: Truth::True, reason: "AsExpected".into(), message: String::new(), since: None },
        degraded: degraded(of_form, |source| !source.is_detail()),
        informers: &[],
    };
    let past = past.and_then(Packed::status);
    let source = Source { report: &sight.report, memory, writer: &writer, past: past.as_ref() };
    Packed::pack(&publish::status(source, floor).status)
}

/// The kind of the status of clusters of a form.
pub(super) fn resource(form: Form) -> ApiResource {
    match form {
        Form::Hosted => ApiResource::erase::<kind::HostedClusterUpdateStatus>(&()),
        Form::ClusterApi | Form::Standalone | Form::Unknown => ApiResource::erase::<kind::ClusterUpdateStatus>(&()),
    }
}

/// Name, labels and owner of the status of a cluster. The owner is no controller of it, and its going waits for nothing
/// of ours.
pub(super) fn metadata(key: &Key, owner: &Owner) -> Value {
    let mut metadata = json!({
        "name": key.name,
        "namespace": key.namespace,
        "labels": { "app.kubernetes.io/managed-by": "headway-operator" },
    });
    if !owner.uid.is_empty() {
        metadata["ownerReferences"] = json!([{
            "apiVersion": owner.api_version, "kind": owner.kind, "name": owner.name, "uid": owner.uid,
            "controller": false, "blockOwnerDeletion": false,
        }]);
    }
    metadata
}
