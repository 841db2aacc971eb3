//! The version lists of ClusterClasses, checked before anybody sets a target (chained-upgrades.md, 6.2, with the
//! corrections of section 10: majors count, and clusters that are under way are looked at).

use headway_api::REPORT_API_VERSION;
use headway_api::cluster_api::ClusterClass;
use headway_api::preview::{ClassListing, Listing, ListingFault, Severity};
use headway_api::quoted::{Escaped, with_causes};

use super::inventory::{Inventory, qualified};
use super::scene::Scene;
use crate::plan::{self, ListOrigin, PlanError, Rule, Situation, Source, VersionList};
use crate::version::{Comparison, KubeVersion};

/// How many entries the field holds.
const MOST: usize = 100;

/// Checks the version list of every class that was seen, with the clusters that use it.
pub fn check_lists(inventory: &Inventory) -> Listing {
    let classes: Vec<ClassListing> = inventory.classes.iter().map(|class| of_class(inventory, class)).collect();
    let is_sound = |class: &ClassListing| class.faults.iter().all(|fault| fault.severity != Severity::Error);
    let is_whole = inventory.gaps.iter().all(|gap| !gap.kind.is_serious());
    Listing {
        api_version: REPORT_API_VERSION,
        kind: "VersionListCheck",
        passed: is_whole && classes.iter().all(is_sound),
        classes,
        gaps: inventory.gaps.clone(),
    }
}

fn of_class(inventory: &Inventory, class: &ClusterClass) -> ClassListing {
    let name = qualified(&class.metadata);
    let scenes = inventory.clusters.iter().map(|cluster| Scene::of(inventory, cluster));
    let scenes: Vec<Scene<'_>> = scenes.filter(|it| it.class.is_some_and(|used| std::ptr::eq(used, class))).collect();
    let list = &class.spec.kubernetes_versions;
    let mut faults = faults_of_list(list);
    if list.is_empty() {
        let text = match class.extension() {
            Some(extension) => format!("the class has no list: extension {extension} plans its upgrades"),
            None => "the class has no list: its clusters are upgraded one minor at a time".to_owned(),
        };
        faults.push(fault(Severity::Note, "A4", None, text));
    } else if let Some(extension) = class.extension() {
        let text = format!("extension {extension} plans the upgrades; the list only says which targets are let in");
        faults.push(fault(Severity::Note, "A4", None, text));
    }
    for scene in &scenes {
        faults.extend(of_cluster(scene, list, class.extension().is_some()));
    }
    ClassListing { class: name, versions: list.len(), clusters: scenes.iter().map(Scene::name).collect(), faults }
}

fn fault(severity: Severity, rule: impl ToString, index: Option<usize>, message: String) -> ListingFault {
    ListingFault { severity, rule: rule.to_string(), index, message }
}

/// What is wrong with a list by itself.
pub(crate) fn faults_of_list(list: &[String]) -> Vec<ListingFault> {
    let mut faults = Vec::new();
    if list.len() > MOST {
        let text = format!("the list has {} entries, and the field holds {MOST}", list.len());
        faults.push(fault(Severity::Error, "X4", None, text));
    }
    let mut before: Option<(usize, KubeVersion)> = None;
    for (index, text) in list.iter().enumerate() {
        let at = format!("[{index}] {}", Escaped(text));
        let version = match KubeVersion::parse(text) {
            Ok(version) => version,
            Err(error) => {
                faults.push(fault(
                    Severity::Error,
                    Rule::L1,
                    Some(index),
                    format!("{at} is not a version: {}", with_causes(&error)),
                ));
                continue;
            }
        };
        if version.to_string() != *text {
            let text = format!(
                "{at} is not written {version}: a Cluster that asks for {version} is refused, as the texts are compared"
            );
            faults.push(fault(Severity::Warning, "A4", Some(index), text));
        }
        if let Some((place, previous)) = &before {
            faults.extend(follows(index, &at, &version, *place, previous));
        }
        before = Some((index, version));
    }
    faults
}

/// How an entry follows the one before it.
fn follows(
    index: usize,
    at: &str,
    version: &KubeVersion,
    place: usize,
    previous: &KubeVersion,
) -> Option<ListingFault> {
    let (minor, last) = (version.minor(), previous.minor());
    let said = format!("[{place}] {previous}");
    if minor.major != last.major {
        let text = format!("{at} changes the major of {said}, and no upgrade goes there");
        return Some(fault(Severity::Error, Rule::C6, Some(index), text));
    }
    match version.compare(previous) {
        Comparison::Equal => {
            return Some(fault(Severity::Error, Rule::C2, Some(index), format!("{at} is the same version as {said}")));
        }
        Comparison::Less => {
            let text = format!("{at} is older than {said} before it: the list goes from old to new");
            return Some(fault(Severity::Error, Rule::C2, Some(index), text));
        }
        Comparison::Different => {
            let text = format!(
                "{at} and {said} differ in a build that has no order: the place in the list decides which is newer"
            );
            return Some(fault(Severity::Note, Rule::C2, Some(index), text));
        }
        Comparison::Greater => {}
    }
    let skipped = minor.minor.saturating_sub(last.minor);
    if skipped > 1 {
        let missing = if skipped == 2 {
            format!("v{}.{} is missing", minor.major, last.minor + 1)
        } else {
            format!("v{0}.{1} to v{0}.{2} are missing", minor.major, last.minor.saturating_add(1), minor.minor - 1)
        };
        let text = format!("{missing}: {at} follows {said}, and no upgrade skips a minor");
        return Some(fault(Severity::Error, Rule::C3, Some(index), text));
    }
    None
}

