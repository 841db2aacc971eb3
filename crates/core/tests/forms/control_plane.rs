//! Scenarios S1 to S19: the cluster, its versions and its control plane.

use headway_api::report::Form::{ClusterApi, Hosted};

use super::story::{Story, story};
use super::world::{Group, Ill, Paused, Start, Step};

const COUNTS_MACHINES: &str = "what is counted of a cluster of Cluster API is its machines, workers included";
const NO_OPERATORS: &str = "a control plane of Cluster API has no operators, and its parts are not objects \
                of their own";
const NO_HISTORY: &str = "Cluster API keeps no history of versions";

pub(super) fn stories() -> Vec<Story> {
    vec![
        story(1, "nothing is updating").then(
            |w| w.start(Start::AtRest),
            &[
                ("verdict", "NotUpdating/NotUpdating"),
                ("cluster", "Completed False at rest"),
                ("done", "100%"),
                ("pool workers", "Completed 100% (3/3), 3 available"),
                ("node 0", "Completed Updated new"),
                ("healthy", "True"),
                ("health", ""),
            ],
        ),
        story(2, "a fresh installation").then(
            |w| w.start(Start::Installing),
            &[
                ("verdict", "Updating/Updating"),
                ("cluster", "Progressing True on its way"),
                ("versions", "Installation new from ?"),
                ("pool workers", "none"),
                ("health", ""),
            ],
        ),
        story(3, "six seconds in, with a paused pool")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(33, 4);
                    w.began(6);
                    w.pause(Group::Workers, Paused::Yes);
                },
                &[
                    ("verdict", "Updating/NeedsAttention"),
                    ("cluster", "Progressing True on its way"),
                    ("done", "12%"),
                    ("pool workers", "Excluded 0% (0/3), 3 available, 3 excluded"),
                    ("node 1", "Excluded Paused old"),
                    ("health", "Warning POOL-PAUSED"),
                    ("impact POOL-PAUSED", "Update Stalled"),
                ],
            )
            .not(ClusterApi, COUNTS_MACHINES),
        story(3, "a paused pool while the control plane is on its way").then(
            |w| {
                w.start(Start::Begun);
                w.pause(Group::Workers, Paused::Yes);
            },
            &[
                ("verdict", "Updating/NeedsAttention"),
                ("cluster", "Progressing True on its way"),
                ("pool workers", "Excluded 0% (0/3), 3 available, 3 excluded"),
                ("node 1", "Excluded Paused old"),
                ("health", "Warning POOL-PAUSED"),
            ],
        ),
        story(4, "from an update that never completed")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.previous_is_partial();
                },
                &[
                    ("versions", "Version new from old (partial)"),
                    ("health", "Warning PARTIAL"),
                    ("impact PARTIAL", "None"),
                    ("since PARTIAL", "true"),
                ],
            )
            .not(ClusterApi, NO_HISTORY),
        story(5, "stalled, with parts that are down for an hour")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(8, 7);
                    w.began(119 * 60);
                    w.last_change(80 * 60);
                    w.parts_are(Ill::Degraded, 4, 60 * 60);
                    w.parts_are(Ill::Unavailable, 1, 59 * 60);
                    w.fails(0);
                },
                &[
                    ("verdict", "Updating/Failing"),
                    ("cluster", "Stalled True on its way"),
                    ("healthy", "False"),
                    (
                        "health",
                        "Error PART-DEGRADED x4; Error PART-UNAVAILABLE; Error UPDATE-STALLED; Warning \
                FAILING",
                    ),
                    ("impact FAILING", "Update Stalled"),
                ],
            )
            .not(ClusterApi, NO_OPERATORS),
        story(5, "parts are unwell for an hour").then(
            |w| {
                w.start(Start::Begun);
                w.parts_are(Ill::Degraded, 2, 60 * 60);
            },
            &[
                ("cluster", "Progressing True on its way"),
                ("parts", "2 unwell, 0 unknown"),
                ("health", "Error PART-DEGRADED x2"),
            ],
        ),
        story(6, "slow, with a part that is down for twenty minutes")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(8, 7);
                    w.began(80 * 60);
                    w.last_change(45 * 60);
                    w.parts_are(Ill::Unavailable, 1, 20 * 60 + 24);
                },
                &[
                    ("verdict", "Updating/NeedsAttention"),
                    ("cluster", "Progressing - Slow True on its way"),
                    ("parts", "1 unwell, 0 unknown"),
                    ("health", "Error PART-UNAVAILABLE"),
                    ("impact PART-UNAVAILABLE", "API Availability"),
                ],
            )
            .not(
                ClusterApi,
                "Cluster API keeps no history that tells how long an upgrade takes: there is \
                progress or a stall, and nothing between",
            ),
        story(7, "two pools drain one node each").then(
            |w| {
                w.start(Start::Workers);
                w.nodes(Group::Workers, &[Step::Draining, Step::Old]);
                w.nodes(Group::Others, &[Step::Draining, Step::Old]);
            },
            &[
                ("verdict", "Updating/Updating"),
                ("pool workers", "Progressing 0% (0/2), 1 available, 1 progressing, 1 draining"),
                ("pool others", "Progressing 0% (0/2), 1 available, 1 progressing, 1 draining"),
                ("health", ""),
            ],
        ),
        story(8, "only parts of the release count")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(7, 3);
                    w.foreign_operator();
                },
                &[("done", "43%"), ("parts", "0 unwell, 0 unknown"), ("health", "")],
            )
            .not(ClusterApi, NO_OPERATORS),
        story(8, "a pool without nodes").then(
            |w| {
                w.start(Start::Begun);
                w.nodes(Group::Others, &[]);
            },
            &[("verdict", "Updating/Updating"), ("pool others", "Empty - (0/0), 0 available"), ("health", "")],
        ),
        story(9, "a control plane that does the work of its workers")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.nodes(Group::Workers, &[]);
                    w.nodes(Group::ControlPlane, &[Step::New, Step::Draining, Step::Old]);
                },
                &[
                    ("nodes", "0"),
                    ("pool workers", "Empty - (0/0), 0 available"),
                    ("pool cp", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
                    ("health", ""),
                ],
            )
            .not(Hosted, "a hosted control plane has no nodes that could do the work of workers"),
        story(10, "a single node, and a part with a short spell of trouble").then(
            |w| {
                w.start(Start::Begun);
                w.nodes(Group::Workers, &[Step::Old]);
                w.parts_are(Ill::Degraded, 1, 4 * 60);
            },
            &[("verdict", "Updating/Updating"), ("parts", "1 unwell, 0 unknown"), ("health", "")],
        ),
        story(11, "many nodes with one cause are one insight").then(
            |w| {
                w.start(Start::Workers);
                let mut steps = vec![Step::New; 22];
                steps.extend([Step::FailedToDrain; 7]);
                steps.extend([Step::Draining; 5]);
                steps.extend([Step::Old; 25]);
                w.nodes(Group::Workers, &steps);
            },
            &[
                ("verdict", "Updating/Failing"),
                ("pool workers", "Degraded 37% (22/59), 47 available, 5 progressing, 12 draining, 7 degraded"),
                ("health", "Error NODE-DEGRADED"),
                ("names NODE-DEGRADED", "0022,0023,0024,0025,0026,0027,0028"),
                ("scope NODE-DEGRADED", "WorkerPool"),
            ],
        ),
        story(12, "a degraded node with a long reason")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.nodes(Group::ControlPlane, &[Step::New, Step::Old, Step::Old]);
                    w.node_fails_for(Group::ControlPlane, 1, &"x".repeat(1836));
                },
                &[
                    ("verdict", "Updating/Failing"),
                    ("pool cp", "Degraded 33% (1/3), 3 available, 1 degraded"),
                    ("node cp 1", "Degraded Updating old"),
                    ("health", "Error NODE-DEGRADED"),
                    ("length NODE-DEGRADED", "1836"),
                    ("impact NODE-DEGRADED", "Update Stalled"),
                    ("scope NODE-DEGRADED", "ControlPlane"),
                ],
            )
            .but(
                Hosted,
                "scope NODE-DEGRADED",
                "WorkerPool",
                "a hosted control plane has no nodes, so the node is one of its workers",
            )
            .but(
                ClusterApi,
                "node cp 1",
                "Degraded Pending old",
                "a machine that a health check finds wanting waits for its replacement",
            ),
        story(13, "a migration to the multi-architecture payload")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.goes_multi();
                },
                &[
                    ("verdict", "Updating/Updating"),
                    ("versions", "MultiArchitecture new from new"),
                    ("done", "88%"),
                    ("cluster", "Progressing True on its way"),
                    ("health", ""),
                ],
            )
            .not(
                ClusterApi,
                "a cluster of Cluster API has no payload: machines of another architecture are \
                of another template",
            ),
        story(14, "the same, finished")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.was_multi();
                },
                &[
                    ("verdict", "NotUpdating/NotUpdating"),
                    ("versions", "MultiArchitecture new from new"),
                    ("cluster", "Completed False at rest"),
                    ("done", "100%"),
                    ("pool workers", "Completed 100% (3/3), 3 available"),
                    ("health", ""),
                ],
            )
            .not(
                ClusterApi,
                "a cluster of Cluster API has no payload: machines of another architecture are \
                of another template",
            ),
        story(15, "progressing, though the history is complete")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.contradicts_itself();
                },
                &[
                    ("verdict", "Unknown/CannotTell"),
                    ("cluster", "Unknown Unknown cannot tell"),
                    ("done", "99%"),
                    ("health", "Warning CONTRADICT"),
                ],
            )
            .not(
                ClusterApi,
                "Cluster API keeps no history that could contradict its conditions: what its \
                machines run decides",
            ),
        story(16, "no word of whether it progresses")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.says_nothing_of_progress();
                },
                &[("verdict", "Unknown/CannotTell"), ("cluster", "Unknown Unknown cannot tell")],
            )
            .not(
                ClusterApi,
                "what decides is what every machine says that its node runs; TopologyReconciled \
                is heard beside it",
            ),
        story(17, "nothing tells which version it has").then(
            |w| {
                w.start(Start::AtRest);
                w.no_version_is_told();
            },
            &[
                ("verdict", "Unknown/CannotTell"),
                ("cluster", "Unknown Unknown cannot tell"),
                ("versions", "Version ? from ?"),
            ],
        ),
        story(18, "no word of whether it fails")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.says_nothing_of_failing();
                },
                &[("healthy", "Unknown"), ("health", "Warning CV-FAILING-MISSING")],
            )
            .not(
                Hosted,
                "which condition tells it depends on HyperShift's version, so that one which is \
                missing says nothing",
            )
            .not(
                ClusterApi,
                "no condition of a Cluster is always there to say that nothing fails: \
                TopologyReconciled says so only when it does",
            ),
        story(19, "it may fail")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.may_fail();
                },
                &[("cluster", "Progressing True on its way"), ("health", "Warning FAILING")],
            )
            .not(
                Hosted,
                "HyperShift writes Unknown of everything while the guest is not heard (S64), \
                which is no sign of a failure",
            )
            .not(ClusterApi, "a topology is reconciled or it is not: nothing says that it may fail"),
        story(19, "it fails")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.fails(60);
                },
                &[
                    ("cluster", "Progressing True on its way"),
                    ("health", "Warning FAILING"),
                    ("impact FAILING", "Update Stalled"),
                ],
            )
            .but(ClusterApi, "cluster", "Degraded True blocked", FAILS_AT_ONCE)
            .but(ClusterApi, "health", "Error FAILING", FAILS_AT_ONCE)
            .then(|w| w.fails(6 * 60), &[("cluster", "Degraded True on its way"), ("health", "Warning FAILING")])
            .but(ClusterApi, "cluster", "Degraded True blocked", FAILS_AT_ONCE)
            .but(ClusterApi, "health", "Error FAILING", FAILS_AT_ONCE)
            .then(
                |w| w.fails(21 * 60),
                &[
                    ("verdict", "Updating/Failing"),
                    ("cluster", "Degraded True on its way"),
                    ("health", "Error FAILING"),
                ],
            )
            .but(ClusterApi, "cluster", "Degraded True blocked", FAILS_AT_ONCE),
    ]
}

const FAILS_AT_ONCE: &str = "what a topology asks for cannot be computed, and nothing goes on by itself: \
                that is no spell that passes";
