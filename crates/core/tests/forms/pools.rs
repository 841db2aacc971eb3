//! Scenarios S39 to S47 and S51 to S53: pools, what holds them up, and how large they get.

use headway_api::report::Form::{ClusterApi, Hosted};

use super::story::{Story, story};
use super::world::{Group, Paused, Start, Step};

const ONE_OWNER: &str = "its machines and nodes name the one pool that they are of";
const NO_ALERTS: &str = "alerts of a cluster are in that cluster, and a management cluster is not asked \
                for them";

pub(super) fn stories() -> Vec<Story> {
    vec![
        story(39, "two pools choose one node")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.two_pools_choose(1);
                },
                &[("health", "Warning POOL-AMBIGUOUS"), ("pool others", "Pending 0% (0/1), 1 available")],
            )
            .not(Hosted, ONE_OWNER)
            .not(ClusterApi, ONE_OWNER),
        story(40, "nodes move from pool to pool")
            .elsewhere(headway_api::report::Form::Standalone, "core/tests/scenarios/workers.rs")
            .not(
                Hosted,
                "the label by which a node is of a NodePool is set when it is made, and its \
                Machine with it",
            )
            .not(
                ClusterApi,
                "the selector of a MachineDeployment cannot be changed, and what it owns is \
                owned by name",
            ),
        story(41, "a pool is paused and goes on")
            .then(
                |w| w.start(Start::Begun),
                &[
                    ("node 0", "Outdated Pending old"),
                    ("pool workers", "Pending 0% (0/3), 3 available"),
                    ("health", ""),
                ],
            )
            .then(
                |w| w.pause(Group::Workers, Paused::Yes),
                &[
                    ("node 0", "Excluded Paused old"),
                    ("pool workers", "Excluded 0% (0/3), 3 available, 3 excluded"),
                    ("health", "Warning POOL-PAUSED"),
                ],
            )
            .then(|w| w.clock(60), &[("kept POOL-PAUSED", "true")])
            .then(
                |w| w.pause(Group::Workers, Paused::No),
                &[
                    ("node 0", "Outdated Pending old"),
                    ("pool workers", "Pending 0% (0/3), 3 available"),
                    ("health", ""),
                ],
            ),
        story(42, "a node is deleted while it drains")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.budget_holds(1, 11);
                },
                &[("nodes", "3"), ("health", "Warning DRAIN-BLOCKED")],
            )
            .then(|w| w.node_goes(1), &[("nodes", "2"), ("node 1", "Outdated Pending old"), ("health", "")]),
        story(43, "a node comes, at the target").then(|w| w.start(Start::Workers), &[("nodes", "3")]).then(
            |w| w.node_comes(),
            &[("nodes", "4"), ("rises", "true"), ("node 3", "Completed Updated new"), ("health", "")],
        ),
        story(44, "what a pool is made of cannot be made")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.pool_is_invalid();
                },
                &[
                    ("verdict", "Updating/Failing"),
                    ("health", "Error POOL-INVALID"),
                    ("impact POOL-INVALID", "Update Stalled"),
                ],
            )
            .not(
                ClusterApi,
                "a MachineDeployment renders nothing: what its machines cannot be made of shows \
                on them (S70)",
            ),
        story(45, "a budget holds up a drain")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.budget_holds(1, 9);
                },
                &[("node 1", "Progressing Draining old"), ("blocked 1", "shop/shop-0 by all"), ("health", "")],
            )
            .then(
                |w| w.clock(120),
                &[
                    ("verdict", "Updating/NeedsAttention"),
                    ("health", "Warning DRAIN-BLOCKED"),
                    ("names DRAIN-BLOCKED", "1"),
                    ("kinds DRAIN-BLOCKED", "pods,poddisruptionbudgets"),
                    ("impact DRAIN-BLOCKED", "Update Speed"),
                ],
            )
            .then(|w| w.clock(60), &[("health", "Warning DRAIN-BLOCKED"), ("kept DRAIN-BLOCKED", "true")]),
        story(45, "a budget holds up a drain for an hour, and lets go")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.budget_holds(1, 60);
                },
                &[("health", "Warning DRAIN-BLOCKED")],
            )
            .then(
                |w| w.clock(1),
                &[
                    ("verdict", "Updating/Failing"),
                    ("health", "Error DRAIN-BLOCKED"),
                    ("impact DRAIN-BLOCKED", "Update Stalled"),
                ],
            )
            .then(|w| w.nodes(Group::Workers, &[Step::New, Step::Emptied, Step::Old]), &[("health", "")]),
        story(46, "what speaks for the nodes is folded into them")
            .then(
                |w| {
                    w.start(Start::Workers);
                    let mut steps = vec![Step::New, Step::Draining, Step::Old];
                    steps.extend([Step::Failed; 6]);
                    w.nodes(Group::Workers, &steps);
                    w.spokesman_complains();
                },
                &[
                    ("verdict", "Updating/Failing"),
                    ("health", "Error NODE-DEGRADED"),
                    ("names NODE-DEGRADED", "3,4,5,6,7,8"),
                ],
            )
            .not(
                ClusterApi,
                "the conditions by which a MachineDeployment speaks for its machines are its \
                health and no finding of their own",
            ),
        story(47, "which alerts count")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.alerts_fire();
                },
                &[("health", "Warning ALERT"), ("impact ALERT", "Unknown")],
            )
            .not(Hosted, NO_ALERTS)
            .not(ClusterApi, NO_ALERTS),
        story(51, "five thousand nodes on their way")
            .then(
                |w| {
                    w.start(Start::Workers);
                    let mut steps = vec![Step::New; 2_000];
                    steps.extend([Step::Draining; 500]);
                    steps.extend([Step::Old; 2_500]);
                    w.nodes(Group::Workers, &steps);
                },
                &[
                    ("verdict", "Updating/Updating"),
                    ("pool workers", "Progressing 40% (2000/5000), 4500 available, 500 progressing, 500 draining"),
                    ("nodes", "5000"),
                    ("health", ""),
                ],
            )
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.nodes(Group::Workers, &[Step::New; 5_000]);
                },
                &[
                    ("verdict", "NotUpdating/NotUpdating"),
                    ("pool workers", "Completed 100% (5000/5000), 5000 available"),
                ],
            ),
        story(52, "five thousand nodes, each degraded for its own reason").then(
            |w| {
                w.start(Start::Workers);
                w.nodes(Group::Workers, &[Step::FailedToDrain; 5_000]);
            },
            &[
                ("verdict", "Updating/Failing"),
                ("pool workers", "Degraded 0% (0/5000), 0 available, 5000 draining, 5000 degraded"),
                ("health", "Error NODE-DEGRADED"),
                ("omitted NODE-DEGRADED", "5000"),
                ("size NODE-DEGRADED", "bounded"),
            ],
        ),
        story(53, "a pool of 1,025 nodes").then(
            |w| {
                w.start(Start::Workers);
                let mut steps = vec![Step::Old; 1_024];
                steps.push(Step::New);
                w.nodes(Group::Workers, &steps);
            },
            &[("pool workers", "Progressing 0% (1/1025), 1025 available"), ("nodes", "1025"), ("health", "")],
        ),
    ]
}
