//! Scenarios S20 to S26: the parts of a control plane, which are operators or components.

use headway_api::report::Form::{ClusterApi, Hosted, Standalone};

use super::story::{Story, story};
use super::world::{Ill, Start};

const NO_OPERATORS: &str = "a control plane of Cluster API has no operators, and its parts are not objects \
                of their own";
const NO_ROLLOUT: &str = "the parts of a control plane of Cluster API have no version and no rollout of \
                their own: their machine has";
const WATCHED: &str = "one snapshot of a fleet holds the last change of a condition alone; how often \
                it changed only a watch tells";

pub(super) fn stories() -> Vec<Story> {
    vec![
        story(20, "a part is degraded, and gets worse without an event")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts_are(Ill::Degraded, 1, 4 * 60 + 59);
                },
                &[("parts", "1 unwell, 0 unknown"), ("health", "")],
            )
            .then(|w| w.clock(2), &[("verdict", "Updating/NeedsAttention"), ("health", "Warning PART-DEGRADED")])
            .then(|w| w.start(Start::Begun), &[("health", "")])
            .then(|w| w.parts_are(Ill::Degraded, 1, 40 * 60), &[("health", "Warning PART-DEGRADED")])
            .then(|w| w.clock(1), &[("health", "Error PART-DEGRADED")]),
        story(20, "a part is unavailable")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts_are(Ill::Unavailable, 1, 5 * 60);
                },
                &[("health", "")],
            )
            .then(|w| w.clock(15 * 60), &[("health", "Warning PART-UNAVAILABLE")])
            .then(|w| w.clock(1), &[("health", "Error PART-UNAVAILABLE")])
            .not(
                ClusterApi,
                "the parts of a control plane of Cluster API say that they are healthy, and not \
                whether they are available",
            ),
        story(21, "a part that does not say whether it is available").then(
            |w| {
                w.start(Start::Begun);
                w.parts_are(Ill::Silent, 1, 3_600);
            },
            &[("parts", "0 unwell, 1 unknown"), ("health", "")],
        ),
        story(22, "a part that does not say its version")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(1, 1);
                    w.parts_are(Ill::Nameless, 1, 3 * 60);
                },
                &[("done", "0%"), ("part", "True/Progressing")],
            )
            .not(ClusterApi, NO_ROLLOUT),
        story(23, "a part that is done goes on working")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(1, 1);
                    w.parts_are(Ill::Busy, 1, 3 * 60);
                },
                &[("part", "-"), ("health", "")],
            )
            .but(
                Hosted,
                "part",
                "True/Progressing",
                "a component has its version before all of its pods do: only RolloutComplete \
                says that it is done",
            )
            .not(ClusterApi, NO_ROLLOUT),
        story(24, "a slow part")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts_are(Ill::Slow, 1, 30 * 60);
                },
                &[("health", "")],
            )
            .then(|w| w.clock(60), &[("health", "Warning PART-SLOW"), ("impact PART-SLOW", "Update Speed")])
            .not(ClusterApi, NO_ROLLOUT),
        story(25, "a part is deleted during the update")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.parts(8, 4);
                    w.parts_are(Ill::Degraded, 1, 6 * 60);
                },
                &[("done", "50%"), ("health", "Warning PART-DEGRADED")],
            )
            .then(|w| w.part_goes(), &[("done", "57%"), ("parts", "0 unwell, 0 unknown"), ("health", "")])
            .not(ClusterApi, NO_OPERATORS),
        story(26, "a condition that flaps")
            .elsewhere(Standalone, "core/tests/scenarios/watching.rs")
            .not(Hosted, WATCHED)
            .not(ClusterApi, WATCHED),
    ]
}
