//! What holds of every plan, tried on clusters and sources made by chance, and the fewest moves found by trying all.

use headway_api::plan::{GroupMoves, Mover, Plan};
use headway_core::plan::{Course, Move, PlanError, Rule, Situation, Source, explain, plan, walk, worker_moves};
use headway_core::version::{Comparison, KubeVersion, MAX_MINORS_BEHIND, check_skew};
use proptest::prelude::*;

use super::said::{ONE, answer, class, situation};

/// A version by minor, patch and one of some suffixes.
type Picked = (u64, u64, usize);

const SUFFIXES: [&str; 10] = ["", "", "", "", "", "-rc.1", "+a", "+b", "+1", "+2"];

fn text((minor, patch, suffix): Picked) -> String {
    format!("v1.{minor}.{patch}{}", SUFFIXES[suffix % SUFFIXES.len()])
}

fn picked(minors: std::ops::Range<u64>) -> impl Strategy<Value = Picked> {
    (minors, 0u64..3, 0usize..SUFFIXES.len())
}

/// Clusters and sources, most of them fit to be planned.
fn worlds() -> impl Strategy<Value = (Situation, Source)> {
    // How many minors a group is behind, now and then too many; `None` is ahead.
    let behind = prop::sample::select(vec![Some(0), Some(1), Some(2), Some(3), Some(3), Some(4), Some(5), None]);
    let behind = prop_oneof![12 => prop::sample::select(vec![Some(0), Some(1), Some(2), Some(3)]), 1 => behind];
    let groups = prop::collection::vec((behind, picked(0..1), 0u8..16), 0..4);
    let list = prop::collection::vec(picked(29..40), 0..14);
    let workers = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    let target = prop_oneof![8 => picked(0..9), 1 => picked(0..1)];
    (target, picked(29..32), groups, list, workers, 0u8..10).prop_map(
        |(target, control_plane, groups, mut list, workers, kind)| {
            // One minor at a time goes no further than that.
            let target = (control_plane.0 + if kind == 1 { target.0.min(1) } else { target.0 }, target.1, target.2);
            let groups: Vec<String> = groups
                .into_iter()
                .enumerate()
                .map(|(at, (behind, version, course))| {
                    let minor = behind.map_or(control_plane.0 + 1, |behind| control_plane.0 - behind);
                    let version = text((minor, version.1, version.2));
                    match course {
                        0 => format!("md-{at}={version}@{version}"),
                        1 => format!("md-{at}={version}-"),
                        2 => format!("mp-{at}={}", text(control_plane)),
                        _ => format!("md-{at}={version}"),
                    }
                })
                .collect();
            if kind > 0 {
                // One of each minor, so that most of the lists lead to the target.
                list.extend((29..=target.0).map(|minor| (minor, 0, 0)));
                list.push(target);
                list.sort_unstable();
            }
            let entries: Vec<String> = list.iter().copied().map(text).collect();
            let source = match kind {
                1 => ONE,
                0 | 2..=4 => class(&entries.join(" ")),
                _ => {
                    let after = |version: &&Picked| **version > control_plane && **version <= target;
                    let mut way: Vec<String> = list.iter().filter(after).copied().map(text).collect();
                    way.dedup();
                    let mut stops: Vec<usize> = workers.iter().map(|it| it.index(way.len().max(1))).collect();
                    stops.sort_unstable();
                    let mut stops: Vec<String> = stops.iter().filter_map(|at| way.get(*at).cloned()).collect();
                    if !stops.is_empty() {
                        stops.push(text(target));
                    }
                    if kind == 5 {
                        stops.clear();
                    }
                    stops.dedup();
                    answer(&way.join(" "), &stops.join(" "))
                }
            };
            (situation(&text(target), &text(control_plane), &groups.join(" ")), source)
        },
    )
}

/// Walks a plan and looks at every moment of it.
fn check_walk(situation: &Situation, plan: &Plan) {
    let control_plane = situation.control_plane.as_ref().unwrap();
    let mut at = control_plane;
    let mut groups: Vec<(&GroupMoves, &KubeVersion)> = plan.groups.iter().map(|group| (group, &group.from)).collect();
    let follows = |at: usize| situation.groups[at].course != Course::Leaving;
    let look = |at: &KubeVersion, groups: &[(&GroupMoves, &KubeVersion)]| {
        for (index, (group, version)) in groups.iter().enumerate() {
            if follows(index) {
                assert_eq!(check_skew(at.minor(), version.minor()), Ok(()), "{}: {version} beside {at}", group.group);
            }
        }
    };
    look(at, &groups);
    for Move { mover, from, to } in walk(situation, plan) {
        assert!(matches!(to.compare(from), Comparison::Greater | Comparison::Different), "{from} to {to}");
        match mover {
            Mover::ControlPlane => {
                assert_eq!(from, at);
                assert!(to.minor().minor <= from.minor().minor + 1, "skips a minor: {from} to {to}");
                assert_eq!(to.minor().major, from.minor().major);
                at = to;
            }
            Mover::Workers { groups: moving } => {
                assert_eq!(to, at, "workers go where the control plane is");
                for (group, version) in &mut groups {
                    if moving.contains(&group.group) {
                        assert_eq!(*version, from);
                        *version = to;
                    }
                }
            }
        }
        look(at, &groups);
    }
    assert_eq!(*at, situation.target);
    for (index, (group, version)) in groups.iter().enumerate() {
        match situation.groups[index].course {
            Course::Follows => assert_eq!(**version, situation.target, "{}", group.group),
            Course::Pinned(_) | Course::Leaving => assert_eq!(**version, group.from),
        }
    }
}

