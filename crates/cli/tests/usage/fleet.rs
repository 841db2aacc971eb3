//! `headway status` of the clusters that a management cluster keeps: flags, recordings, choosing, exit codes.

use serde_json::Value;

use super::command::{Ran, assert_failed, fed, run, status, with};
use super::recording::{State, of_text, text, write};

/// A cluster of Cluster API with one machine of a control plane, at a version and on the way to another.
fn cluster(namespace: &str, name: &str, from: &str, to: &str) -> String {
    let reconciled = if from == to { "True" } else { "False" };
    format!(
        "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata:\n  name: {name}\n  namespace: {namespace}\n  \
         labels:\n    env: {namespace}\nspec:\n  controlPlaneRef:\n    kind: KubeadmControlPlane\n    name: {name}-cp\n  \
         topology:\n    classRef:\n      name: sea\n    version: {to}\nstatus:\n  conditions:\n  - type: \
         TopologyReconciled\n    status: \"{reconciled}\"\n    reason: ClusterUpgrading\n    message: \"\"\n    \
         lastTransitionTime: \"2026-05-04T08:00:00Z\"\n---\n\
         apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlane\nmetadata:\n  name: {name}-cp\n  \
         namespace: {namespace}\nspec:\n  replicas: 1\n  version: {to}\nstatus:\n  version: {from}\n  replicas: 1\n---\n\
         apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nmetadata:\n  name: {name}-cp-0\n  namespace: {namespace}\n  \
         ownerReferences:\n  - kind: KubeadmControlPlane\n    name: {name}-cp\nspec:\n  clusterName: {name}\n  \
         version: {from}\nstatus:\n  phase: Running\n  nodeRef:\n    name: {name}-cp-0\n  nodeInfo:\n    \
         kubeletVersion: {from}\n---\n\
         apiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeploymentList\nitems: []\n---\n"
    )
}

/// Three clusters: two of one name, one of them at rest.
fn fleet() -> String {
    [
        cluster("bay", "gull", "v1.31.0", "v1.32.0"),
        cluster("bay", "tern", "v1.32.0", "v1.32.0"),
        cluster("cove", "gull", "v1.30.0", "v1.31.0"),
    ]
    .concat()
}

fn told(input: &str, more: &[&str]) -> Ran {
    // A name goes before `--from`, which takes all that follows it for paths.
    fed(&[&["status"], more, &["--from", "-"]].concat(), input.as_bytes())
}

/// The first words of each row after the title.
fn rows(ran: &Ran, words: usize) -> Vec<String> {
    let row = |line: &str| line.split_whitespace().take(words).collect::<Vec<_>>().join(" ");
    ran.out.lines().skip(1).take_while(|line| !line.is_empty()).map(row).collect()
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let check = |arguments: &[&str], says: &[&str]| assert_failed(&run(&[&["status"], arguments].concat()), says);
    check(&["gull", "-A"], &["'[NAME]' cannot be used with", "--all-namespaces"]);
    check(&["gull", "-l", "a=b"], &["'[NAME]' cannot be used with", "--selector"]);
    check(&["gull", "--sort-by", "name"], &["'[NAME]' cannot be used with", "--sort-by"]);
    check(&["-A", "-n", "bay"], &["'--all-namespaces' cannot be used with", "--namespace"]);
    check(&["-A", "--compat", "oc"], &["cannot be used with", "--compat"]);
    check(&["-A", "--sort-by", "age"], &["'age'", "namespace, name, form, from, to, step, progress, worst, since"]);
    check(&["-l", "=b"], &["'=b'", "--selector", "\"=\" is not the key of a label"]);
    check(&["-l", "a in b"], &["after \"a in\" comes a list of values"]);
    check(&["-A", "--watch"], &["--watch and --wait do not look at the clusters that a management cluster keeps yet"]);
    check(&["gull", "--wait", "updated"], &["--watch and --wait do not look", "kubectl wait"]);
    check(&["-A", "--source", "api"], &["--source=api tells of a cluster itself"]);
    check(&["-A", "--prometheus", "https://x"], &["alerts tell of a cluster itself", "--prometheus"]);
    check(&["-A"], &["set KUBECONFIG, give --kubeconfig, or read a recording with --from"]);
    assert_failed(
        &told(&fleet(), &["-A", "--details", "health"]),
        &["--details tells more of one cluster", "name one"],
    );
}

