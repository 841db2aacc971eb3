//! Health insights: all rules of update-status-api.md, 3.6, that one snapshot can answer (status-openshift.md, 8).
//!
//! Each rule is a function in a file of its kind; here they are run, grouped, folded into their causes and sorted.

mod alert;
pub(super) mod drain;
mod flapping;
mod fold;
mod node;
mod operator;
mod pool;
mod version;

use std::cmp::Reverse;

use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule, Scope};
use headway_api::report::Activity;
use sha2::{Digest, Sha256};

use super::cluster::ClusterView;
use super::operators::OperatorView;
use super::pools::PoolViews;
use super::world::World;

pub(super) use drain::{Drain, drains, tell_blockers};

/// References that the peer prints, by its names for them (status-openshift.md, 8), and those of our own rules.
pub(super) mod reference {
    pub(in crate::assess) const OPERATOR_DEGRADED: &str = "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDegraded.md";
    pub(in crate::assess) const OPERATOR_DOWN: &str =
        "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDown.md";
    pub(in crate::assess) const HISTORY: &str = "https://docs.openshift.com/container-platform/latest/updating/troubleshooting_updates/gathering-data-cluster-update.html#gathering-clusterversion-history-cli_troubleshooting_updates";
    pub(in crate::assess) const MACHINE_CONFIG: &str = "https://docs.openshift.com/container-platform/latest/post_installation_configuration/machine-configuration-tasks.html#understanding-the-machine-config-operator";
    pub(in crate::assess) const PAUSED: &str = "https://docs.openshift.com/container-platform/latest/support/troubleshooting/troubleshooting-operator-issues.html#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues";
    pub(in crate::assess) const HYPERSHIFT: &str = "https://hypershift.pages.dev/how-to/upgrades/";
    pub(in crate::assess) const BUDGETS: &str = "https://kubernetes.io/docs/tasks/run-application/configure-pdb/";
}

/// All that a health rule may look at.
pub(super) struct Scene<'s, 'a> {
    pub(super) world: &'s World<'a>,
    pub(super) cluster: &'s ClusterView,
    pub(super) operators: &'s [OperatorView<'a>],
    pub(super) pools: &'s PoolViews<'a>,
    pub(super) drains: &'s [Drain<'a>],
    pub(super) activity: Activity,
}

/// All insights, worst first; equally bad ones newest first, those without a time last.
pub(super) fn insights(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let as_oc = scene.world.as_oc();
    let mut all = if as_oc { found_as_oc(scene) } else { found(scene) };
    if as_oc {
        // The peer drops what is not complete: oc_15_3_7.
        all.retain(|insight| {
            ![&insight.summary, &insight.description, &insight.reference].iter().any(|t| t.is_empty())
        });
    } else {
        all = fold::into_causes(all);
    }
    finish(all)
}

/// Insights as they are told: in their order, each with its identity, and none with more objects than it may name.
pub(super) fn finish(mut all: Vec<Insight>) -> Vec<Insight> {
    sort(&mut all);
    for insight in &mut all {
        insight.uid = uid(insight);
        let kept = insight.resources.len().min(Insight::MAX_RESOURCES);
        // What was left out of it before stays counted.
        insight.resources_omitted += insight.resources.len() - kept;
        insight.resources.truncate(kept);
    }
    all
}

/// Worst first; equally bad ones newest first, those without a time last.
pub(super) fn sort(insights: &mut [Insight]) {
    insights.sort_by_key(|insight| Reverse(insight.since));
    insights.sort_by_key(|insight| Reverse(insight.level));
}

/// The peer's rules, in the peer's order, which decides between equals (8).
fn found_as_oc(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let mut all = Vec::new();
    for pool in &scene.pools.pools {
        for view in &pool.nodes {
            all.extend(node::unavailable(scene, view, Some(pool)));
            all.extend(node::degraded(scene, view, Some(pool)));
        }
        all.extend(pool::paused(pool));
    }
    all.extend(alert::firing_as_oc(scene));
    all.extend(version::failing(scene));
    all.extend(scene.operators.iter().flat_map(|view| operator::unhealthy(scene, view)));
    all.extend(version::partial(scene));
    all
}

