//! What helm makes of the chart, without a server.

use std::process::{Command, Output};

use headway_testenv::{Environment, Program};

use super::values::{ALL, NAMESPACE, PROMETHEUS, chart};

fn helm(command: &str, values: &[&str]) -> Output {
    let program = Program::Helm.path(&Environment::read().unwrap());
    let home = tempfile::tempdir().unwrap();
    let name: &[&str] = if command == "template" { &["headway"] } else { &["--strict"] };
    Command::new(program)
        .env_clear()
        .env("HOME", home.path())
        .arg(command)
        .args(name)
        .arg(chart())
        .args(["--namespace", NAMESPACE])
        .args(values)
        .output()
        .unwrap()
}

fn rendered(values: &[&str]) -> String {
    let ran = helm("template", values);
    assert!(ran.status.success(), "{values:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
#[ignore = "ring 2: needs helm"]
fn helm_finds_nothing_wrong() {
    for values in [&[], ALL, PROMETHEUS] {
        let ran = helm("lint", values);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    }
}

/// Values and what the rendered text must have, or after `-` must not.
fn check(values: &[&str], expect: &[&str]) {
    let text = rendered(values);
    for line in expect {
        match line.strip_prefix('-').filter(|_| !line.starts_with("--")) {
            Some(absent) => assert!(!text.contains(absent), "{values:?}: {absent}"),
            None => assert!(text.contains(line), "{values:?}: no {line}"),
        }
    }
}

#[test]
#[ignore = "ring 2: needs helm"]
fn values_do_what_they_say() {
    check(
        &[],
        &[
            "replicas: 2",
            "runAsNonRoot: true",
            "readOnlyRootFilesystem: true",
            "drop: [ALL]",
            "type: RuntimeDefault",
            "kind: PodDisruptionBudget",
            "kind: NetworkPolicy",
            "--render=singleton,pool-details,metrics\n",
            "-clusterupdatestatuses/status",
            "-kind: PodMonitor",
            "-kind: PrometheusRule",
            "-kind: ConfigMap",
            "-cluster-monitoring-view",
            "-healthinsights/status",
            "-runAsUser",
        ],
    );
    check(
        ALL,
        &[
            "kind: PodMonitor",
            "kind: PrometheusRule",
            "grafana_dashboard: \"1\"",
            "name: cluster-monitoring-view",
            "healthinsights/status",
            "--render=singleton,pool-details,insights,metrics,clusters",
            "hostedclusterupdatestatuses/status",
            "rke2controlplanes",
            "priorityClassName: system-cluster-critical",
            "@sha256:0123456789abcdef",
            "cidr: \"10.0.0.0/16\"",
            "alert: HeadwayDown",
            "-alert: HeadwayStatusTruncated",
        ],
    );
    check(
        PROMETHEUS,
        &[
            "--prometheus=https://prometheus.monitoring.svc:9091",
            "--prometheus-token-file=/etc/headway/prometheus-token/token",
            "--prometheus-ca-file=/etc/headway/prometheus-ca/ca.crt",
            "port: 9091",
            "secretName: prometheus-token",
            // Neither the route nor the certificates of OpenShift are asked for then.
            "-thanos-querier",
            "-default-ingress-cert",
        ],
    );
    check(&["--set=roles.status.replicas=1"], &["-kind: PodDisruptionBudget", "replicas: 1"]);
    check(&["--set=roles.status.enabled=false"], &["-kind: Deployment", "-kind: ServiceAccount"]);
    check(&["--set=networkPolicy.enabled=false"], &["-kind: NetworkPolicy"]);
    check(&["--set=crds.install=false"], &["-kind: CustomResourceDefinition"]);
    let admission = "--set=roles.status.enabled=false,roles.admission.enabled=true";
    check(
        &[admission],
        &[
            "--admission-mode=beside",
            "failurePolicy: Ignore",
            "-failurePolicy: Fail",
            "-kind: MutatingWebhookConfiguration",
            "kind: ValidatingAdmissionPolicyBinding",
            "resources: [kubeadmcontrolplanes]",
        ],
    );
    check(
        &[admission, "--set=roles.admission.mode=topology,roles.admission.workloadNodes=true"],
        &[
            "--admission-mode=topology",
            "failurePolicy: Fail",
            "-failurePolicy: Ignore",
            "kind: MutatingWebhookConfiguration",
            "The kubeconfigs of workload clusters",
        ],
    );
}

#[test]
#[ignore = "ring 2: needs helm"]
fn wrong_values_are_refused_by_name() {
    let refused = |value: &str, name: &str| {
        let ran = helm("template", &[value]);
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!ran.status.success() && told.contains(name), "{value}: {told}");
    };
    refused("--set=roles.status.replica=1", "replica");
    refused("--set=roles.status.render={everything}", "render");
    refused("--set=image.digest=latest", "digest");
    refused("--set=roles.everything.enabled=true", "everything");
    refused("--set=roles.admission.mode=alone", "mode");
    refused("--set=prometheus.url=prometheus:9090", "url");
}

/// The definitions are those of deploy/crds, whole, and outlive the release.
#[test]
#[ignore = "ring 2: needs helm"]
fn definitions_are_the_generated_ones() {
    let text = rendered(&[]).replace("    helm.sh/resource-policy: keep\n", "");
    let mut count = 0;
    for entry in std::fs::read_dir(chart().join("../../crds")).unwrap() {
        let definition = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.contains(definition.trim()));
        count += 1;
    }
    assert_eq!(count, text.matches("kind: CustomResourceDefinition").count());
    assert_eq!(count, rendered(&[]).matches("    helm.sh/resource-policy: keep\n").count());
    assert!(count > 0);
}
