//! `headway plan` as a command: flags, bad input, hostile texts, pipes, exit codes.

use std::io::{BufRead, BufReader};
use std::path::Path;

use super::command::{Ran, assert_failed, fed, run, with};

/// A cluster of one group of workers; words replace parts of it.
fn cluster(changes: &[(&str, &str)]) -> String {
    let mut text = String::from(
        "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata:\n  name: gull\n  namespace: bay\n  annotations: {}\nspec:\n  \
         controlPlaneRef:\n    kind: KubeadmControlPlane\n    name: gull-cp\n  topology:\n    classRef:\n      name: sea\n    \
         version: v1.32.0\n    workers:\n      machineDeployments:\n      - name: md\nstatus:\n  conditions: []\n---\n\
         apiVersion: cluster.x-k8s.io/v1beta2\nkind: ClusterClass\nmetadata:\n  name: sea\n  namespace: bay\nspec:\n  \
         kubernetesVersions: [v1.31.0, v1.32.0]\n---\n\
         apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlane\nmetadata:\n  name: gull-cp\n  \
         namespace: bay\nspec:\n  replicas: 3\n  version: v1.31.0\nstatus:\n  version: v1.31.0\n---\n\
         apiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeployment\nmetadata:\n  name: gull-md\n  namespace: bay\n  \
         labels:\n    topology.cluster.x-k8s.io/owned: \"\"\n    topology.cluster.x-k8s.io/deployment-name: md\nspec:\n  \
         clusterName: gull\n  replicas: 2\n  template:\n    spec:\n      version: v1.31.0\n",
    );
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in the cluster");
        text = text.replacen(from, to, 1);
    }
    text
}

fn told(input: &str, more: &[&str]) -> Ran {
    fed(&[&["plan", "--from", "-"], more].concat(), input.as_bytes())
}

#[test]
fn wrong_flags_are_exit_code_1_with_a_hint() {
    let check = |arguments: &[&str], says: &[&str]| assert_failed(&run(&[&["plan"], arguments].concat()), says);
    check(&[], &["--from-version <VERSION>", "--from <PATH>", "--check <PATH>", "--cluster <NAME>", "try '--help'"]);
    check(&["--from-version", "v1.30.0"], &["--to <VERSION>"]);
    check(&["--from-version", "v1.30.0", "--to", "v1.31.0", "--from", "x"], &["cannot be used with"]);
    check(&["--from-version", "v1.30.0", "--to", "v1.31.0", "--cluster", "c"], &["cannot be used with"]);
    check(&["--from-version", "v1.30.0", "--to", "v1.31.0", "--at", "2026-05-04T08:30:00Z"], &["cannot be used with"]);
    check(&["--from", "x", "--workers-version", "v1.30.0"], &["cannot be used with"]);
    check(&["--from", "x", "--context", "c"], &["cannot be used with"]);
    check(&["--check", "x", "--kubeconfig", "c"], &["cannot be used with"]);
    check(&["--from-version", "v1.30.0", "--to", "v1.31.0", "--kubeconfig", "c"], &["cannot be used with"]);
    check(&["--kubeconfig", "c"], &["--from-version <VERSION>", "--cluster <NAME>"]);
    check(&["--cluster", "c"], &["set KUBECONFIG, give --kubeconfig, or read a recording with --from"]);
    check(&["--check", "x", "--to", "v1.31.0"], &["cannot be used with"]);
    check(&["--from", "x", "-o", "table"], &["'table'", "text, wide, json, yaml, script"]);
    check(&["--from", "x", "--at", "yesterday"], &["not an RFC 3339 time"]);
    let versions = |more: &[&str], says: &[&str]| {
        check(&[&["--from-version", "v1.30.0", "--to", "v1.31.0", "--workers-version"], more].concat(), says);
    };
    versions(&["=v1.30.0"], &["no name before the ="]);
    versions(&["a=v1.30.0,a=v1.29.0"], &["names a twice"]);
}

