//! The small public cases beside a checkout that are about clusters of Cluster API: what the `expected.md` of each asks
//! of `headway status`. They are read where they lie and never copied.

use super::shared_case::Case;

#[test]
fn case_b01_a_chain_that_cannot_move() {
    Case {
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
    }
    .check(&["status", "--details=health"]);
}

#[test]
fn case_b07_a_hook_holds_the_upgrade() {
    Case {
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
    }
    .check(&["status", "--details=health"]);
}

#[test]
fn case_c02_the_spec_is_new_and_the_kubelet_old() {
    Case {
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
    }
    .check(&["status", "--details=health"]);
}