/// What the list means for a cluster that uses it.
fn of_cluster(scene: &Scene<'_>, list: &[String], is_planned_elsewhere: bool) -> Vec<ListingFault> {
    let mut faults = Vec::new();
    let name = scene.name();
    let Some(target) = scene.topology_version() else { return faults };
    if !list.is_empty() && !list.iter().any(|listed| listed == target) {
        let text = format!(
            "Cluster {name} has the target {}, which is not in the list: every change of it is refused",
            Escaped(target)
        );
        faults.push(fault(Severity::Error, "A4", None, text));
    }
    if list.is_empty() || is_planned_elsewhere {
        return faults;
    }
    if scene.control_plane.is_none() {
        let text = format!("where Cluster {name} is on its way is not known: its control plane was not seen");
        faults.push(fault(Severity::Note, "C3", None, text));
        return faults;
    }
    if let Some(error) = unreachable(scene, target, list) {
        let text = format!(
            "Cluster {name} cannot reach its target {} with this list: {}",
            Escaped(target),
            with_causes(&error)
        );
        faults.push(fault(Severity::Error, error.rule(), error.index(), text));
    }
    faults
}

/// Why a cluster cannot reach a target with a list, if so; without a list it goes one minor at a time.
pub(crate) fn unreachable(scene: &Scene<'_>, target: &str, list: &[String]) -> Option<PlanError> {
    let origin = ListOrigin::ClusterClass(scene.class_name().unwrap_or_default());
    let source = match list {
        [] => Source::OneMinor,
        list => Source::VersionList(VersionList { origin, versions: list.to_vec() }),
    };
    Situation::read(&scene.facts(target)).and_then(|situation| plan::plan(&situation, &source)).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ch_6_2_lists_are_checked_up_front() {
        let check = |list: &str, expect: &[&str]| {
            let list: Vec<String> = list.split_whitespace().map(str::to_owned).collect();
            let told: Vec<String> =
                faults_of_list(&list).iter().map(|it| format!("{} {}: {}", it.severity, it.rule, it.message)).collect();
            assert_eq!(told, expect, "{list:?}");
        };
        check("foo", &["error L1: [0] foo is not a version: `foo` is not a number"]);
        check(
            "v1.32.0 v1.31.0",
            &["error C2: [1] v1.31.0 is older than [0] v1.32.0 before it: the list goes from old to new"],
        );
        let skips = "error C3: v1.32 is missing: [1] v1.33.0 follows [0] v1.31.0, and no upgrade skips a minor";
        check("v1.31.0 v1.33.0", &[skips]);
        let skips =
            "error C3: v1.32 to v1.34 are missing: [1] v1.35.0 follows [0] v1.31.0, and no upgrade skips a minor";
        check("v1.31.0 v1.35.0", &[skips]);
        check("v1.31.0-alpha.0 v1.31.0-alpha.1 v1.31.0", &[]);
        check(
            "v1.31.0-alpha.1 v1.31.0-alpha.0",
            &[
                "error C2: [1] v1.31.0-alpha.0 is older than [0] v1.31.0-alpha.1 before it: the list goes from old to new",
            ],
        );
        let note = "note C2: [1] v1.31.0+foo.2-bar.1 and [0] v1.31.0+foo.1-bar.1 differ in a build that has no order: the place in the list decides which is newer";
        check("v1.31.0+foo.1-bar.1 v1.31.0+foo.2-bar.1", &[note]);
        check("v1.31.0 v1.31.0", &["error C2: [1] v1.31.0 is the same version as [0] v1.31.0"]);
        check(
            "v1.31.0+2 v1.31.0+1",
            &["error C2: [1] v1.31.0+1 is older than [0] v1.31.0+2 before it: the list goes from old to new"],
        );
        check("", &[]);
        for other in ["v1.31.0 v2.31.0", "v1.31.0 v2.32.0"] {
            let second = other.split(' ').nth(1).unwrap();
            check(
                other,
                &[&format!("error C6: [1] {second} changes the major of [0] v1.31.0, and no upgrade goes there")],
            );
        }
        check(
            "1.31.0",
            &[
                "warning A4: [0] 1.31.0 is not written v1.31.0: a Cluster that asks for v1.31.0 is refused, as the texts are compared",
            ],
        );
        let many: Vec<String> = (0..101).map(|patch| format!("v1.31.{patch}")).collect();
        check(&many.join(" "), &["error X4: the list has 101 entries, and the field holds 100"]);
    }
}
