//! The ways in which the tests install the chart.

use std::path::{Path, PathBuf};

/// The folder of the chart.
pub(crate) fn chart() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/helm/headway")
}

/// The namespace that everything is installed to.
pub(crate) const NAMESPACE: &str = "headway-system";

/// OpenShift's own namespaces that the chart has rights in.
pub(crate) const OPENSHIFT: [&str; 3] =
    ["openshift-machine-config-operator", "openshift-monitoring", "openshift-config-managed"];

/// With everything switched on.
pub(crate) const ALL: &[&str] = &[
    "--set=openshift.enabled=true,openshift.monitoringView=true,fleet.enabled=true",
    "--set=podMonitor.enabled=true,prometheusRule.enabled=true,grafanaDashboard.enabled=true",
    "--set=prometheusRule.disabled={HeadwayStatusTruncated}",
    "--set=roles.status.render={singleton,pool-details,insights,metrics}",
    "--set=roles.status.priorityClassName=system-cluster-critical",
    "--set=roles.status.nodeSelector.tier=infra",
    "--set=roles.status.tolerations[0].operator=Exists",
    "--set=image.digest=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "--set=imagePullSecrets={mirror}",
    "--set=networkPolicy.apiServerCidrs={10.0.0.0/16}",
    "--set=networkPolicy.extraEgress[0].ports[0].port=8443",
];

/// With a Prometheus of one's own.
pub(crate) const PROMETHEUS: &[&str] = &[
    "--set=openshift.enabled=true",
    "--set=prometheus.url=https://prometheus.monitoring.svc:9091",
    "--set=prometheus.tokenSecret.name=prometheus-token",
    "--set=prometheus.caConfigMap.name=prometheus-ca",
];
