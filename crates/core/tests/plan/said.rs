//! Situations and sources in short texts, and a plan as one line.

use headway_api::plan::{GroupKind, Plan, WorkerGroup};
use headway_core::plan::{
    Answer, Course, Extension, ExtensionError, Facts, GroupFacts, ListOrigin, PlanError, Situation, Source,
    VersionList, plan,
};
use headway_core::version::KubeVersion;

/// One row of a table: what is planned, as [`told`] has it.
#[track_caller]
pub(super) fn check(source: Source, target: &str, control_plane: &str, workers: &str, expect: &str) {
    let made = Situation::read(&facts(target, control_plane, workers)).and_then(|it| plan(&it, &source));
    assert_eq!(told(&made), expect, "{target} from {control_plane:?}, workers {workers:?}");
}

/// `control plane | workers`, or `rule [index] value`.
pub(super) fn told(made: &Result<Plan, PlanError>) -> String {
    match made {
        Ok(plan) => format!("{} | {}", list(&plan.control_plane), list(&plan.workers)).trim().to_owned(),
        Err(error) => {
            // Whatever is told names the rule, and the value where there is one.
            let text = error.to_string();
            assert!(text.contains(&format!("(rule {})", error.rule())), "{text}");
            let index = error.index().map(|index| format!(" [{index}]")).unwrap_or_default();
            let value = error.value().map(|value| format!(" {value}")).unwrap_or_default();
            format!("{}{index}{value}", error.rule())
        }
    }
}

/// Versions with spaces between them.
pub(super) fn list(versions: &[KubeVersion]) -> String {
    versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Groups are `NAME=VERSION`, where a name that begins with `mp` is that of a MachinePool; `NAME=VERSION@PIN` is pinned
/// and `NAME=VERSION-` leaves. A version alone is that of the MachineDeployment `md`.
pub(super) fn facts(target: &str, control_plane: &str, workers: &str) -> Facts {
    let groups = workers.split_whitespace().map(|text| {
        let (name, version) = text.split_once('=').unwrap_or(("md", text));
        let (version, course) = match (version.split_once('@'), version.strip_suffix('-')) {
            (Some((version, pin)), _) => (version, Course::Pinned(pin.to_owned())),
            (None, Some(version)) => (version, Course::Leaving),
            (None, None) => (version, Course::Follows),
        };
        GroupFacts { id: group(name), version: Some(version.to_owned()), course }
    });
    Facts {
        target: target.into(),
        control_plane: (!control_plane.is_empty()).then(|| control_plane.into()),
        groups: groups.collect(),
    }
}

/// A group by its name alone.
pub(super) fn group(name: &str) -> WorkerGroup {
    let kind = if name.starts_with("mp") { GroupKind::MachinePool } else { GroupKind::MachineDeployment };
    WorkerGroup { kind, name: name.into() }
}

pub(super) fn situation(target: &str, control_plane: &str, workers: &str) -> Situation {
    Situation::read(&facts(target, control_plane, workers)).unwrap()
}

fn texts(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

/// Nothing names versions.
pub(super) const ONE: Source = Source::OneMinor;

/// The list of the ClusterClass `prod`.
pub(super) fn class(versions: &str) -> Source {
    Source::VersionList(VersionList { origin: ListOrigin::ClusterClass("prod".into()), versions: texts(versions) })
}

/// An extension that answers so.
pub(super) fn answer(control_plane: &str, workers: &str) -> Source {
    extension(Ok(Answer { control_plane: texts(control_plane), workers: texts(workers) }))
}

pub(super) fn extension(answer: Result<Answer, ExtensionError>) -> Source {
    Source::Extension(Extension { name: "plan.ext".into(), answer })
}
