//! Scenarios S58 to S73: what the paper tells of one form, wherever another form can have it too.

use headway_api::report::Form::{ClusterApi, Hosted, Standalone};

use super::story::{Story, story};
use super::world::{Group, Paused, Start, Step};

const CHANGED_IN_PLACE: &str = "the nodes of a standalone cluster are changed where they stand, and its \
                machines are not looked at";
const ALL_FOLLOW: &str = "all pools follow their control plane without being asked";
const ONE_STEP: &str = "it goes from one version to the next; who wants to go further asks again";

pub(super) fn stories() -> Vec<Story> {
    vec![
        story(58, "another version is asked for, and nothing has begun")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.another_version_is_asked_for();
                },
                &[
                    ("verdict", "Updating/Updating"),
                    ("cluster", "Progressing True not begun"),
                    ("done", "0%"),
                    ("health", ""),
                ],
            )
            .but(Standalone, "verdict", "NotUpdating/NeedsAttention", NOT_TAKEN_UP)
            .but(Standalone, "cluster", "Completed False at rest", NOT_TAKEN_UP)
            .but(Standalone, "done", "100%", NOT_TAKEN_UP)
            .but(Standalone, "health", "Warning CV-NOT-ACCEPTED", NOT_TAKEN_UP)
            .but(
                ClusterApi,
                "cluster",
                "Pending False not begun",
                "Cluster API says of a control plane that it rolls out when it does",
            ),
        story(59, "two thirds of the parts of the control plane are done")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(30, 20);
                },
                &[("cluster", "Progressing True on its way"), ("done", "67%"), ("health", "")],
            )
            .not(ClusterApi, "what is counted of a cluster of Cluster API is its machines (S66)"),
        story(60, "workers stay behind, and nobody asked them to follow")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.workers_are_not_asked();
                },
                &[
                    ("verdict", "NotUpdating/NotUpdating"),
                    ("cluster", "Completed False at rest"),
                    ("pool workers", "Pending 0% (0/3), 3 available"),
                    ("health", ""),
                    ("hints", "1"),
                ],
            )
            .not(Standalone, ALL_FOLLOW)
            .not(
                ClusterApi,
                "a topology moves all its groups of workers, and a group without a topology has \
                no version to follow but its own",
            ),
        story(61, "a change in place fails on a node").then(
            |w| {
                w.start(Start::Workers);
                w.in_place_fails(1);
            },
            &[
                ("verdict", "Updating/Failing"),
                ("pool workers", "Degraded 33% (1/3), 3 available, 1 degraded"),
                ("health", "Error NODE-DEGRADED"),
                ("names NODE-DEGRADED", "1"),
                ("impact NODE-DEGRADED", "Update Stalled"),
            ],
        ),
        story(62, "a pool is paused half way").then(
            |w| {
                w.start(Start::Workers);
                w.nodes(Group::Workers, &[Step::New, Step::Old, Step::Old]);
                w.pause(Group::Workers, Paused::Yes);
            },
            &[
                ("verdict", "Updating/NeedsAttention"),
                ("pool workers", "Excluded 33% (1/3), 3 available, 2 excluded"),
                ("health", "Warning POOL-PAUSED"),
            ],
        ),
        story(63, "workers are too far from their control plane")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.nodes(Group::Workers, &[Step::Old; 3]);
                    w.workers_are_too_old();
                },
                &[("health", "Warning VERSION-SKEW")],
            )
            .but(
                ClusterApi,
                "health",
                "Error PLAN-REFUSED; Warning VERSION-SKEW; Info HOOK-BLOCKING",
                "a topology has no way on from workers that are too old, and its last hook \
                waits for it",
            )
            .not(
                Standalone,
                "the operators of a standalone cluster refuse the update before its nodes are \
                too old, and no object tells the distance",
            ),
        story(64, "the cluster's own API is out of reach")
            .then(|w| w.start(Start::Workers), &[("verdict", "Updating/Updating")])
            .then(
                |w| w.own_api_is_out_of_reach(),
                &[("verdict", "Updating/Updating"), ("gaps", "nothing is missing"), ("steady", "true"), ("health", "")],
            )
            .not(Standalone, "there is one API alone: out of reach, it tells nothing at all"),
        story(65, "a neighbour is on its way")
            .then(|w| w.start(Start::AtRest), &[("verdict", "NotUpdating/NotUpdating")])
            .then(|w| w.neighbour_moves(), &[("verdict", "NotUpdating/NotUpdating"), ("steady", "true")])
            .not(Standalone, "an API server has one ClusterVersion"),
        story(66, "nodes of the control plane roll, and the workers wait")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.nodes(Group::ControlPlane, &[Step::New, Step::Old, Step::Old]);
                },
                &[
                    ("verdict", "Updating/Updating"),
                    ("cluster", "Progressing True on its way"),
                    ("pool cp", "Progressing 33% (1/3), 3 available"),
                    ("pool workers", "Pending 0% (0/3), 3 available"),
                ],
            )
            .not(Hosted, "a hosted control plane has no nodes"),
        story(67, "a machine comes before another goes")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.surges();
                },
                &[
                    ("pool workers", "Progressing 33% (1/3 of 4), 2 available, 2 progressing"),
                    ("node 0", "Completed Updated new"),
                    ("node 1", "Progressing Provisioning ?"),
                    ("node 2", "Outdated Pending old"),
                    ("node 3", "Progressing Deleting old"),
                    ("health", ""),
                ],
            )
            .not(Standalone, CHANGED_IN_PLACE),
        story(68, "a machine drains, and no pod was seen")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.machine_drains(9);
                },
                &[("node 1", "Progressing Draining old"), ("health", "")],
            )
            .then(
                |w| w.clock(180),
                &[
                    ("health", "Warning DRAIN-BLOCKED"),
                    ("names DRAIN-BLOCKED", "1"),
                    ("impact DRAIN-BLOCKED", "Update Speed"),
                ],
            )
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.machine_drains(61);
                },
                &[("health", "Error DRAIN-BLOCKED"), ("impact DRAIN-BLOCKED", "Update Stalled")],
            )
            .not(
                Standalone,
                "a drain of the machine config operator says nothing of itself but that it goes \
                on: what holds it only a budget tells (S45)",
            ),
        story(69, "the upgrade of the workers is put off")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.workers_are_put_off();
                },
                &[
                    ("verdict", "Updating/Updating"),
                    ("pool workers", "Excluded 0% (0/3), 3 available, 3 excluded"),
                    ("node 0", "Excluded Paused old"),
                    ("health", "Info POOL-DEFERRED"),
                ],
            )
            .not(Standalone, "a pool is held back by a pause alone (S41)")
            .not(Hosted, "a pool that is not to follow is not asked to (S60)"),
        story(70, "a machine does not come")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.machine_does_not_come(3);
                },
                &[("node 1", "Progressing Provisioning ?"), ("health", "")],
            )
            .then(
                |w| w.machine_does_not_come(21),
                &[
                    ("verdict", "Updating/Failing"),
                    ("health", "Error MACHINE-NOT-CREATED"),
                    ("names MACHINE-NOT-CREATED", "1"),
                    ("impact MACHINE-NOT-CREATED", "Update Stalled"),
                ],
            )
            .not(Standalone, CHANGED_IN_PLACE),
        story(71, "the whole cluster is paused")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.nodes(Group::ControlPlane, &[Step::Old; 3]);
                    w.is_paused();
                },
                &[
                    ("verdict", "Updating/NeedsAttention"),
                    ("cluster", "Paused False paused"),
                    ("pool workers", "Excluded 0% (0/3), 3 available, 3 excluded"),
                    ("node 0", "Excluded Paused old"),
                    ("health", "Warning CLUSTER-PAUSED"),
                ],
            )
            .not(Standalone, "a ClusterVersion cannot be paused: pools can (S41)"),
        story(72, "the target is two steps away")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.chains();
                },
                &[("verdict", "Updating/Updating"), ("plan", "2"), ("cluster", "Progressing True on its way")],
            )
            .not(Standalone, ONE_STEP)
            .not(Hosted, ONE_STEP),
        story(73, "a change in place fails, and the others wait").then(
            |w| {
                w.start(Start::Workers);
                w.nodes(Group::Workers, &[Step::New, Step::Changing, Step::Old]);
                w.in_place_fails(1);
            },
            &[
                ("verdict", "Updating/Failing"),
                ("pool workers", "Degraded 33% (1/3), 3 available, 1 degraded"),
                ("node 2", "Outdated Pending old"),
                ("health", "Error NODE-DEGRADED"),
            ],
        ),
    ]
}

const NOT_TAKEN_UP: &str = "the cluster version operator takes up what is asked within seconds, or refuses \
                it: until then nothing is being updated, and that is told";