#[test]
fn several_clusters_are_a_table_and_one_is_told_in_full() {
    let all = told(&fleet(), &[]);
    assert_eq!(all.code, Some(0), "{}", all.err);
    assert_eq!(
        rows(&all, 5),
        [
            "bay gull ClusterAPI v1.31.0 v1.32.0",
            "bay tern ClusterAPI - v1.32.0",
            "cove gull ClusterAPI v1.30.0 v1.31.0"
        ]
    );
    assert!(all.err.contains("Judged as of 2026-05-04T08:00:00Z, the newest condition of any object."), "{}", all.err);
    assert_eq!(told(&fleet(), &["-A"]).out, all.out);
    let one = told(&cluster("bay", "gull", "v1.31.0", "v1.32.0"), &[]);
    assert!(one.out.starts_with("= Control Plane of Cluster bay/gull =\n"), "{}", one.out);
    assert!(one.out.contains("\nCompletion:       0% (0 of 1 machines)\n"), "{}", one.out);
    assert_eq!(told(&fleet(), &["gull", "-n", "bay"]).out, one.out, "whatever else is there");
    assert_eq!(rows(&told(&cluster("bay", "gull", "v1.31.0", "v1.32.0"), &["-A"]), 2), ["bay gull"]);
    let idle = told(&fleet(), &["tern"]);
    assert!(idle.out.starts_with("Cluster bay/tern is not updating: it is at v1.32.0.\n"), "{}", idle.out);
}

#[test]
fn a_name_that_is_not_there_or_not_the_only_one_is_told_what_is() {
    let check = |more: &[&str], says: &[&str]| assert_failed(&told(&fleet(), more), says);
    check(&["heron"], &["no cluster heron was found; there is bay/gull, bay/tern, cove/gull"]);
    check(&["tern", "-n", "cove"], &["no cluster cove/tern was found"]);
    check(&["hostedcluster/tern"], &["no cluster tern was found"]);
    check(&["gull"], &["2 clusters are called gull: bay/gull, cove/gull; choose one, with -n for its namespace"]);
    check(&["gull\u{1b}[31m"], &["no cluster gull [31m was found"]);
    // What follows --from is a path.
    let ran = fed(&["status", "--from", "-", "gull"], fleet().as_bytes());
    assert_failed(&ran, &["the path \"gull\" does not exist; the name of a cluster goes before --from"]);
}

#[test]
fn clusters_are_chosen_and_sorted() {
    let check = |more: &[&str], expect: &[&str]| {
        let ran = told(&fleet(), more);
        assert_eq!((ran.code, rows(&ran, 2)), (Some(0), expect.iter().map(ToString::to_string).collect()), "{more:?}");
    };
    check(&["-A", "--sort-by", "name"], &["bay gull", "cove gull", "bay tern"]);
    check(&["--sort-by", "TO"], &["cove gull", "bay gull", "bay tern"]);
    check(&["-A", "--sort-by=from"], &["cove gull", "bay gull", "bay tern"]);
    check(&["-l", "env=cove"], &["cove gull"]);
    check(&["-l", "env notin (cove),!gone"], &["bay gull", "bay tern"]);
    // Of one namespace there is no column for it.
    check(&["-n", "bay"], &["gull ClusterAPI", "tern ClusterAPI"]);
    let none = told(&fleet(), &["-l", "env=none"]);
    assert_eq!((none.code, none.out.as_str()), (Some(0), ""));
    assert!(none.err.contains("No cluster was found that has these labels."), "{}", none.err);
    let none = told(&fleet(), &["-n", "reef"]);
    assert!(none.err.contains("No cluster in namespace reef was found; -A looks in all namespaces."), "{}", none.err);
}

