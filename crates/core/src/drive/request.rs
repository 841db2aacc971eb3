//! What a `ClusterUpgrade` asks for, joined with what is seen of its cluster: the facts that a decision is made from.
//!
//! Whatever cannot be read stops all of it, since a gate that nobody understands is closed; and it is told with its field.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::cluster_api::Cluster;
use headway_api::hooks::Lifecycle;
use headway_api::insight::{Level, Rule};
use headway_api::plan::{GroupKind, GroupMoves, Plan, WorkerGroup};
use headway_api::quoted::{Quoted, with_causes};
use headway_api::report::{Activity, Report};
use headway_api::update::word::Word;
use headway_api::upgrade::spec::{Asked, Gates as AskedGates, GroupRef, HealthGate as AskedHealth, Kind};
use headway_api::upgrade::status::{IntentStatus, Mode};
use headway_api::upgrade::{ClusterUpgrade, spec};
use jiff::{SignedDuration, Timestamp};

use super::answers::Answers;
use super::gate::{Approval, Concern, Gates, HealthGate};
use super::intent::{Intent, Intents};
use super::observed::{Concurrency, Halt, Observed, Stage};
use super::told::still_since;
use super::window::Calendar;
use crate::duration::read_go;
use crate::plan::{ListOrigin, PlanError, VersionList};
use crate::preview::Inventory;
use crate::version::{KubeVersion, VersionError};

/// What is known of a cluster that somebody asks to upgrade.
#[derive(Debug, Clone)]
pub struct Sighting<'a> {
    /// What is asked for.
    pub upgrade: &'a ClusterUpgrade,
    /// The cluster and what belongs to it.
    pub inventory: &'a Inventory,
    /// How the cluster does; `None` where nobody could tell.
    pub report: Option<&'a Report>,
    /// Who keeps the version of what, where that is neither us nor somebody who gave it up: by the name of the control
    /// plane or group.
    pub owners: &'a BTreeMap<String, String>,
    /// Another ClusterUpgrade of the same cluster that came first.
    pub rival: Option<&'a str>,
}

/// What answers hooks, and what it answered.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// The hooks that somebody answers for this cluster.
    pub answered: BTreeSet<Lifecycle>,
    /// What they answered.
    pub answers: Answers,
}

/// Who names the versions on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanFrom {
    /// Nobody: one minor at a time.
    OneMinor,
    /// A list.
    List(VersionList),
    /// The extension of this name.
    Extension(String),
}

/// Why what is asked for is not walked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such cluster.
    #[error("there is no Cluster {name} in the namespace {namespace}")]
    NoCluster {
        /// The namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// Somebody else came first.
    #[error("the ClusterUpgrade {other} drives the Cluster {name} already; the older one counts")]
    Rival {
        /// The Cluster.
        name: String,
        /// The other one.
        other: String,
    },
    /// Cluster API writes the versions of this cluster.
    #[error(
        "spec.topology.version of the Cluster {name} says where it goes, and the topology controller of Cluster API writes the versions of its control plane and its workers: two would fight over them"
    )]
    Topology {
        /// The Cluster.
        name: String,
    },
    /// A field says nothing that can be gone by.
    #[error("{field}: {why}")]
    Field {
        /// Its path.
        field: String,
        /// What is the matter with it.
        why: String,
    },
    /// A version of the cluster is none.
    #[error("{0}")]
    Version(String),
}

impl Refusal {
    /// In one word, as the reason of a condition.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::NoCluster { .. } => "ClusterNotFound",
            Self::Rival { .. } => "AlreadyDriven",
            Self::Topology { .. } => "DrivenByTopology",
            Self::Field { .. } => "InvalidSpec",
            Self::Version(_) => "InvalidVersion",
        }
    }

    /// A field is not what it should be.
    pub fn field(field: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Field { field: field.into(), why: why.into() }
    }
}

/// The Cluster that is meant.
///
/// # Errors
/// There is none of that name.
pub fn cluster_of<'a>(inventory: &'a Inventory, upgrade: &ClusterUpgrade) -> Result<&'a Cluster, Refusal> {
    let namespace = upgrade.metadata.namespace.as_deref().unwrap_or_default();
    let name = &upgrade.spec.cluster_name;
    let is_it = |cluster: &&Cluster| cluster.metadata.namespace == namespace && cluster.metadata.name == *name;
    let absent = || Refusal::NoCluster { namespace: namespace.to_owned(), name: name.clone() };
    inventory.clusters.iter().find(is_it).ok_or_else(absent)
}

/// Who writes the versions of a cluster.
///
/// # Errors
/// It would be a fight.
pub fn mode_of(cluster: &Cluster) -> Result<Mode, Refusal> {
    match &cluster.spec.topology {
        None => Ok(Mode::Direct),
        Some(_) => Err(Refusal::Topology { name: cluster.metadata.name.clone() }),
    }
}