#[test]
fn versions_alone_make_a_plan_or_a_refusal() {
    let check = |arguments: &[&str], code: i32, says: &[&str]| {
        let ran = run(&[&["plan"], arguments].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{arguments:?} {}", ran.out);
        for part in says {
            assert!(ran.out.contains(part), "{arguments:?}: {part:?} is not in\n{}", ran.out);
        }
    };
    let list = "v1.31.9,v1.32.5,v1.33.4,v1.34.1";
    let from = |workers: &[&str], code: i32, says: &[&str]| {
        check(&[&["--from-version", "v1.30.6", "--to", "v1.34.1", "--versions", list], workers].concat(), code, says);
    };
    from(&[], 0, &["v1.31.9 -> v1.32.5 -> v1.33.4 -> v1.34.1", "Workers:        v1.33.4 -> v1.34.1"]);
    from(&["--workers-version", "none"], 0, &["Workers:        stays as it is"]);
    from(
        &["--workers-version", "a=v1.30.6,b=v1.28.0"],
        0,
        &["Workers a:      v1.33.4 -> v1.34.1", "Workers b:      v1.31.9 -> v1.34.1", "\n2      b"],
    );
    from(&["--workers-version", "v1.26.0"], 1, &["refused", "MachineDeployment/workers at v1.26.0", "(rule W7)"]);
    from(&["--workers-version", "x"], 1, &["\"x\", is not a version (rule V3)"]);
    check(&["--from-version", "1.22", "--to", "1.25"], 1, &["v1.23 to v1.24", "(rule S1)"]);
    check(&["--from-version", "v1.32.0", "--to", "v1.31.0"], 1, &["must be newer than v1.32.0 (rule C2)"]);
    check(&["--from-version", "v1.32.0", "--to", "v2.0.0"], 1, &["changes the major", "(rule C6)"]);
    check(&["--from-version", "v1.31.0", "--to", "v1.31.0"], 0, &["there is nothing to do"]);
    check(&["--from-version", "v1.31.0", "--to", "v1.31.0", "--exit-code"], 0, &[]);
    check(&["--from-version", "v1.31.0", "--to", "v1.32.0", "--exit-code"], 3, &[]);
}

#[test]
fn bad_input_is_named_and_never_a_success() {
    let folder = tempfile::tempdir().unwrap();
    let check = |path: &Path, says: &[&str]| {
        assert_failed(&run(&["plan", "--from", path.to_str().unwrap()]), says);
        assert_failed(&run(&["plan", "--check", path.to_str().unwrap()]), &[]);
    };
    check(folder.path(), &["no YAML or JSON file"]);
    check(&folder.path().join("gone"), &["does not exist"]);
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    check(&file("empty.yaml", ""), &["empty"]);
    check(&file("other.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n"), &["1 object(s)", "no Cluster"]);
    check(
        &file("torn.yaml", "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: [\n"),
        &["torn.yaml"],
    );

    let cannot_tell = |input: &str, says: &str| {
        let ran = told(input, &["--exit-code"]);
        assert_eq!(ran.code, Some(6), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains(says), "{says:?} is not in\n{}", ran.out);
        assert!(!ran.out.contains("nothing was seen that stands in its way"), "{}", ran.out);
    };
    assert_eq!(told(&cluster(&[]), &["--exit-code"]).code, Some(3));
    cannot_tell(
        &cluster(&[("kind: KubeadmControlPlane\nmetadata", "kind: Other\nmetadata")]),
        "gull-cp, which the Cluster refers to, was not seen",
    );
    cannot_tell(&cluster(&[("kind: MachineDeployment", "kind: Other")]), "no MachineDeployment was seen");
    cannot_tell(&cluster(&[("kind: ClusterClass", "kind: Other")]), "ClusterClass/bay/sea was not seen");
    cannot_tell(&cluster(&[("replicas: 2", "replicas: many")]), "spec.replicas");
    cannot_tell(&cluster(&[("      version: v1.31.0\n", "      other: x\n")]), "no spec.template.spec.version");
    cannot_tell(&(cluster(&[]) + "---\nkind: [\n"), "= Not Observed =");
    let extension = "[v1.31.0, v1.32.0]\n  upgrade:\n    external:\n      generateUpgradePlanExtension: plan.acme";
    cannot_tell(&cluster(&[("[v1.31.0, v1.32.0]", extension)]), "extension plan.acme plans the upgrades");
}

#[test]
fn the_cluster_is_chosen_and_has_a_target() {
    let two = cluster(&[]) + "---\n" + cluster(&[("  name: gull\n", "  name: tern\n")]).split("---").next().unwrap();
    assert_failed(&told(&two, &[]), &["2 Clusters were found: bay/gull, bay/tern", "--cluster"]);
    assert_eq!(told(&two, &["--cluster", "gull"]).code, Some(0));
    assert_failed(&told(&two, &["--cluster", "auk"]), &["no Cluster auk was found", "bay/gull"]);
    assert_failed(&told(&two, &["--cluster", "gull", "-n", "lake"]), &["lake/gull"]);
    let plain = cluster(&[(
        "  topology:\n    classRef:\n      name: sea\n    version: v1.32.0\n    workers:\n      machineDeployments:\n      - name: md\n",
        "",
    )]);
    assert_failed(&told(&plain, &[]), &["bay/gull has no topology", "--to"]);
    let ran = told(&plain, &["--to", "v1.32.0"]);
    assert!(ran.out.contains("one minor at a time") && ran.out.contains("gull-md"), "{}", ran.out);
}

#[test]
fn hostile_texts_do_nothing_to_the_terminal() {
    let nasty = "evil\\u001b[2J\\u0007\\u009b31m\\r\\n\\n\\n\\u2028\\u202eend";
    let changes = [
        (
            "annotations: {}",
            format!(
                "annotations: {{\"before-upgrade.hook.cluster.cluster.x-k8s.io/{nasty}\": \"{nasty}\", \"runtime.cluster.x-k8s.io/pending-hooks\": \"{nasty}\"}}"
            ),
        ),
        (
            "conditions: []",
            format!(
                "conditions: [{{type: TopologyReconciled, status: \"False\", reason: ReconcileFailed, message: \"{nasty} hooks are blocking: BeforeClusterUpgrade: {nasty}\"}}]"
            ),
        ),
        ("  name: gull-md\n", format!("  name: \"gull-md{nasty}\"\n")),
        ("replicas: 3", "replicas: 18446744073709551615".to_owned()),
        ("name: sea\n  namespace", format!("name: sea\n  generation: {}\n  namespace", i64::MAX)),
        ("[v1.31.0, v1.32.0]", format!("[\"{nasty}\", v1.31.0, v1.32.0]")),
    ];
    for at in 0..=changes.len() {
        let (only, all): (Vec<_>, Vec<_>) = (changes.get(at).into_iter().collect(), changes.iter().collect());
        let chosen = if only.is_empty() { all } else { only };
        let chosen: Vec<(&str, &str)> = chosen.iter().map(|(from, to)| (*from, to.as_str())).collect();
        let input = cluster(&chosen);
        for look in [&["-o", "text"][..], &["-o", "wide"]] {
            let ran = told(&input, look);
            let strange = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{2028}' | '\u{202e}');
            assert!(!ran.out.contains(strange) && !ran.err.contains(strange), "{chosen:?}: {}{}", ran.out, ran.err);
            assert!(!ran.out.contains("\n\n\n") && ran.code.is_some(), "{}", ran.out);
        }
        let json = told(&input, &["-o", "json"]);
        assert!(serde_json::from_str::<serde_json::Value>(&json.out).is_ok(), "{}", json.err);
        let list = fed(&["plan", "--check", "-"], input.as_bytes());
        assert!(!list.out.contains('\u{1b}') && list.code.is_some(), "{}", list.out);
    }
}

#[test]
fn json_and_yaml_are_the_same_preview() {
    let json = told(&cluster(&[]), &["-o", "json"]);
    let yaml = told(&cluster(&[]), &["-o", "yaml"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let yaml: serde_json::Value = serde_saphyr::from_str(&yaml.out).unwrap();
    assert_eq!(json, yaml);
    assert_eq!((&json["apiVersion"], &json["kind"]), (&"headway.dev/v1alpha1".into(), &"Preview".into()));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    // More than a pipe holds.
    let groups: String = (0..2_000)
        .map(|at| {
            cluster(&[("name: gull-md", &format!("name: gull-md-{at}"))]).rsplit("---\n").next().unwrap().to_owned()
                + "---\n"
        })
        .collect();
    let path = folder.path().join("all.yaml");
    std::fs::write(&path, groups + &cluster(&[])).unwrap();
    for output in ["text", "json"] {
        let mut child = with(&["plan", "--from", path.to_str().unwrap(), "-o", output]).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        drop(out);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{output}");
    }
}

#[test]
fn archives_and_folders_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    for (at, document) in cluster(&[]).split("---\n").enumerate() {
        std::fs::write(folder.path().join("deep").join(format!("{at}.yaml")), document).unwrap();
    }
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_dir_all("dump", folder.path()).unwrap();
    let archive = builder.into_inner().unwrap();
    let expect = told(&cluster(&[]), &[]);
    assert_eq!(expect.code, Some(0), "{}", expect.err);
    assert_eq!(run(&["plan", "--from", folder.path().to_str().unwrap()]), expect);
    assert_eq!(fed(&["plan", "--from", "-"], &archive), expect);
    // A second copy that differs is told and does not count.
    let twice = cluster(&[]) + "---\n" + &cluster(&[("replicas: 3", "replicas: 5")]);
    let ran = told(&twice, &[]);
    assert_eq!(ran.out, expect.out);
    assert!(
        ran.err.contains("KubeadmControlPlane/bay/gull-cp") && ran.err.contains("with other content"),
        "{}",
        ran.err
    );
}