#[test]
fn scripts_get_a_fleet_or_a_report() {
    let json = |more: &[&str]| -> Value {
        let ran = told(&fleet(), &[more, &["-o", "json"]].concat());
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
    };
    let fleet = json(&["-A"]);
    assert_eq!((fleet["kind"].as_str(), fleet["outcome"].as_str()), (Some("Fleet"), Some("Updating")), "{fleet}");
    let row = &fleet["items"][0];
    assert_eq!((row["name"].as_str(), row["to"].as_str()), (Some("gull"), Some("v1.32.0")), "{row}");
    assert_eq!((row["machinesDone"].as_u64(), row["machinesDesired"].as_u64()), (Some(0), Some(1)), "{row}");
    assert_eq!(json(&["-A", "-l", "env=none"])["items"], Value::Array(Vec::new()));
    assert_eq!(json(&["tern"])["kind"].as_str(), Some("Report"));
    let yaml = told(&self::fleet(), &["-A", "-o", "yaml"]);
    assert!(yaml.out.contains("kind: Fleet\n"), "{}", yaml.out);
}

#[test]
fn the_exit_code_is_that_of_the_gravest_row() {
    let code = |input: &str, more: &[&str]| told(input, &[more, &["--exit-code"]].concat()).code;
    assert_eq!(code(&fleet(), &["-A"]), Some(3));
    assert_eq!(code(&fleet(), &["tern"]), Some(0));
    assert_eq!(code(&fleet(), &["-A", "-l", "env=none"]), Some(6), "nothing seen is nothing known");
    let rest = cluster("bay", "tern", "v1.32.0", "v1.32.0");
    assert_eq!(code(&rest, &["-A"]), Some(0));
    // What cannot be read may have been a cluster.
    assert_eq!(code(&format!("{rest}kind: [\n"), &["-A"]), Some(6));
}

#[test]
fn every_form_of_recording_is_read() {
    let expect = told(&fleet(), &[]).out;
    let file = of_text("fleet.yaml", fleet().as_bytes());
    assert_eq!(status(&file.path, &[]).out, expect, "a file");
    assert_eq!(status(file.folder.path(), &[]).out, expect, "a folder");
    let gather = tempfile::tempdir().unwrap();
    let root = gather.path().join("image/namespaces");
    for (namespace, name) in [("bay", "gull"), ("bay", "tern"), ("cove", "gull")] {
        let versions = if name == "tern" {
            ("v1.32.0", "v1.32.0")
        } else if namespace == "bay" {
            ("v1.31.0", "v1.32.0")
        } else {
            ("v1.30.0", "v1.31.0")
        };
        let text = cluster(namespace, name, versions.0, versions.1);
        write(&root.join(namespace).join("cluster.x-k8s.io/clusters").join(format!("{name}.yaml")), text.as_bytes());
    }
    assert_eq!(status(gather.path(), &[]).out, expect, "a must-gather");
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_dir_all("gather", gather.path()).unwrap();
    let archive = builder.into_inner().unwrap();
    let packed = of_text("gather.tar", &archive);
    assert_eq!(status(&packed.path, &[]).out, expect, "an archive");
    // It is read twice to tell what it is; with a flag for clusters that are kept, once.
    let ran = fed(&["status", "--from", "-"], &archive);
    assert_failed(&ran, &["standard input is an archive of a management cluster", "give a file, or -A"]);
    assert_eq!(fed(&["status", "-A", "--from", "-"], &archive).out, expect, "an archive by a pipe");
}

#[test]
fn an_openshift_cluster_that_keeps_others_tells_of_itself_first() {
    let both = format!("{}---\n{}", text(State::Updating), fleet());
    let own = told(&both, &[]);
    assert_eq!(own.out, told(&text(State::Updating), &[]).out);
    assert!(own.err.contains("note: this cluster keeps others too; -A shows them"), "{}", own.err);
    assert_eq!(rows(&told(&both, &["-A"]), 2), ["bay gull", "bay tern", "cove gull"]);
    assert!(told(&both, &["tern"]).out.starts_with("Cluster bay/tern is not updating"));
    let oc = told(&both, &["--compat", "oc"]);
    assert_eq!(oc.out, told(&text(State::Updating), &["--compat", "oc"]).out);
}

