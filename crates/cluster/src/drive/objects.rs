//! The objects whose versions are written: how they are served, who keeps their versions, and the writes.
//!
//! A write names one field, and is refused where the object has changed since it was read.

use headway_api::cluster_api::{Cluster, ControlPlaneRef};
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_api::quoted::{Quoted, with_causes};
use headway_api::upgrade::ClusterUpgrade;
use headway_api::version::KubeVersion;
use headway_core::drive::{Decision, Effect, Observed, Standing, cluster_of, keeper};
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use tracing::debug;

use super::{Driver, FIELD_MANAGER, Moved, Remembered, Sight};

/// So often a write is tried again at once when somebody else wrote first: the status of such objects changes often.
const TRIES: usize = 5;

/// Why a version was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The object does not say what was expected, so that nothing was changed.
    #[error("it says {found} where {expected} was expected")]
    MovedOn {
        /// What it says.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Somebody else wrote first, again and again.
    #[error("others change it all the time")]
    Conflict,
    /// It is not there any more.
    #[error("it is gone")]
    Gone,
    /// It is not known how it is served.
    #[error("{0}")]
    NotServed(String),
    /// Somebody keeps its version since it was decided.
    #[error("{0} keeps its version")]
    Kept(String),
    /// The API server refuses.
    #[error("the API server answers")]
    Refused(#[source] Box<kube::Error>),
}

impl WriteError {
    /// In one sentence, with the causes.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Refused(error) => match &**error {
                kube::Error::Api(status) => status.message.clone(),
                error => with_causes(error),
            },
            error => with_causes(error),
        }
    }
}

/// The object of an effect.
struct Target<'a> {
    resource: ApiResource,
    namespace: &'a str,
    name: &'a str,
    /// Where its version stands.
    path: &'static [&'static str],
}

const CONTROL_PLANE: &[&str] = &["spec", "version"];
const WORKERS: &[&str] = &["spec", "template", "spec", "version"];

impl Driver {
    /// Looks up who keeps the versions that would be written soon, as far as that is not known for the objects as they
    /// are. Answers whether anything was learned that changes what is decided.
    pub(super) async fn learn_owners(
        &self,
        sight: &Sight<'_>,
        upgrade: &ClusterUpgrade,
        (observed, decision): (&Observed, &Decision),
        remembered: &mut Remembered,
    ) -> bool {
        // Who keeps what matters only before something new begins.
        if decision.effects.is_empty() {
            return false;
        }
        let Ok(cluster) = cluster_of(sight.inventory, upgrade) else { return false };
        let mut learned = false;
        if let Some(control_plane) = &observed.control_plane
            && !observed.planned.plan.control_plane.is_empty()
            && control_plane.standing == Standing::Settled
        {
            let generation = sight.control_plane_generation(cluster);
            learned |= self.learn(cluster, None, &control_plane.name, generation, remembered).await;
        }
        for group in &observed.groups {
            let moves = observed.planned.plan.groups.iter().find(|planned| planned.group == group.id);
            if moves.is_some_and(|planned| !planned.moves.is_empty()) && group.standing == Standing::Settled {
                let generation = sight.group_generation(cluster, &group.id);
                learned |= self.learn(cluster, Some(&group.id), &group.id.to_string(), generation, remembered).await;
            }
        }
        learned
    }

    async fn learn(
        &self,
        cluster: &Cluster,
        group: Option<&WorkerGroup>,
        name: &str,
        generation: Option<i64>,
        remembered: &mut Remembered,
    ) -> bool {
        if remembered.owners.get(name).is_some_and(|(known, _)| *known == generation) {
            return false;
        }
        // Where it cannot be read, the write finds out.
        let Ok(target) = self.target(cluster, group).await else { return false };
        let Ok(object) = self.api(&target).get(target.name).await else { return false };
        let owner = owner(&object, target.path);
        debug!(name, owner, "who keeps its version");
        let before = remembered.owners.insert(name.to_owned(), (generation, owner.clone()));
        before.and_then(|(_, owner)| owner) != owner
    }

