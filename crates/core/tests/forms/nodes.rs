//! Scenarios S27 to S38: single nodes.

use headway_api::report::Form::ClusterApi;

use super::story::{Story, story};
use super::world::{Ailment, Group, Start, Step};

const ITS_OWN_VERSION: &str = "a machine carries its version itself, and no object stands between";

pub(super) fn stories() -> Vec<Story> {
    vec![
        story(27, "a node waits").then(
            |w| w.start(Start::Begun),
            &[("node 1", "Outdated Pending old"), ("available 1", "True"), ("health", "")],
        ),
        story(28, "a node drains").then(
            |w| {
                w.start(Start::Workers);
                w.nodes(Group::Workers, &[Step::New, Step::Draining, Step::Old]);
            },
            &[("node 1", "Progressing Draining old"), ("available 1", "True"), ("health", "")],
        ),
        story(29, "a node is told to change, and nothing has begun")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.nodes(Group::Workers, &[Step::New, Step::Asked, Step::Old]);
                },
                &[
                    ("node 1", "Progressing Draining old"),
                    ("pool workers", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
                    ("health", ""),
                ],
            )
            .but(ClusterApi, "node 1", "Progressing Updating old", NO_DRAIN)
            .but(ClusterApi, "pool workers", "Progressing 33% (1/3), 3 available, 1 progressing", NO_DRAIN),
        story(30, "a node is being changed where it stands").then(
            |w| {
                w.start(Start::Workers);
                w.nodes(Group::Workers, &[Step::New, Step::Changing, Step::Old]);
            },
            &[("node 1", "Progressing Updating old"), ("available 1", "True"), ("health", "")],
        ),
        story(30, "a node restarts")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.nodes(Group::Workers, &[Step::New, Step::Rebooting, Step::Old]);
                },
                &[("node 1", "Progressing Rebooting old"), ("health", "")],
            )
            .not(ClusterApi, "a machine is replaced, or changed in place, and does not tell of a restart"),
        story(31, "a node on its way is not ready for three minutes")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.nodes(Group::Workers, &[Step::New, Step::Rebooting, Step::Old]);
                    w.node_is(1, Ailment::NotReady, 3 * 60);
                },
                &[("node 1", "Progressing Rebooting old"), ("available 1", "True"), ("health", "")],
            )
            .but(ClusterApi, "node 1", "Progressing Updating old", "a machine does not tell of a restart"),
        story(32, "a node that is done is not ready")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.node_is(0, Ailment::NotReady, 4 * 60);
                },
                &[("node 0", "Unavailable Updated new"), ("available 0", "False"), ("health", "")],
            )
            .then(
                |w| w.clock(120),
                &[
                    ("verdict", "Updating/NeedsAttention"),
                    ("node 0", "Unavailable Updated new"),
                    ("health", "Warning NODE-UNAVAILABLE"),
                    ("names NODE-UNAVAILABLE", "0"),
                    ("impact NODE-UNAVAILABLE", "Update Speed"),
                ],
            ),
        story(33, "a node is cordoned by hand")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.cordon(2);
                },
                &[("node 2", "Unavailable Pending old"), ("available 2", "False"), ("health", "")],
            )
            .not(ClusterApi, "a Machine does not tell that its node is cordoned"),
        story(34, "a node has disk pressure")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.node_is(0, Ailment::DiskPressure, 59);
                },
                &[("node 0", "Unavailable Updated new"), ("health", "")],
            )
            .then(|w| w.clock(2), &[("node 0", "Unavailable Updated new"), ("health", "Warning NODE-UNAVAILABLE")]),
        story(35, "a node tells nothing of its version").then(
            |w| {
                w.start(Start::Workers);
                w.node_tells_nothing(2);
            },
            &[
                ("node 2", "Outdated Pending ?"),
                ("pool workers", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
            ],
        ),
        story(36, "a node is at the target, and nothing says what it is to have")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.node_without_a_wish(2);
                },
                &[
                    ("node 2", "Unavailable Updated new"),
                    ("pool workers", "Progressing 67% (2/3), 1 available, 1 progressing, 1 draining"),
                    ("health", ""),
                ],
            )
            .but(ClusterApi, "node 2", "Completed Updated new", NO_DAEMON)
            .but(
                ClusterApi,
                "pool workers",
                "Progressing 67% (2/3), 2 available, 1 progressing, 1 draining",
                NO_DAEMON,
            ),
        story(37, "a change of configuration outside an update")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.configuration_changes();
                },
                &[("verdict", "NotUpdating/NotUpdating"), ("health", ""), ("hints", "1")],
            )
            .but(
                ClusterApi,
                "verdict",
                "Updating/Updating",
                "another template replaces machines as an upgrade does, and Cluster API goes \
                through the same steps; the hint says that no version moves",
            ),
        story(38, "the configuration of a node is an object that is gone")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.nodes(Group::Workers, &[Step::New, Step::Draining, Step::Old]);
                    w.configuration_is_gone(2);
                },
                &[("node 2", "Unavailable Pending ?"), ("health", "")],
            )
            .not(ClusterApi, ITS_OWN_VERSION),
    ]
}

const NO_DAEMON: &str = "no daemon works on a machine, so that one without a wish is in service";

const NO_DRAIN: &str = "a machine that is changed in place is not drained by Cluster API";