/// The fewest moves of workers over all ways to move them, or `None` when there is no way.
///
/// Tries every choice at every version of the control plane, knowing nothing of how the planner chooses.
fn fewest(way: &[&KubeVersion], worker: &KubeVersion) -> Option<usize> {
    let (here, rest) = way.split_first()?;
    check_skew(here.minor(), worker.minor()).ok()?;
    let arrived =
        |version: &KubeVersion| if rest.is_empty() { (version == *here).then_some(0) } else { fewest(rest, version) };
    let stay = arrived(worker);
    let is_newer = matches!(here.compare(worker), Comparison::Greater | Comparison::Different);
    let is_near = here.minor().minor - worker.minor().minor <= MAX_MINORS_BEHIND;
    let go = if is_newer && is_near { arrived(here).map(|moves| moves + 1) } else { None };
    stay.into_iter().chain(go).min()
}

fn way<'a>(situation: &'a Situation, plan: &'a Plan) -> Vec<&'a KubeVersion> {
    situation.control_plane.iter().chain(&plan.control_plane).collect()
}

fn is_defaulted(source: &Source) -> bool {
    match source {
        Source::Extension(extension) => extension.answer.as_ref().is_ok_and(|answer| answer.workers.is_empty()),
        Source::OneMinor | Source::VersionList(_) => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_can_be_walked((situation, source) in worlds()) {
        if let Ok(made) = plan(&situation, &source) {
            check_walk(&situation, &made);
        }
    }

    #[test]
    fn no_defaulted_plan_could_do_with_fewer_moves((situation, source) in worlds()) {
        if let Ok(made) = plan(&situation, &source) && is_defaulted(&source) {
            let way = way(&situation, &made);
            let mut all = 0;
            for (group, moves) in situation.groups.iter().zip(&made.groups) {
                if group.course == Course::Follows {
                    let least = fewest(&way, &group.version);
                    prop_assert_eq!(Some(moves.moves.len()), least, "{}", group.id);
                    all += least.unwrap_or_default();
                }
            }
            prop_assert_eq!(worker_moves(&made), all);
            // The list for all together is the way of those that are furthest behind, so no shorter than any.
            let longest = made.groups.iter().map(|group| group.moves.len()).max().unwrap_or_default();
            prop_assert!(made.workers.len() >= longest.min(1));
        }
    }

    /// A complete list and workers within skew: there is a plan, whatever the target.
    #[test]
    fn every_target_within_reach_has_a_plan(
        control_plane in 28u64..32,
        behind in prop::collection::vec(0u64..=3, 0..4),
        ahead in 0u64..12,
        patches in prop::collection::vec(0u64..3, 24),
    ) {
        let version = |minor: u64| format!("v1.{minor}.{}", patches[(minor - 25) as usize % 24]);
        let target = control_plane + ahead;
        let list: Vec<String> = (25..=target + 2).map(version).collect();
        let groups: Vec<String> =
            behind.iter().enumerate().map(|(at, behind)| format!("md-{at}={}", version(control_plane - behind))).collect();
        let situation = situation(&version(target), &version(control_plane), &groups.join(" "));
        let source = class(&list.join(" "));
        let made = plan(&situation, &source).unwrap();
        prop_assert_eq!(made.control_plane.len() as u64, ahead);
        check_walk(&situation, &made);
    }

    /// Rule W7 is told only where no way leads to the target.
    #[test]
    fn no_way_is_given_up_that_exists((situation, source) in worlds()) {
        if let Err(PlanError::NoVersionKnown { value, .. }) = plan(&situation, &source) {
            // The same without workers gives the way of the control plane.
            let alone = Situation { groups: Vec::new(), ..situation.clone() };
            let made = plan(&alone, &source).unwrap();
            prop_assert_eq!(fewest(&way(&alone, &made), &value), None);
        }
    }

    #[test]
    fn every_step_is_explained((situation, source) in worlds()) {
        if let Ok(made) = plan(&situation, &source) {
            let report = explain(&situation, &source, &made);
            let walked = walk(&situation, &made);
            prop_assert_eq!(report.steps.len(), walked.len());
            for (step, Move { mover, from, to }) in report.steps.iter().zip(walked) {
                prop_assert_eq!((&step.mover, &step.from, &step.to), (&mover, from, to));
                prop_assert!(step.refused.iter().all(|refused| refused.version != step.to));
            }
            let again = explain(&situation, &source, &plan(&situation, &source).unwrap());
            prop_assert_eq!(serde_json::to_string(&report).unwrap(), serde_json::to_string(&again).unwrap());
        }
    }

    /// Anything at all in place of versions: a plan or a reason, and a reason names its rule.
    #[test]
    fn nothing_makes_it_panic(
        target in ".{0,12}",
        control_plane in "v?1\\.3[0-9](\\.[0-9]{1,3})?(\\+[a-z.]{0,4})?",
        list in prop::collection::vec("v?[0-9.+a-z-]{0,12}", 0..8),
    ) {
        let facts = super::said::facts(&target, &control_plane, "v1.30.0");
        let sources = [class(&list.join(" ")), answer(&list.join(" "), &list.join(" ")), ONE];
        for source in &sources {
            if let Err(error) = Situation::read(&facts).and_then(|situation| plan(&situation, source)) {
                let rule: Rule = error.rule();
                let text = error.to_string();
                prop_assert!(text.contains(&rule.to_string()), "{}", text);
            }
        }
    }
}
