//! The small public cases beside a checkout that are about clusters of Cluster API: what the `expected.md` of each asks
//! of `headway status`. They are read where they lie and never copied.

use serde_json::Value;

use super::program::headway;
use super::shared::{FOLDER, present, squeezed};

struct Case<'a> {
    from: &'a str,
    at: &'a str,
    /// Texts that the output must hold; columns are apart by one space.
    shows: &'a [&'a str],
    /// Texts that it may not hold.
    hides: &'a [&'a str],
    /// Places in the JSON, and the JSON that must stand there.
    json: &'a [(&'a str, &'a str)],
    /// The code with `--exit-code`.
    code: i32,
}

#[track_caller]
fn check(case: &Case<'_>) {
    if !present() {
        return;
    }
    let from = format!("{FOLDER}/{}", case.from);
    let mut words = vec!["status", "--from", &from];
    if !case.at.is_empty() {
        words.extend(["--at", case.at]);
    }
    let text = headway(&[&words[..], &["--details=health", "--exit-code"]].concat());
    assert_eq!(text.code, case.code, "{}{}", text.out, text.err);
    let shown = squeezed(&text.out);
    for wanted in case.shows {
        assert!(shown.contains(wanted), "not shown: {wanted}\n{shown}");
    }
    for unwanted in case.hides {
        assert!(!shown.contains(unwanted), "shown: {unwanted}\n{shown}");
    }
    let json = headway(&[&words[..], &["-o", "json"]].concat());
    assert_eq!(json.code, 0, "told without --exit-code");
    let report: Value = serde_json::from_str(&json.out).expect("the report is JSON");
    for (place, wanted) in case.json {
        let wanted: Value = serde_json::from_str(wanted).expect("the table holds JSON");
        assert_eq!(report.pointer(place), Some(&wanted), "{place}");
    }
}

#[test]
fn case_b01_a_chain_that_cannot_move() {
    check(&Case {
        from: "dev-b01-chained-no-step-annotation",
        at: "",
        shows: &[
            "Assessment: Stalled",
            "Target Version: v1.34.2 (from v1.31.4)",
            "Step: 1 of 3, to v1.32.6; then v1.33.5, v1.34.2",
            "Completion: 0% of this step (0 of 3 machines)",
            "Duration: 2h",
            "machines of the control plane may not be created: the spec version v1.32.6 of KubeadmControlPlane/c1-cp differs from the topology version v1.34.2, and no upgrade step is recorded on the Cluster",
            "cluster-api#13517",
        ],
        hides: &["Update is proceeding well"],
        json: &[
            ("/cluster/versions/plan", r#"["v1.32.6", "v1.33.5", "v1.34.2"]"#),
            ("/cluster/versions/position", r#"{"step": 1, "of": 3}"#),
            ("/cluster/updating/reason", r#""Blocked""#),
            ("/insights/0/rule", r#""H-UPDATE-BLOCKED""#),
            ("/insights/0/since", r#""2026-06-10T08:00:00Z""#),
            ("/outcome", r#""Failing""#),
        ],
        code: 5,
    });
}

#[test]
fn case_b07_a_hook_holds_the_upgrade() {
    check(&Case {
        from: "dev-b07-hook-blocking",
        at: "2026-06-10T10:10:00Z",
        shows: &[
            "Assessment: Pending",
            "Target Version: v1.34.2 (from v1.33.5)",
            "Waiting On: hook BeforeClusterUpgrade",
            "registered by ExtensionConfig `addons` (handler before-upgrade.addons)",
            "waiting for CNI chart 1.19 to finish on 2 of 5 nodes",
            "Since: 3h",
            "Level: Info",
            "Next in line: control plane, then c1-md-a.",
        ],
        hides: &["after-cp.addons", "AfterControlPlaneUpgrade", "Level: Error", "Level: Warning", "proceeding well"],
        json: &[
            ("/insights/0/rule", r#""H-HOOK-BLOCKING""#),
            ("/insights/0/level", r#""Info""#),
            ("/cluster/updating/status", r#""False""#),
            ("/cluster/updating/reason", r#""Blocked""#),
            ("/waitingOn/0/what", r#""hook BeforeClusterUpgrade""#),
            ("/waitingOn/0/since", r#""2026-06-10T07:10:00Z""#),
        ],
        // No Machine is in it: that it waits is seen, that its machines are well is not.
        code: 6,
    });
}

#[test]
fn case_c02_the_spec_is_new_and_the_kubelet_old() {
    check(&Case {
        from: "dev-c02-inplace-kubelet-behind",
        at: "",
        shows: &[
            "c1-md-a Progressing 50% (1/2)",
            "c1-md-a-x2 Progressing Updating",
            "spec v1.34.2, kubelet v1.33.5: In-place update in progress: kubelet package downloaded (2/5)",
            "c1-md-a-x1 Completed Updated",
        ],
        hides: &["The cluster is not updating", "proceeding well", "100%"],
        json: &[
            ("/activity", r#""Updating""#),
            ("/pools/0/completionPercent", "50"),
            ("/pools/0/updating/status", r#""True""#),
            ("/units/0/version", r#""v1.33.5""#),
        ],
        // The Cluster is not in it, so that nobody knows where it is to go.
        code: 6,
    });
}
