//! Scenarios S48 to S50, S54 to S57 and S74: who watches, writes and reads, and what a clock does.
//!
//! What an operator does with informers and writes is tested where it is done; here is what one look says.

use headway_api::report::Form::{ClusterApi, Hosted, Standalone};

use super::story::{Story, story};
use super::world::{Group, Ill, Paused, Start};

const NO_INFORMERS: &str = "one look at a fleet has no informers; that a watch breaks is the operator's \
                matter, whatever it watches";
const SAME_WRITES: &str = "what is written, paced and shrunk is an object of ours, and in no way of the \
                form that it tells of";
const SAME_OBJECTS: &str = "what is read back is an object of ours, whose words are those of every form";
const ITS_OWN_ANNOTATION: &str = "the annotation is one of the ClusterVersion, which this form has none of its \
                own of";

pub(super) fn stories() -> Vec<Story> {
    vec![
        story(48, "who looks again sees the same")
            .then(
                |w| {
                    w.start(Start::Begun);
                    w.pause(Group::Workers, Paused::Yes);
                    w.parts_are(Ill::Degraded, 1, 10 * 60);
                },
                &[("verdict", "Updating/NeedsAttention"), ("health", "Warning PART-DEGRADED; Warning POOL-PAUSED")],
            )
            .then(|w| w.clock(1), &[("steady", "true")]),
        story(49, "a watch is broken")
            .elsewhere(Standalone, "core/tests/scenarios/watching.rs")
            .not(Hosted, NO_INFORMERS)
            .not(ClusterApi, NO_INFORMERS),
        story(50, "a watch starts again and finds less")
            .elsewhere(Standalone, "core/tests/scenarios/watching.rs")
            .not(Hosted, NO_INFORMERS)
            .not(ClusterApi, NO_INFORMERS),
        story(54, "a write fails")
            .elsewhere(Standalone, "core/tests/publish/ladder.rs")
            .not(Hosted, SAME_WRITES)
            .not(ClusterApi, SAME_WRITES),
        story(55, "the object of the cluster is alone seen, and says that all is done").then(
            |w| {
                w.start(Start::AtRest);
                w.only_the_cluster_is_seen();
            },
            &[("verdict", "Unknown/CannotTell"), ("gaps", "something is missing"), ("health", "")],
        ),
        story(56, "an object of a newer writer is read")
            .elsewhere(Standalone, "core/tests/publish/reading.rs")
            .not(Hosted, SAME_OBJECTS)
            .not(ClusterApi, SAME_OBJECTS),
        story(57, "the clock jumps back an hour")
            .then(
                |w| {
                    w.start(Start::Workers);
                    w.pause(Group::Workers, Paused::Yes);
                },
                &[("health", "Warning POOL-PAUSED")],
            )
            .then(|w| w.clock(-3_600), &[("negative", "false"), ("steady", "true")]),
        story(57, "the clock jumps back an hour while a control plane is on its way")
            .then(|w| w.start(Start::Begun), &[("cluster", "Progressing True on its way")])
            .then(
                |w| w.clock(-3_600),
                &[("cluster", "Progressing True on its way"), ("negative", "false"), ("steady", "true")],
            ),
        story(74, "an insight is forced")
            .then(
                |w| {
                    w.start(Start::AtRest);
                    w.is_forced();
                },
                &[("health", "Info FORCED"), ("verdict", "NotUpdating/NotUpdating"), ("impact FORCED", "None")],
            )
            .then(|w| w.clock(1), &[("health", "Info FORCED"), ("kept FORCED", "true")])
            .not(Hosted, ITS_OWN_ANNOTATION)
            .not(ClusterApi, ITS_OWN_ANNOTATION),
    ]
}
