//! What an upgrade would do, or does, to a cluster of Cluster API: the plan with what it costs, who is asked on the
//! way, what holds it up and what cannot be known (chained-upgrades.md, sections 3, 4, 6 and 10).
//!
//! [`super::plan`] knows the rules for versions and nothing of a cluster's state; here the two come together. Reading
//! objects is left to `headway-cluster`.

mod belongings;
mod holds;
mod hooks;
mod inventory;
mod listing;
mod scene;
mod steps;
mod verdict;
mod webhook;
mod workers;

use headway_api::REPORT_API_VERSION;
use headway_api::cluster_api::Cluster;
use headway_api::plan::{Plan, PlanReport};
use headway_api::preview::{Preview, Refusal, Totals, Unknown, Verdict};
use headway_api::quoted::with_causes;

use crate::plan::{self, Extension, Facts, ListOrigin, PlanError, Situation, Source, VersionList};

pub use belongings::Belongings;
pub use inventory::{Inventory, Moment, PickError, Seen, SeenOfWorkload, Workload};
pub use listing::check_lists;

pub(crate) use inventory::qualified;
pub(crate) use listing::{faults_of_list, unreachable};
pub(crate) use scene::{Deferral, Group, Scene, paused_by};
pub(crate) use steps::{is_control_plane_rolling, running_version};

/// What somebody wants to know about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// Another target than the one that the cluster has.
    pub to: Option<String>,
    /// Versions to go by instead of those that the ClusterClass names.
    pub versions: Vec<String>,
}

/// Nothing can be asked about a cluster.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreviewError {
    /// Nobody says where it is to go.
    #[error("Cluster {cluster} has no topology that names a version, so nothing says where it is to go")]
    NoTarget {
        /// The cluster.
        cluster: String,
    },
}

/// The preview of an upgrade of which only versions are known.
pub fn of_versions(facts: &Facts, versions: &[String]) -> Preview {
    let source = match versions {
        [] => Source::OneMinor,
        versions => Source::VersionList(VersionList { origin: ListOrigin::Given, versions: versions.to_vec() }),
    };
    let mut preview = Preview {
        from: facts.control_plane.clone(),
        to: Some(facts.target.clone()),
        source: Some(source.name()),
        ..blank()
    };
    match planned(facts, &source) {
        Ok((_, report)) => {
            preview.control_plane.clone_from(&report.plan.control_plane);
            preview.workers.clone_from(&report.plan.workers);
            preview.remarks.extend(report.remarks.iter().map(ToString::to_string));
            preview.steps = steps::of_versions(&report);
            preview.next = steps::next(&preview.steps);
            preview.plan = Some(report.plan);
        }
        Err(error) => preview.refusal = Some(refusal(&error)),
    }
    preview.verdict = verdict::of(&preview);
    preview
}

/// The preview of an upgrade of a cluster.
///
/// # Errors
///
/// When nothing says where the cluster is to go.
pub fn of_cluster(inventory: &Inventory, cluster: &Cluster, wish: &Wish) -> Result<Preview, PreviewError> {
    let scene = Scene::of(inventory, cluster);
    let target = wish.to.clone().or_else(|| scene.topology_version().map(str::to_owned));
    let target = target.ok_or_else(|| PreviewError::NoTarget { cluster: scene.name() })?;
    Ok(of_scene(&scene, target, wish))
}

