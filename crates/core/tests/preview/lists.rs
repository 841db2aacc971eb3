//! Version lists with the clusters that use them.

use headway_core::preview::check_lists;
use serde_json::json;

use super::world::{Changes, inventory};

const LIST: &str = "/classes/0/spec/kubernetesVersions";

#[track_caller]
fn check(changes: Changes<'_>, passed: bool, expect: &[&str]) {
    let listing = check_lists(&inventory(changes));
    let faults = listing.classes.iter().flat_map(|class| &class.faults);
    let told: Vec<String> =
        faults.map(|fault| format!("{} {}: {}", fault.severity, fault.rule, fault.message)).collect();
    assert_eq!(told, expect);
    assert_eq!((listing.passed, &listing.classes[0].clusters), (passed, &vec!["bay/gull".to_owned()]));
}

#[test]
fn ch_adm_17_clusters_must_find_their_versions() {
    check(&[], true, &[]);
    let missing =
        "error A4: Cluster bay/gull has the target v1.32.0, which is not in the list: every change of it is refused";
    let ends = "error C4: Cluster bay/gull cannot reach its target v1.32.0 with this list: the control plane would end at v1.31.0 and not at the target v1.32.0 (rule C4)";
    check(
        &[(LIST, json!(["v1.31.0", "v1.33.0"]))],
        false,
        &["error C3: v1.32 is missing: [1] v1.33.0 follows [0] v1.31.0, and no upgrade skips a minor", missing, ends],
    );
    // Case B24: the list loses a version that a cluster has still before it.
    let far = [("/clusters/0/spec/topology/version", json!("v1.33.0")), (LIST, json!(["v1.33.0", "v1.34.0"]))];
    check(
        &far,
        false,
        &[
            "error C3: Cluster bay/gull cannot reach its target v1.33.0 with this list: control plane [0], v1.33.0, cannot follow v1.31.0: no version of v1.32 comes between (rule C3)",
        ],
    );
    check(
        &[(LIST, json!([]))],
        true,
        &["note A4: the class has no list: its clusters are upgraded one minor at a time"],
    );
    let extension = ("/classes/0/spec/upgrade", json!({"external": {"generateUpgradePlanExtension": "plan.acme"}}));
    check(
        &[extension],
        true,
        &["note A4: extension plan.acme plans the upgrades; the list only says which targets are let in"],
    );
    let unseen = [("/controlPlanes", json!([]))];
    check(
        &unseen,
        true,
        &["note C3: where Cluster bay/gull is on its way is not known: its control plane was not seen"],
    );
}
