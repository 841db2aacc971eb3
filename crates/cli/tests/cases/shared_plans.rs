//! The small public cases beside a checkout that are about chained upgrades: what the `expected.md` of each asks of
//! `headway plan`. They are read where they lie and never copied.

use std::fs;

use super::program::{headway, root};
use super::shared::{FOLDER, present};
use super::shared_case::Case;

/// The folders that are asserted on; a further one is a test that is missing.
const FOLDERS: [&str; 4] = [
    "dev-b01-chained-no-step-annotation",
    "dev-b02-patch-only-plan",
    "dev-b07-hook-blocking",
    "dev-b31-chain-five-minors",
];

#[test]
fn every_case_folder_of_plans_is_asserted_on() {
    if !present() {
        return;
    }
    let entries = fs::read_dir(root().join(FOLDER)).expect("it is a folder");
    let names = entries.map(|entry| entry.expect("a folder that can be listed").file_name());
    let mut found: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    found.retain(|name| name.starts_with("dev-b"));
    found.sort();
    assert_eq!(found, FOLDERS);
}

#[test]
fn case_b01_machines_that_may_not_be_made() {
    Case {
        from: FOLDERS[0],
        at: "",
        shows: &[
            "stuck; blocked by the control plane, which may not make machines for 2h",
            "Control plane: v1.32.6 -> v1.33.5 -> v1.34.2 (step 1 of 3)",
            "machines of the control plane may not be created: the spec version v1.32.6 of KubeadmControlPlane/c1-cp differs from the topology version v1.34.2, and no upgrade step is recorded on the Cluster",
            "Cluster API 1.12 while its RuntimeSDK gate is off",
            "cluster-api#13517",
        ],
        hides: &["0%", "nothing was seen that stands in its way"],
        json: &[
            ("/controlPlane", r#"["v1.32.6", "v1.33.5", "v1.34.2"]"#),
            ("/position", r#"{"step": 1, "of": 3}"#),
            ("/verdict", r#""Stuck""#),
            ("/holds/0/kind", r#""NoUpgradeStep""#),
            ("/holds/0/since", r#""2026-06-10T08:00:00Z""#),
            ("/steps/0/done", "0"),
        ],
        code: 5,
    }
    .check(&["plan"]);
}

#[test]
fn case_b02_patch_only() {
    Case {
        from: FOLDERS[1],
        at: "",
        shows: &[
            "Control plane: v1.33.4\n",
            "Workers: v1.33.4\n",
            "control plane v1.33.0 v1.33.4 3",
            "c1-md-a v1.33.0 v1.33.4 2",
        ],
        hides: &["v1.33.1", "v1.34.2"],
        json: &[
            ("/plan/controlPlane", r#"["v1.33.4"]"#),
            ("/plan/workers", r#"["v1.33.4"]"#),
            ("/steps/0/refused", r#"[{"version": "v1.33.1", "because": "Superseded"}]"#),
            ("/machines", r#"{"controlPlane": 3, "workers": 2}"#),
        ],
        code: 3,
    }
    .check(&["plan"]);
}

#[test]
fn case_b07_a_hook_holds_it() {
    Case {
        from: FOLDERS[2],
        at: "2026-06-10T10:10:00Z",
        shows: &[
            "from v1.33.5 to v1.34.2: has not started; held by hook BeforeClusterUpgrade for 3h",
            "Now 3h hook BeforeClusterUpgrade, registered by ExtensionConfig `addons` (handler before-upgrade.addons): it says \"waiting for CNI chart 1.19 to finish on 2 of 5 nodes\"",
            "Next in line: control plane, then c1-md-a",
            // The class is not among the objects.
            "ClusterClass/fleet/prod was not seen",
        ],
        hides: &["held by hook AfterControlPlaneUpgrade", "(handler after-cp.addons)", "fail", "stuck", "error"],
        json: &[
            ("/verdict", r#""Held""#),
            ("/begun", "false"),
            ("/holds/0/kind", r#""Hook""#),
            ("/holds/0/weight", r#""Now""#),
            ("/holds/0/since", r#""2026-06-10T07:10:00Z""#),
            ("/next", r#"["control plane", "c1-md-a"]"#),
        ],
        code: 4,
    }
    .check(&["plan"]);
}

#[test]
fn case_b31_five_minors() {
    Case {
        from: FOLDERS[3],
        at: "",
        shows: &[
            "Control plane: v1.31.9 -> v1.32.5 -> v1.33.4 -> v1.34.1 -> v1.35.0\n",
            "Workers: v1.33.4 -> v1.35.0\n",
            "1 control plane v1.30.6 v1.31.9 3",
            "2 control plane v1.31.9 v1.32.5 3",
            "3 control plane v1.32.5 v1.33.4 3",
            "4 c1-md-a v1.30.6 v1.33.4 2",
            "5 control plane v1.33.4 v1.34.1 3",
            "6 control plane v1.34.1 v1.35.0 3",
            "7 c1-md-a v1.33.4 v1.35.0 2",
            "15 control plane machines and 4 worker machines",
        ],
        hides: &["v1.31.2"],
        json: &[
            ("/plan/controlPlane", r#"["v1.31.9", "v1.32.5", "v1.33.4", "v1.34.1", "v1.35.0"]"#),
            ("/plan/workers", r#"["v1.33.4", "v1.35.0"]"#),
        ],
        code: 3,
    }
    .check(&["plan"]);
}

#[test]
fn case_b31_without_a_minor_is_refused_up_front() {
    if !present() {
        return;
    }
    let input = root().join(FOLDER).join(FOLDERS[3]).join("in.yaml");
    let text = fs::read_to_string(input).expect("the case has its input");
    let hole: String = text.lines().filter(|line| *line != "  - v1.32.5").map(|line| format!("{line}\n")).collect();
    assert_ne!(hole, text);
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join("in.yaml");
    fs::write(&path, hole).expect("the file can be written");
    let path = path.to_str().expect("temporary names are text");
    let told = headway(&["plan", "--from", path]);
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.out.contains("refused, before anything is changed"), "{}", told.out);
    assert!(told.out.contains("no version of v1.32 comes between (rule C3)"), "{}", told.out);
    let told = headway(&["plan", "--check", path]);
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.out.contains("v1.32 is missing"), "{}", told.out);
}