/// Who is asked to name the versions on the way.
///
/// # Errors
/// What is asked for contradicts itself.
pub fn plan_from(upgrade: &ClusterUpgrade) -> Result<PlanFrom, Refusal> {
    let Some(spec::PlanFrom { kubernetes_versions, extension }) = &upgrade.spec.plan else {
        return Ok(PlanFrom::OneMinor);
    };
    match (kubernetes_versions.as_slice(), extension.as_str()) {
        ([], "") => Err(Refusal::field("spec.plan", "it has neither kubernetesVersions nor an extension")),
        ([], extension) => Ok(PlanFrom::Extension(extension.to_owned())),
        (versions, "") => Ok(PlanFrom::List(VersionList { origin: ListOrigin::Given, versions: versions.to_vec() })),
        _ => Err(Refusal::field("spec.plan", "it has both kubernetesVersions and an extension")),
    }
}

/// All that a decision may know, but the plan: whoever names the versions is asked with the situation that this tells.
///
/// # Errors
/// What is asked for is not walked.
pub fn observe(sighting: &Sighting<'_>, hooks: Hooks) -> Result<Observed, Refusal> {
    let Sighting { upgrade, inventory, report, owners, rival } = sighting;
    let cluster = cluster_of(inventory, upgrade)?;
    if let Some(other) = rival {
        return Err(Refusal::Rival { name: cluster.metadata.name.clone(), other: (*other).to_owned() });
    }
    mode_of(cluster)?;
    let spec = &upgrade.spec;
    if spec.version.is_empty() {
        return Err(Refusal::field("spec.version", "there is no version to go to"));
    }
    KubeVersion::parse(&spec.version)
        .map_err(|why| Refusal::field("spec.version", not_a_version(&spec.version, &why)))?;
    let name = name_of(upgrade);
    let mut observed =
        Observed::of(inventory, cluster, &spec.version).map_err(|error| Refusal::Version(told(&error)))?;
    if spec.paused && observed.halt.is_none() {
        observed.halt = Some(Halt::Paused(format!("spec.paused of ClusterUpgrade {name}")));
    }
    observed.stop = spec.stop.then(|| format!("spec.stop of ClusterUpgrade {name}"));
    if let Some(control_plane) = &mut observed.control_plane {
        control_plane.owner = owners.get(&control_plane.name).cloned();
    }
    for group in &mut observed.groups {
        group.owner = owners.get(&group.id.to_string()).cloned();
    }
    if let Some(concurrency) = spec.concurrency {
        observed.concurrency = Concurrency::new(usize::try_from(concurrency).unwrap_or(usize::MAX));
    }
    observed.stages = stages(&spec.stages)?;
    observed.gates = gates(upgrade, *report, observed.now)?;
    let status = upgrade.status.as_ref();
    observed.intents = intents(status.map_or(&[], |status| &status.intents))?;
    observed.gates.still_since = still_since(status, &observed);
    observed.answered = hooks.answered;
    observed.answers = hooks.answers;
    Ok(observed)
}

/// The plan that was accepted last, as far as it is told.
#[must_use]
pub fn last_plan(upgrade: &ClusterUpgrade) -> Option<Plan> {
    let status = upgrade.status.as_ref()?;
    let plan = status.plan.as_ref()?;
    let read = |versions: &[String]| -> Vec<KubeVersion> {
        // What is not a version is none that anybody goes to.
        versions.iter().filter_map(|version| KubeVersion::parse(version).ok()).collect()
    };
    let groups = status.groups.iter().filter_map(|group| {
        Some(GroupMoves {
            group: group_of(&group.group)?,
            from: KubeVersion::parse(&group.version).ok()?,
            moves: read(&group.moves),
            stays: None,
        })
    });
    Some(Plan { control_plane: read(&plan.control_plane), workers: read(&plan.workers), groups: groups.collect() })
}

/// Namespace and name of what is asked for.
pub(super) fn name_of(upgrade: &ClusterUpgrade) -> String {
    let namespace = upgrade.metadata.namespace.as_deref().unwrap_or_default();
    format!("{namespace}/{}", upgrade.metadata.name.as_deref().unwrap_or_default())
}

fn told(error: &PlanError) -> String {
    with_causes(error)
}

fn not_a_version(text: &str, why: &VersionError) -> String {
    format!("{} is not a version: {why}", Quoted(text))
}

fn stages(asked: &[spec::Stage]) -> Result<Vec<Stage>, Refusal> {
    let mut taken: BTreeMap<WorkerGroup, &str> = BTreeMap::new();
    let mut stages = Vec::new();
    for (at, spec::Stage { name, groups, concurrency }) in asked.iter().enumerate() {
        let mut members = BTreeSet::new();
        for (index, reference) in groups.iter().enumerate() {
            let field = || format!("spec.stages[{at}].groups[{index}]");
            let group = group_of(reference)
                .ok_or_else(|| Refusal::field(field(), format!("{} is no kind of workers", reference.kind)))?;
            if let Some(other) = taken.insert(group.clone(), name) {
                return Err(Refusal::field(field(), format!("{group} is in the stage {other} already")));
            }
            members.insert(group);
        }
        let concurrency = concurrency.and_then(|count| usize::try_from(count).ok());
        let concurrency = concurrency.map_or_else(Concurrency::default, Concurrency::new);
        stages.push(Stage { name: name.clone(), groups: members, concurrency });
    }
    Ok(stages)
}