#[test]
fn the_version_of_a_guest_is_not_that_of_its_management_cluster() {
    let hosted = "apiVersion: hypershift.openshift.io/v1beta1\nkind: HostedCluster\nmetadata:\n  name: reef\n  namespace: \
                  clusters\nspec:\n  clusterID: one\n";
    let version = |id: &str| {
        format!(
            "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata:\n  name: version\nspec:\n  clusterID: {id}\n"
        )
    };
    let title = "= Control Plane of HostedCluster clusters/reef =";
    let both = |id: &str| told(&format!("{hosted}---\n{}", version(id)), &[]);
    assert!(both("one").out.starts_with(title), "{}", both("one").out);
    assert!(both("other").out.starts_with("= Control Plane =\n"), "{}", both("other").out);
    // In a dump of a hosted cluster the folders tell, whatever the identity.
    let dump = tempfile::tempdir().unwrap();
    let clusters = dump.path().join("dump/namespaces/clusters/hypershift.openshift.io/hostedclusters");
    write(&clusters.join("reef.yaml"), hosted.as_bytes());
    let guest =
        dump.path().join("dump/hostedcluster-reef/cluster-scoped-resources/config.openshift.io/clusterversions");
    write(&guest.join("version.yaml"), version("other").as_bytes());
    let folder = status(dump.path(), &[]);
    assert!(folder.out.starts_with(title), "{} {}", folder.out, folder.err);
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_dir_all(".", dump.path()).unwrap();
    let packed = of_text("dump.tar", &builder.into_inner().unwrap());
    let archive = status(&packed.path, &[]);
    assert!(archive.out.starts_with(title), "{} {}", archive.out, archive.err);
}

#[test]
fn a_cluster_without_others_has_none_to_show() {
    let says =
        ["no Cluster of cluster.x-k8s.io and no HostedCluster among them", "-l and --sort-by are for the clusters"];
    for more in [&["-A"][..], &["-l", "a=b"], &["-n", "bay"], &["gull"], &["--sort-by", "name"]] {
        assert_failed(&told(&text(State::Updating), more), &says);
    }
    let empty = tempfile::tempdir().unwrap();
    assert_failed(&status(empty.path(), &["-A"]), &["no YAML or JSON file and no must-gather found"]);
    assert_failed(&status(empty.path(), &[]), &["no YAML or JSON file and no must-gather found"]);
    assert_failed(&run(&["status", "gull", "--from", "/nonexistent"]), &["\"/nonexistent\" does not exist"]);
}

#[test]
fn machines_of_a_cluster_that_was_not_seen_are_told_of() {
    let whole = cluster("bay", "gull", "v1.32.0", "v1.32.0");
    let machine = whole.split("---\n").find(|part| part.contains("kind: Machine\n")).unwrap();
    let ran = told(machine, &["--exit-code"]);
    assert_eq!(ran.code, Some(6), "{}", ran.err);
    assert!(ran.out.starts_with("= Control Plane of Cluster bay/gull =\n"), "{}", ran.out);
    assert!(ran.out.contains("Cluster/bay/gull: was not seen"), "{}", ran.out);
    let table = told(machine, &["-A"]);
    assert_eq!(rows(&table, 2), ["bay gull"]);
    assert_eq!(rows(&told(&format!("{machine}---\n{}", fleet()), &["-A"]), 2).len(), 3, "now it was seen");
    assert_eq!(told(machine, &["-A", "-l", "env!=x"]).out.lines().filter(|line| line.contains("gull")).count(), 0);
}

#[cfg(unix)]
#[test]
fn whoever_reads_may_stop_reading() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let many: String = (0..3000).map(|at| cluster("bay", &format!("c-{at:04}"), "v1.32.0", "v1.32.0")).collect();
    let file = of_text("many.yaml", many.as_bytes());
    let mut command = with(&["status", "-A", "-o", "wide", "--from"]);
    let mut child = command.arg(&file.path).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut first).unwrap();
    assert!(first.starts_with("NAMESPACE   NAME"), "{first}");
    drop(out);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
}