/// The preview of an upgrade of a cluster to a target.
pub(crate) fn of_scene(scene: &Scene<'_>, target: String, wish: &Wish) -> Preview {
    let inventory = scene.inventory;
    let facts = scene.facts(&target);
    let mut preview = Preview {
        cluster: Some(scene.name()),
        observed_at: Some(inventory.moment.at),
        clock: Some(inventory.moment.clock),
        from: facts.control_plane.clone(),
        to: Some(target.clone()),
        gaps: inventory.gaps.clone(),
        unknowns: scene.unknowns(),
        ..blank()
    };
    let mut costs = Vec::new();
    let report = match source(scene, wish, &mut preview.unknowns) {
        None => None,
        Some(source) => {
            preview.source = Some(source.name());
            match planned(&facts, &source) {
                Ok((_, report)) if scene.topology.is_none() => Some(report),
                // Cluster API has one list for all workers.
                Ok((situation, report)) => {
                    costs = workers::costs_of_one_list(&report.plan);
                    Some(workers::by_one_list(&situation, &source, &report.plan))
                }
                Err(error) => {
                    preview.refusal = Some(refusal(&error));
                    None
                }
            }
        }
    };
    let running = steps::running(scene);
    if let Some(report) = &report {
        steps::fill(&mut preview, scene, report, &running);
        preview.hooks = hooks::asked(scene, &report.plan);
        preview.remarks.extend(report.remarks.iter().map(ToString::to_string));
        preview.remarks.extend(workers::remarks(scene, &report.plan));
        preview.remarks.extend(costs);
    } else {
        preview.steps = running.steps.clone();
    }
    preview.begun = scene.has_begun() || !running.steps.is_empty();
    let no_plan = Plan::default();
    let plan = report.as_ref().map_or(&no_plan, |report| &report.plan);
    preview.holds = holds::all(scene, plan, &running, wish);
    preview.remarks.extend(holds::remarks(scene, &running));
    preview.unknowns.sort_by_key(|unknown| !unknown.serious);
    preview.verdict = verdict::of(&preview);
    preview
}

fn planned(facts: &Facts, source: &Source) -> Result<(Situation, PlanReport), PlanError> {
    let situation = Situation::read(facts)?;
    let made = plan::plan(&situation, source)?;
    let report = plan::explain(&situation, source, &made);
    Ok((situation, report))
}

/// Who names the versions, as far as what was seen tells it; `None` when it takes an answer that nobody here has.
fn source(scene: &Scene<'_>, wish: &Wish, unknowns: &mut Vec<Unknown>) -> Option<Source> {
    let list = |origin: ListOrigin, versions: Vec<String>| Some(Source::VersionList(VersionList { origin, versions }));
    if !wish.versions.is_empty() {
        return list(ListOrigin::Given, wish.versions.clone());
    }
    let mut serious = |message: String| unknowns.push(Unknown { serious: true, message });
    let recorded = if wish.to.is_none() { scene.recorded_plan() } else { None };
    let Some(class) = scene.class else {
        return match (scene.class_name(), recorded) {
            (None, _) => Some(Source::OneMinor),
            (Some(class), Some(recorded)) => {
                serious(format!(
                    "which versions may be visited: ClusterClass/{class} was not seen, so the plan that Cluster API made last is shown"
                ));
                list(ListOrigin::ClusterStatus, recorded.control_plane)
            }
            (Some(class), None) => {
                serious(format!(
                    "which versions may be visited: ClusterClass/{class} was not seen, and its list or extension may name others than the target"
                ));
                Some(Source::OneMinor)
            }
        };
    };
    match (plan::choose(&class.spec.kubernetes_versions, class.extension()), recorded) {
        (plan::Choice::OneMinor, _) => Some(Source::OneMinor),
        (plan::Choice::VersionList(versions), _) => {
            list(ListOrigin::ClusterClass(class.metadata.name.clone()), versions.to_vec())
        }
        (plan::Choice::Extension(name), Some(recorded)) => {
            serious(format!(
                "what extension {name} answers now: it is not asked here, so the plan that Cluster API had of it last is shown"
            ));
            Some(Source::Extension(Extension { name: name.to_owned(), answer: Ok(recorded) }))
        }
        (plan::Choice::Extension(name), None) => {
            serious(format!(
                "the steps: extension {name} plans the upgrades of this class and is not asked here; --versions shows what a list would give"
            ));
            None
        }
    }
}

fn refusal(error: &PlanError) -> Refusal {
    let message = with_causes(error);
    Refusal { rule: error.rule().to_string(), message, index: error.index(), value: error.value() }
}

fn blank() -> Preview {
    Preview {
        api_version: REPORT_API_VERSION,
        kind: "Preview",
        cluster: None,
        observed_at: None,
        clock: None,
        verdict: Verdict::CannotTell,
        begun: false,
        from: None,
        to: None,
        source: None,
        control_plane: Vec::new(),
        workers: Vec::new(),
        position: None,
        plan: None,
        steps: Vec::new(),
        machines: Totals::default(),
        next: Vec::new(),
        hooks: Vec::new(),
        refusal: None,
        holds: Vec::new(),
        remarks: Vec::new(),
        unknowns: Vec::new(),
        gaps: Vec::new(),
    }
}
