//! What the admission of Cluster API would say to another target (chained-upgrades.md, 6.1).

use serde_json::json;

use super::world::{Changes, held, machine, preview, workers};

const AT: &str = "/clusters/0/spec/topology/version";

/// A settled cluster at v1.31.0 that is to go elsewhere: the rules that stand against it.
#[track_caller]
fn check(changes: Changes<'_>, to: &str, expect: &[&str]) {
    let settled = [&[(AT, json!("v1.31.0"))], changes].concat();
    let preview = preview(&settled, to);
    let rules: Vec<String> = preview
        .holds
        .iter()
        .filter(|hold| hold.kind.to_string() == "Webhook")
        .map(|hold| {
            let rule = hold.message.rsplit_once("(rule ").unwrap().1.trim_end_matches(')');
            format!("{} {rule}", hold.weight)
        })
        .collect();
    assert_eq!(rules, expect, "{to}: {:?}", held(&preview));
}

#[test]
fn ch_adm_rules_by_number() {
    check(&[], "v1.32.0", &[]);
    check(&[], "v1.34.0", &[]);
    check(&[], "1.32.0", &[]);
    check(&[], "v1.32", &["Stuck A2"]);
    check(&[], "v1.35.0", &["Stuck A4"]);
    check(&[("/classes/0/spec/kubernetesVersions", json!(["v1.31.0", "1.32.0"]))], "v1.32.0", &["Stuck A4"]);
    check(&[("/classes/0/spec/kubernetesVersions", json!([]))], "v1.30.0", &["Stuck B3"]);
    check(&[("/classes/0/spec/kubernetesVersions", json!([]))], "v1.33.0", &["Stuck B4"]);
    check(&[("/classes/0/spec/kubernetesVersions", json!([]))], "v2.0.0", &["Stuck B4"]);
    check(&[("/classes/0/spec/kubernetesVersions", json!([]))], "v1.32.0", &[]);
    let pending = "/clusters/0/metadata/annotations/runtime.cluster.x-k8s.io~1pending-hooks";
    check(&[(pending, json!("AfterClusterUpgrade"))], "v1.32.0", &["Now B5"]);
    check(&[(pending, json!("AfterControlPlaneUpgrade"))], "v1.32.0", &[]);
    check(&[("/controlPlanes/0/spec/version", json!("v1.30.0"))], "v1.32.0", &["Now B6"]);
    check(&[("/controlPlanes/0/status/version", json!("v1.30.0"))], "v1.32.0", &["Now B6"]);
    check(&[("/machineDeployments", json!([workers("a", "v1.30.0")]))], "v1.32.0", &["Now B7"]);
    check(&[("/machines", json!([machine("a-0", "a", "v1.30.0", "v1.30.0")]))], "v1.32.0", &["Now B7"]);
    check(&[("/machinePools", json!([workers("p", "v1.30.0")]))], "v1.32.0", &["Now B8"]);
    let unsafe_one = "/clusters/0/metadata/annotations/unsafe.topology.cluster.x-k8s.io~1disable-update-version-check";
    check(&[(unsafe_one, json!("")), (pending, json!("AfterClusterUpgrade"))], "v1.32.0", &[]);
}

#[test]
fn ch_adm_17_a_target_that_left_the_list_holds_up_every_change() {
    let preview = preview(&[("/classes/0/spec/kubernetesVersions", json!(["v1.31.0", "v1.33.0"]))], "");
    assert_eq!(preview.verdict, headway_api::preview::Verdict::Refused);
    assert!(preview.holds[0].message.contains("every change of the Cluster is refused"), "{:?}", held(&preview));
}