fn found(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let mut all = Vec::new();
    all.extend(version::forced(scene));
    all.extend(version::invalid(scene));
    all.extend(version::not_accepted(scene));
    all.extend(version::contradiction(scene));
    if scene.activity == Activity::NotUpdating {
        // Health is told of updates, not of clusters at rest (update-status-api.md, R26).
        return all;
    }
    for pool in &scene.pools.pools {
        all.extend(drain::blocked(scene, pool));
        all.extend(node::grouped(scene, &pool.nodes, Some(pool)));
        all.extend(pool::paused(pool));
        all.extend(pool::render(scene, pool));
        all.extend(pool::lagging(scene, pool));
    }
    all.extend(node::grouped(scene, &scene.pools.unpooled, None));
    all.extend(pool::ambiguous(scene));
    all.extend(alert::firing(scene));
    all.extend(flapping::found(scene));
    all.extend(version::stalled(scene));
    all.extend(version::failing(scene));
    for view in scene.operators {
        all.extend(operator::unhealthy(scene, view));
        all.extend(operator::slow(scene, view));
    }
    all.extend(version::partial(scene));
    all
}

/// An insight of which the caller fills in what there is to say.
pub(super) fn draft(rule: Rule, level: Level, impact: Impact, scope: Scope) -> Insight {
    Insight {
        uid: String::new(),
        rule,
        level,
        impact,
        since: None,
        summary: String::new(),
        description: String::new(),
        advice: String::new(),
        reference: String::new(),
        scope,
        resources: Vec::new(),
        resources_omitted: 0,
        first_observed_at: None,
        last_observed_at: None,
        occurrences: None,
        related: Vec::new(),
    }
}

/// The identity of an insight: its rule and the objects it speaks of (update-status-api.md, 3.6, "Identity"). Where
/// its rule left a text in the place of the identity, that tells insights about the same objects apart.
fn uid(insight: &Insight) -> String {
    let is_of_identity = |at: usize, resource: &ResourceRef| match insight.rule {
        // What else these speak of comes and goes while the trouble stays the same.
        Rule::UpdateStalled | Rule::DrainBlocked => at == 0,
        Rule::PoolAmbiguous => resource.resource == "machineconfigpools",
        // A group of nodes is known by its pool and its cause, which its rule left as the text.
        Rule::NodeUnavailable | Rule::NodeDegraded => insight.uid.is_empty(),
        _ => true,
    };
    let speaks_of = insight.resources.iter().enumerate().filter(|(at, resource)| is_of_identity(*at, resource));
    let mut names: Vec<String> =
        speaks_of.map(|(_, r)| format!("{}/{}", r.qualified_resource(), r.qualified_name())).collect();
    names.sort();
    let mut hash = Sha256::new();
    hash.update(insight.rule.id());
    for name in &names {
        hash.update([0]);
        hash.update(name);
    }
    if !insight.uid.is_empty() {
        hash.update([1]);
        hash.update(&insight.uid);
    }
    let digest = hash.finalize();
    let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{hex}", insight.rule.id().to_lowercase())
}

fn version_ref(scene: &Scene<'_, '_>) -> ResourceRef {
    let name = scene.cluster.told.name.as_deref().unwrap_or("version");
    ResourceRef::cluster("config.openshift.io", "clusterversions", name)
}

fn operator_ref(name: &str) -> ResourceRef {
    ResourceRef::cluster("config.openshift.io", "clusteroperators", name)
}

pub(super) fn node_ref(name: &str) -> ResourceRef {
    ResourceRef::cluster("", "nodes", name)
}

fn pool_ref(name: &str) -> ResourceRef {
    ResourceRef::cluster("machineconfiguration.openshift.io", "machineconfigpools", name)
}

/// The text, or a note that there is none: an empty description would read as "nothing is wrong".
fn or_note(text: &str, note: &str) -> String {
    if text.is_empty() { note.to_owned() } else { text.to_owned() }
}

/// The first line of a text of any length, cut to what a line of a list can hold.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if line.chars().count() <= most && line.len() == text.trim().len() {
        return line.to_owned();
    }
    let cut: String = line.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", cut.trim_end())
}