/// The group that is meant, if its kind is one of ours.
fn group_of(reference: &GroupRef) -> Option<WorkerGroup> {
    let kind = match reference.kind.known()? {
        Kind::MachineDeployment => GroupKind::MachineDeployment,
        Kind::MachinePool => GroupKind::MachinePool,
    };
    Some(WorkerGroup { kind, name: reference.name.clone() })
}

fn gates(upgrade: &ClusterUpgrade, report: Option<&Report>, now: Timestamp) -> Result<Gates, Refusal> {
    let status = upgrade.status.as_ref();
    let nothing = AskedGates::default();
    let AskedGates { health, soak, approval, windows } = upgrade.spec.gates.as_ref().unwrap_or(&nothing);
    let approval = match approval {
        None => Approval::NotAsked,
        Some(Word::Known(Asked::NotRequired)) => Approval::NotAsked,
        Some(Word::Known(Asked::PerChain)) => Approval::PerChain,
        Some(Word::Known(Asked::PerStep)) => Approval::PerStep,
        Some(Word::Newer(word)) => {
            return Err(Refusal::field("spec.gates.approval", format!("{} is not known here", Quoted(word))));
        }
    };
    Ok(Gates {
        health: health.as_ref().map(|health| health_gate(health, report)).transpose()?,
        soak: duration("spec.gates.soak", soak)?,
        still_since: status.and_then(|status| status.still_since),
        approval,
        approved: upgrade.spec.approvals.iter().map(|approval| approval.step.clone()).collect(),
        window: Calendar::read(windows)?.at(now),
    })
}

fn health_gate(asked: &AskedHealth, report: Option<&Report>) -> Result<HealthGate, Refusal> {
    let level = match &asked.level {
        None | Some(Word::Known(spec::Level::Error)) => Level::Error,
        Some(Word::Known(spec::Level::Critical)) => Level::Critical,
        Some(Word::Known(spec::Level::Warning)) => Level::Warning,
        Some(Word::Known(spec::Level::Info)) => Level::Info,
        Some(word @ (Word::Known(spec::Level::Unknown) | Word::Newer(_))) => {
            return Err(Refusal::field("spec.gates.health.level", format!("{word} is no level to hold against")));
        }
    };
    let mut except = BTreeSet::new();
    for (at, id) in asked.exceptions.iter().enumerate() {
        let rule = Rule::ALL.into_iter().find(|rule| rule.id() == *id).ok_or_else(|| {
            Refusal::field(format!("spec.gates.health.exceptions[{at}]"), format!("{} is no rule", Quoted(id)))
        })?;
        except.insert(rule);
    }
    let seen = match report {
        None => Err("its status could not be told".to_owned()),
        Some(report) if report.activity == Activity::Unknown => {
            let gap = report.gaps.first().map(ToString::to_string);
            Err(gap.unwrap_or_else(|| "whether it is being updated cannot be told".into()))
        }
        Some(report) => Ok(report.insights.iter().map(Concern::from).collect()),
    };
    Ok(HealthGate { level, except, seen })
}

/// A duration as Go writes it; none at all is zero.
fn duration(field: &str, text: &str) -> Result<SignedDuration, Refusal> {
    if text.is_empty() {
        return Ok(SignedDuration::ZERO);
    }
    match read_go(text) {
        Ok(duration) if !duration.is_negative() => Ok(duration),
        Ok(_) => Err(Refusal::field(field, format!("{} is negative", Quoted(text)))),
        Err(error) => Err(Refusal::field(field, error.to_string())),
    }
}

/// What is still to be asked, as it was stored.
fn intents(stored: &[IntentStatus]) -> Result<Intents, Refusal> {
    let mut intents = Intents::default();
    for (at, IntentStatus { hook, version, from, groups }) in stored.iter().enumerate() {
        let field = |part: &str| format!("status.intents[{at}].{part}");
        let lifecycle = Lifecycle::OF_UPGRADE
            .into_iter()
            .find(|known| known.to_string() == *hook)
            .ok_or_else(|| Refusal::field(field("hook"), format!("{} is no hook of an upgrade", Quoted(hook))))?;
        let read = |part: &str, text: &str| {
            KubeVersion::parse(text).map_err(|why| Refusal::field(field(part), not_a_version(text, &why)))
        };
        let groups: Option<Vec<WorkerGroup>> = groups.iter().map(group_of).collect();
        intents.record(Intent {
            hook: lifecycle,
            version: read("version", version)?,
            from: from.as_deref().map(|from| read("from", from)).transpose()?,
            groups: groups.ok_or_else(|| Refusal::field(field("groups"), "a kind is none of workers"))?,
        });
    }
    Ok(intents)
}
