//! One cause, one line: findings that have another finding as their cause are folded into it
//! (update-status-api.md, 3.6, "Root-cause suppression").

use headway_api::insight::{Insight, Related, Rule};

use super::alert;

/// Folds what has a deeper cause into that cause. What is worse than its cause stays on its own.
///
/// The edges, from the upper finding to the deeper one: ClusterVersion failing, to the operators that its message
/// names; operator machine-config, to the degraded nodes and broken pools; a node that could not be drained, to the
/// budget that holds it; an alert about a budget or about a drain, to the drain that the budget holds; a request that
/// is not taken up, to the spec that is refused as a whole.
pub(super) fn into_causes(mut all: Vec<Insight>) -> Vec<Insight> {
    let mut at = 0;
    while at < all.len() {
        match cause_of(&all, at) {
            Some(cause) => {
                let upper = all.remove(at);
                let cause = if cause > at { cause - 1 } else { cause };
                fold(&mut all, cause, upper);
            }
            None => at += 1,
        }
    }
    all
}

fn fold(all: &mut [Insight], cause: usize, upper: Insight) {
    let Some(cause) = all.get_mut(cause) else {
        return;
    };
    let Insight { rule, since, summary, description, related, .. } = upper;
    cause.related.push(Related { rule, since, summary, description });
    cause.related.extend(related);
}

/// The position of the finding that causes the one at a position.
fn cause_of(all: &[Insight], at: usize) -> Option<usize> {
    let upper = all.get(at)?;
    let candidates = all
        .iter()
        .enumerate()
        .filter(|(position, deeper)| *position != at && deeper.level >= upper.level && causes(deeper, upper));
    // The worst of them; of equally bad ones the first.
    candidates.reduce(|best, next| if next.1.level > best.1.level { next } else { best }).map(|(position, _)| position)
}

fn causes(deeper: &Insight, upper: &Insight) -> bool {
    match (upper.rule, deeper.rule) {
        (Rule::CvFailing, Rule::CoUnavailable | Rule::CoDegraded) => {
            name(deeper).is_some_and(|operator| names_word(&upper.description, operator))
        }
        (Rule::CoDegraded | Rule::CoUnavailable, Rule::NodeDegraded | Rule::DrainBlocked | Rule::PoolRender) => {
            name(upper) == Some("machine-config")
        }
        (Rule::NodeDegraded, Rule::DrainBlocked) => {
            upper.description.contains("failed to drain node") && name(upper) == name(deeper)
        }
        (Rule::Alert, Rule::DrainBlocked) => match alert::budget_of(upper) {
            Some(budget) => {
                let mut budgets = deeper.resources.iter().filter(|resource| resource.group == "policy");
                budgets.any(|resource| resource.qualified_name() == budget)
            }
            None => alert::drained_node_of(upper).is_some_and(|node| name(deeper) == Some(node)),
        },
        (Rule::CvNotAccepted, Rule::CvInvalid) => true,
        _ => false,
    }
}

/// The first object that an insight speaks of.
fn name(insight: &Insight) -> Option<&str> {
    insight.resources.first().map(|resource| resource.name.as_str())
}

/// Whether a text has a name as a whole word: `dns` is not in `dns-default`.
fn names_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use headway_api::insight::{Impact, Level, ResourceRef, Scope};

    use super::super::{draft, node_ref};
    use super::*;

    fn found(rule: Rule, level: Level, resource: ResourceRef, summary: &str) -> Insight {
        let summary = summary.to_owned();
        Insight { summary, resources: vec![resource], ..draft(rule, level, Impact::UpdateStalled, Scope::WorkerPool) }
    }

    #[test]
    fn a_failed_drain_is_told_with_the_budget_that_holds_it() {
        let check = |alert: &str, node: &str, expect: usize| {
            let alert = ResourceRef::namespaced("", "alerts", "openshift-machine-config-operator", alert);
            let upper = found(Rule::Alert, Level::Warning, alert, "Alert is firing: drain failed (node w-1)");
            let deeper = found(Rule::DrainBlocked, Level::Error, node_ref(node), "Node cannot be drained");
            let left = into_causes(vec![upper, deeper]);
            assert_eq!(left.len(), expect, "{left:?}");
        };
        check("MCCDrainError", "w-1", 1);
        check("MCCDrainError", "w-2", 2);
        check("KubeNodePressure", "w-1", 2);
    }

    #[test]
    fn case_a41_an_invalid_request_is_told_once() {
        let version = || ResourceRef::cluster("config.openshift.io", "clusterversions", "version");
        let invalid = found(Rule::CvInvalid, Level::Error, version(), "invalid");
        let not_taken_up = found(Rule::CvNotAccepted, Level::Warning, version(), "not taken up");
        let left = into_causes(vec![invalid, not_taken_up]);
        let [only] = left.as_slice() else { panic!("one was to be left: {left:?}") };
        assert_eq!(only.rule, Rule::CvInvalid);
        assert_eq!(only.related.len(), 1);
    }

    #[test]
    fn names_are_whole_words() {
        let check = |text: &str, name: &str, expect: bool| assert_eq!(names_word(text, name), expect, "{text}");
        check("Cluster operators dns, etcd are degraded", "dns", true);
        check("Cluster operator dns-default is degraded", "dns", false);
        check("etcd", "etcd", true);
        check("kube-apiserver", "apiserver", false);
        check("", "etcd", false);
    }
}
