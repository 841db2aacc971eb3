//! What our runtime extension answers to the hooks of Cluster API.
//!
//! Everything is answered from [`Known`], which others keep up to date: a hook has no time to look anything up. What was
//! not read yet is said, and never passed off as an answer; Cluster API asks again.

pub mod rehearsal;

use std::collections::{BTreeMap, BTreeSet};

use headway_api::hooks::{
    ClassRef, Cluster, GenerateUpgradePlanRequest, GenerateUpgradePlanResponse, Handler, Hook, Lifecycle,
    LifecycleRequest, LifecycleResponse,
};
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_api::quoted::Quoted;

use crate::plan::{self, Choice, Course, Facts, GroupFacts, ListOrigin, PlanError, Situation, Source, VersionList};

/// The setting of an ExtensionConfig that holds versions itself, with commas or spaces between them.
pub const VERSIONS: &str = "versions";

/// The setting that names a catalogue.
pub const CATALOGUE: &str = "catalogue";

/// What is known of where versions come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The catalogue for whoever names none.
    pub usual: Option<Vec<String>>,
    /// Catalogues by their names; `None` until they were read.
    pub catalogues: Option<BTreeMap<String, Vec<String>>>,
    /// ClusterClasses by namespace and name; `None` until they were read.
    pub classes: Option<BTreeMap<(String, String), Class>>,
}

/// What matters of a ClusterClass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Class {
    /// `spec.kubernetesVersions`.
    pub versions: Vec<String>,
}

/// Why a question for a plan has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A catalogue was asked for before any was read.
    #[error("the catalogues of versions have not been read yet; ask again")]
    CataloguesNotRead,
    /// There is no catalogue of the name that the settings have.
    #[error("the settings name the catalogue {}, which there is none of", Quoted(name))]
    NoCatalogue {
        /// The name.
        name: String,
    },
    /// A class was asked for before any was read.
    #[error("the ClusterClasses have not been read yet; ask again")]
    ClassesNotRead,
    /// There is no class of the name that the cluster has.
    #[error("the cluster is of the ClusterClass {}, which is not there", Quoted(name))]
    NoClass {
        /// Namespace and name.
        name: String,
    },
    /// The versions do not make a plan.
    #[error("there is no plan from {from} to {to}")]
    Plan {
        /// Where the control plane is.
        from: String,
        /// The target.
        to: String,
        /// Why.
        #[source]
        cause: Box<PlanError>,
    },
}

/// What the extension serves: a handler for the plan, and one for each moment of an upgrade at which it could hold
/// something up. Their names are the hooks' in small letters with dashes.
#[must_use]
pub fn handlers() -> Vec<Handler> {
    let hooks = std::iter::once(Hook::GenerateUpgradePlan).chain(Lifecycle::OF_UPGRADE.map(Hook::Lifecycle));
    hooks.map(|hook| Handler::new(handler_name(hook), hook)).collect()
}

/// The name of a hook in small letters with dashes: `before-cluster-upgrade`.
#[must_use]
pub fn handler_name(hook: Hook) -> String {
    let mut name = String::new();
    for letter in hook.name().chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// The plan for an upgrade.
///
/// Versions come from the first of these that there is: the setting `versions`, the catalogue that the setting
/// `catalogue` names, the usual catalogue, the list of the ClusterClass; without any, one minor at a time.
///
/// # Errors
///
/// When the source was not read or is not there, or there is no plan by it.
pub fn upgrade_plan(
    request: &GenerateUpgradePlanRequest,
    known: &Known,
) -> Result<GenerateUpgradePlanResponse, Refusal> {
    let source = source(&request.settings, &request.cluster, known)?;
    let facts = Facts {
        target: request.to_kubernetes_version.clone(),
        control_plane: Some(request.from_control_plane_kubernetes_version.clone()),
        groups: vec![GroupFacts {
            id: furthest_behind(&request.cluster),
            version: request.from_workers_kubernetes_version.clone(),
            course: Course::Follows,
        }],
    };
    let planned = Situation::read(&facts).and_then(|situation| plan::plan(&situation, &source));
    let plan = planned.map_err(|cause| Refusal::Plan {
        from: facts.control_plane.unwrap_or_default(),
        to: facts.target,
        cause: Box::new(cause),
    })?;
    Ok(GenerateUpgradePlanResponse::new(&plan.control_plane, &plan.workers))
}

/// A moment of an upgrade. Nothing is held up as long as no driver judges it.
#[must_use]
pub fn gate(request: &LifecycleRequest) -> LifecycleResponse {
    LifecycleResponse::go(request.hook(), "")
}

fn source(settings: &BTreeMap<String, String>, cluster: &Cluster, known: &Known) -> Result<Source, Refusal> {
    let given = |versions: Vec<String>| Source::VersionList(VersionList { origin: ListOrigin::Given, versions });
    if let Some(versions) = settings.get(VERSIONS) {
        return Ok(given(split(versions)));
    }
    if let Some(name) = settings.get(CATALOGUE) {
        let catalogues = known.catalogues.as_ref().ok_or(Refusal::CataloguesNotRead)?;
        let catalogue = catalogues.get(name).ok_or_else(|| Refusal::NoCatalogue { name: name.clone() })?;
        return Ok(given(catalogue.clone()));
    }
    if let Some(usual) = &known.usual {
        return Ok(given(usual.clone()));
    }
    let Some(ClassRef { namespace, name }) = cluster.class() else {
        return Ok(Source::OneMinor);
    };
    let namespace = namespace.unwrap_or_default();
    let classes = known.classes.as_ref().ok_or(Refusal::ClassesNotRead)?;
    let class = classes
        .get(&(namespace.to_owned(), name.to_owned()))
        .ok_or_else(|| Refusal::NoClass { name: format!("{namespace}/{name}") })?;
    // The extension that the class names is this one.
    Ok(match plan::choose(&class.versions, None) {
        Choice::OneMinor | Choice::Extension(_) => Source::OneMinor,
        Choice::VersionList(versions) => Source::VersionList(VersionList {
            origin: ListOrigin::ClusterClass(name.to_owned()),
            versions: versions.to_vec(),
        }),
    })
}

/// Versions in one text, with commas, spaces or line breaks between them, or as a YAML list. What stands behind `#` on a
/// line is for people.
#[must_use]
pub fn split(versions: &str) -> Vec<String> {
    let lines = versions.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split([',', ' ', '\t']));
    words.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty() && word != "-").collect()
}

/// Whom the question means by its version of the workers: the request tells it of those that are furthest behind, and
/// not which these are, unless there is only one group.
fn furthest_behind(cluster: &Cluster) -> WorkerGroup {
    let groups: BTreeSet<_> = cluster.workers().map(|entry| (entry.kind, entry.name)).collect();
    match groups.first() {
        Some((kind, name)) if groups.len() == 1 => WorkerGroup { kind: *kind, name: (*name).to_owned() },
        Some(_) | None => WorkerGroup { kind: GroupKind::MachineDeployment, name: "furthest behind".to_owned() },
    }
}

#[cfg(test)]
mod tests;