    /// Writes the version that an effect asks for. One that stands there already is success.
    pub(super) async fn move_version(
        &self,
        sight: &Sight<'_>,
        upgrade: &ClusterUpgrade,
        effect: &Effect,
    ) -> Result<Moved, WriteError> {
        let cluster = cluster_of(sight.inventory, upgrade).map_err(|error| WriteError::NotServed(error.to_string()))?;
        let (group, from, to) = match effect {
            Effect::MoveControlPlane { from, to } => (None, from, to),
            Effect::MoveGroup { group, from, to } => (Some(group), from, to),
            Effect::Record { .. } | Effect::Ask(_) => {
                return Err(WriteError::NotServed("it moves nothing".into()));
            }
        };
        let target = self.target(cluster, group).await?;
        let api = self.api(&target);
        for _ in 0..TRIES {
            let object = match api.get(target.name).await {
                Ok(object) => object,
                Err(kube::Error::Api(status)) if status.code == 404 => return Err(WriteError::Gone),
                Err(error) => return Err(WriteError::Refused(Box::new(error))),
            };
            let text = at(&object.data, target.path).and_then(Value::as_str).unwrap_or_default();
            let moved = |object: &DynamicObject| Moved {
                group: group.cloned(),
                name: target.name.to_owned(),
                generation: object.metadata.generation,
            };
            match KubeVersion::parse(text) {
                Ok(stands) if stands == *to => return Ok(moved(&object)),
                Ok(stands) if stands == *from => {}
                Ok(_) | Err(_) => {
                    let (found, expected) = (Quoted(text).to_string(), from.to_string());
                    return Err(WriteError::MovedOn { found, expected });
                }
            }
            if let Some(owner) = owner(&object, target.path) {
                return Err(WriteError::Kept(owner));
            }
            let mut patch = nested(target.path, json!(to.to_string()));
            patch["metadata"] = json!({ "resourceVersion": object.metadata.resource_version });
            let params = PatchParams { field_manager: Some(FIELD_MANAGER.into()), ..PatchParams::default() };
            match api.patch(target.name, &params, &Patch::Merge(&patch)).await {
                Ok(object) => return Ok(moved(&object)),
                Err(kube::Error::Api(status)) if status.code == 409 => {}
                Err(kube::Error::Api(status)) if status.code == 404 => return Err(WriteError::Gone),
                Err(error) => return Err(WriteError::Refused(Box::new(error))),
            }
        }
        Err(WriteError::Conflict)
    }

    async fn target<'a>(&self, cluster: &'a Cluster, group: Option<&'a WorkerGroup>) -> Result<Target<'a>, WriteError> {
        let namespace = cluster.metadata.namespace.as_str();
        if let Some(group) = group {
            let kind = match group.kind {
                GroupKind::MachineDeployment => "MachineDeployment",
                GroupKind::MachinePool => "MachinePool",
            };
            let resource = self.resource(headway_api::cluster_api::GROUP, kind).await?;
            return Ok(Target { resource, namespace, name: &group.name, path: WORKERS });
        }
        let reference = cluster.spec.control_plane_ref.as_ref();
        let reference = reference.ok_or_else(|| WriteError::NotServed("there is no control plane".into()))?;
        let ControlPlaneRef { kind, name, namespace: home, .. } = reference;
        let resource = self.resource(reference.group(), kind).await?;
        let namespace = if home.is_empty() { namespace } else { home };
        Ok(Target { resource, namespace, name, path: CONTROL_PLANE })
    }

    fn api(&self, target: &Target<'_>) -> Api<DynamicObject> {
        Api::namespaced_with(self.client.clone(), target.namespace, &target.resource)
    }

    /// How a kind is served. It is looked up once.
    async fn resource(&self, group: &str, kind: &str) -> Result<ApiResource, WriteError> {
        let key = (group.to_owned(), kind.to_owned());
        let lock = || self.resources.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = lock().get(&key).cloned() {
            return Ok(known);
        }
        let served = kube::discovery::group(&self.client, group).await;
        let served = served.map_err(|error| WriteError::Refused(Box::new(error)))?;
        let (resource, _) = served
            .recommended_kind(kind)
            .ok_or_else(|| WriteError::NotServed(format!("{kind} of {group} is not served")))?;
        let GroupVersionKind { group, version, kind } =
            GroupVersionKind::gvk(&resource.group, &resource.version, &resource.kind);
        debug!(group, version, kind, "is served");
        lock().insert(key, resource.clone());
        Ok(resource)
    }
}

impl Sight<'_> {
    fn control_plane_generation(&self, cluster: &Cluster) -> Option<i64> {
        let reference = cluster.spec.control_plane_ref.as_ref()?;
        let is_it = |object: &&headway_api::cluster_api::ControlPlane| {
            object.kind == reference.kind && object.metadata.name == reference.name
        };
        self.inventory.control_planes.iter().find(is_it)?.metadata.generation
    }

    fn group_generation(&self, cluster: &Cluster, group: &WorkerGroup) -> Option<i64> {
        let all = match group.kind {
            GroupKind::MachineDeployment => &self.inventory.machine_deployments,
            GroupKind::MachinePool => &self.inventory.machine_pools,
        };
        let namespace = &cluster.metadata.namespace;
        let is_it = |object: &&headway_api::cluster_api::Workers| {
            object.metadata.name == group.name && object.metadata.namespace == *namespace
        };
        all.iter().find(is_it)?.metadata.generation
    }
}

/// Who keeps the version of an object.
fn owner(object: &DynamicObject, path: &[&str]) -> Option<String> {
    let entries = object.metadata.managed_fields.iter().flatten();
    let entries = entries.map(|entry| keeper::Entry {
        manager: entry.manager.as_deref().unwrap_or_default(),
        operation: entry.operation.as_deref().unwrap_or_default(),
        fields: entry.fields_v1.as_ref().map(|fields| &fields.0),
    });
    keeper::of(entries, path, FIELD_MANAGER)
}

fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, part| value.get(part))
}

fn nested(path: &[&str], value: Value) -> Value {
    path.iter().rev().fold(value, |inner, part| json!({ (*part): inner }))
}
