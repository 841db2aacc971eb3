//! Which hooks are asked, by whom, and which hold the cluster.

use serde_json::{Value, json};

use super::world::{Changes, check, extension, preview, reconciled, workers};

const PENDING: &str = "/clusters/0/metadata/annotations/runtime.cluster.x-k8s.io~1pending-hooks";
const ALL: [&str; 6] = [
    "a:BeforeClusterUpgrade",
    "b:BeforeControlPlaneUpgrade",
    "c:AfterControlPlaneUpgrade",
    "d:BeforeWorkersUpgrade",
    "e:AfterWorkersUpgrade",
    "f:AfterClusterUpgrade",
];

fn asked(changes: Changes<'_>) -> Vec<String> {
    let told = preview(changes, "").hooks.into_iter().map(|hook| {
        let at: Vec<String> = hook.at.iter().map(ToString::to_string).collect();
        let who: Vec<&str> = hook.handlers.iter().map(|handler| handler.name.as_str()).collect();
        format!("{} {}: {}", hook.hook, at.join(","), who.join(","))
    });
    told.collect()
}

#[test]
fn ch_4_6_hooks_by_step() {
    let four = [
        ("/clusters/0/spec/topology/version", json!("v1.34.0")),
        ("/machineDeployments", json!([workers("a", "v1.30.0"), workers("b", "v1.31.0")])),
        ("/extensions", json!([extension("x", &ALL)])),
    ];
    let expect = [
        "BeforeClusterUpgrade v1.34.0: a.x",
        "BeforeControlPlaneUpgrade v1.32.0,v1.33.0,v1.34.0: b.x",
        "AfterControlPlaneUpgrade v1.32.0,v1.33.0,v1.34.0: c.x",
        "BeforeWorkersUpgrade v1.33.0,v1.34.0: d.x",
        "AfterWorkersUpgrade v1.33.0,v1.34.0: e.x",
        "AfterClusterUpgrade v1.34.0: f.x",
    ];
    assert_eq!(asked(&four), expect);
    // Once begun, the first is not asked again, and what is pending is asked where the control plane is.
    let begun = [&four[..], &[(PENDING, json!("AfterClusterUpgrade,AfterControlPlaneUpgrade"))]].concat();
    let told = asked(&begun);
    assert_eq!(told[0], "BeforeControlPlaneUpgrade v1.32.0,v1.33.0,v1.34.0: b.x");
    assert_eq!(told[1], "AfterControlPlaneUpgrade v1.31.0,v1.32.0,v1.33.0,v1.34.0: c.x");
    // ch_4_9: workers that move first are not announced.
    let first = [
        ("/machineDeployments", json!([workers("a", "v1.28.0"), workers("b", "v1.31.0")])),
        ("/extensions", json!([extension("x", &["d:BeforeWorkersUpgrade"])])),
    ];
    assert_eq!(asked(&first), ["BeforeWorkersUpgrade v1.32.0: d.x"]);
}

#[test]
fn ch_5_4_selectors_say_who_is_asked() {
    let with = |selector: Value| {
        let mut extension = extension("x", &["a:BeforeClusterUpgrade"]);
        extension["spec"] = json!({"namespaceSelector": selector});
        ("/extensions", json!([extension]))
    };
    let is_asked = |changes: Changes<'_>| !asked(changes).is_empty();
    assert!(is_asked(&[with(json!({}))]));
    assert!(is_asked(&[with(json!({"matchLabels": {"kubernetes.io/metadata.name": "bay"}}))]));
    assert!(!is_asked(&[with(json!({"matchLabels": {"kubernetes.io/metadata.name": "lake"}}))]));
    let team = with(json!({"matchLabels": {"team": "a"}}));
    let namespace = |team: &str| ("/namespaces", json!([{"metadata": {"name": "bay", "labels": {"team": team}}}]));
    assert!(is_asked(&[team.clone(), namespace("a")]));
    assert!(!is_asked(&[team.clone(), namespace("b")]));
    // Without the namespace it is not known, and that is said.
    let told = preview(std::slice::from_ref(&team), "");
    assert!(told.hooks.is_empty());
    assert!(
        told.remarks.iter().any(|remark| remark.contains("ExtensionConfig/x is asked is not known")),
        "{:?}",
        told.remarks
    );
}

#[test]
fn ch_4_4_annotations_hold_up_the_beginning() {
    const KEY: &str = "/clusters/0/metadata/annotations/before-upgrade.hook.cluster.cluster.x-k8s.io~1backup";
    let told = "the upgrade does not begin while the annotation before-upgrade.hook.cluster.cluster.x-k8s.io/backup is on the Cluster";
    let annotated = [(KEY, json!(""))];
    check(&annotated, &["Held", &format!("Now Annotation: {told}")]);
    // Cluster API tells of it in the name of a hook; it is one cause and one line.
    let condition = "* Following hooks are blocking upgrade: BeforeClusterUpgrade: annotation before-upgrade.hook.cluster.cluster.x-k8s.io/backup is set";
    let both =
        [&annotated[..], &[("/clusters/0/status/conditions", reconciled("ClusterUpgrading", condition))]].concat();
    check(&both, &["Held", &format!("Now Annotation: {told}")]);
    // Once begun it holds up nothing.
    check(&[annotated[0].clone(), (PENDING, json!("AfterClusterUpgrade"))], &["UnderWay"]);
}

#[test]
fn ch_7_2_hooks_that_wait() {
    let condition = "* Following hooks are blocking upgrade: AfterControlPlaneUpgrade: soak 2h; BeforeWorkersUpgrade";
    let changes = [
        ("/clusters/0/status/conditions", reconciled("ClusterUpgrading", condition)),
        (
            "/extensions",
            json!([extension("x", &["c:AfterControlPlaneUpgrade"]), extension("y", &["c:AfterControlPlaneUpgrade"])]),
        ),
    ];
    check(
        &changes,
        &[
            "Held",
            "Now Hook: hook AfterControlPlaneUpgrade, registered by ExtensionConfig `x` (handler c.x); registered by ExtensionConfig `y` (handler c.y): it says \"soak 2h\"",
            "Now Hook: hook BeforeWorkersUpgrade, none of the ExtensionConfigs that were seen registers it: it gives no reason",
        ],
    );
    // A condition that is true says nothing of hooks.
    let mut well = reconciled("ReconcileSucceeded", condition);
    well[0]["status"] = json!("True");
    check(&[("/clusters/0/status/conditions", well)], &["Ready"]);
}
