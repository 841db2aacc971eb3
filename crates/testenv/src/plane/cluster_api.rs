//! Cluster API in a plane: its kinds alone, or its managers too.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::supervisor::Run;
use super::{Error, Plane};
use crate::cluster_api::{self, Installation, Manager};

/// What Cluster API is run with: clusters of classes, hooks, and updates in place.
const FEATURES: &str = "ClusterTopology=true,RuntimeSDK=true,InPlaceUpdates=true";

/// Where a manager listens.
struct Ports {
    webhook: u16,
    health: u16,
    diagnostics: u16,
}

impl Plane {
    /// Lets the API server serve the kinds of Cluster API out of its own
    /// definitions, with no manager behind them (`cluster_api::crds`), and
    /// waits until it does.
    pub fn apply_cluster_api_crds(&self) -> Result<(), Error> {
        self.apply_crds(&stream(&cluster_api::crds(self.programs.environment())?))
    }

    /// Starts the managers of Cluster API with their kinds and webhooks, and
    /// waits until they are ready: fifteen seconds and 300 MB. Machines are
    /// made in memory, by kinds such as `DevCluster`.
    ///
    /// Guarantees: they end with the plane, and two planes on one machine do
    /// not disturb each other.
    ///
    /// Caveats: a clean-up of owned objects still does not run.
    pub fn start_cluster_api(&self) -> Result<(), Error> {
        let environment = self.programs.environment();
        cluster_api::find_programs(environment)?;
        let ports = self.claim_manager_ports()?;
        let url = |manager: Manager| {
            let at = ports.iter().find(|(it, _)| *it == manager);
            at.map(|(_, ports)| format!("https://127.0.0.1:{}", ports.webhook)).unwrap_or_default()
        };
        let Installation { namespaces, definitions, webhooks } =
            cluster_api::installation(environment, url, &self.serving().bundle)?;
        self.apply(&stream(&namespaces))?;
        self.apply_crds(&stream(&definitions))?;
        let programs: Vec<Run> = ports.iter().map(|(manager, ports)| self.manager(*manager, ports)).collect();
        self.supervisor().run(&programs)?;
        // Last: the API server asks them about every write from then on.
        self.apply(&stream(&webhooks))
    }

    /// Where a manager writes its log.
    #[must_use]
    pub fn manager_log(&self, manager: Manager) -> PathBuf {
        self.folder.path().join(format!("{}.log", log_name(manager)))
    }

    fn claim_manager_ports(&self) -> Result<Vec<(Manager, Ports)>, Error> {
        let mut ports = Vec::new();
        for manager in Manager::ALL {
            if let [webhook, health, diagnostics] = self.supervisor().claim_ports(3)?[..] {
                ports.push((manager, Ports { webhook, health, diagnostics }));
            }
        }
        Ok(ports)
    }

    fn manager(&self, manager: Manager, ports: &Ports) -> Run {
        let Ports { webhook, health, diagnostics } = ports;
        let serving = self.serving();
        let folder = serving.certificate.parent().unwrap_or(self.folder.path()).display();
        let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        let args = vec![
            format!("--webhook-port={webhook}"),
            format!("--webhook-cert-dir={folder}"),
            format!("--webhook-cert-name={}", name(&serving.certificate)),
            format!("--webhook-key-name={}", name(&serving.key)),
            format!("--health-addr=127.0.0.1:{health}"),
            format!("--diagnostics-address=127.0.0.1:{diagnostics}"),
            "--insecure-diagnostics".to_owned(),
            "--leader-elect=false".to_owned(),
            format!("--feature-gates={FEATURES}"),
        ];
        // The clusters that are made in memory are served at the same ports in
        // every plane; an address of its own, made of a port that is ours
        // alone, keeps two planes apart.
        let [high, low] = webhook.to_be_bytes();
        Run {
            name: log_name(manager),
            path: manager.program(&self.programs.environment().cache),
            args,
            env: vec![format!("KUBECONFIG={}", self.kubeconfig().display()), format!("POD_IP=127.77.{high}.{low}")],
            ready: format!("http://127.0.0.1:{health}/readyz"),
        }
    }
}

fn log_name(manager: Manager) -> String {
    format!("cluster-api-{manager}")
}

/// One after the other, as kubectl reads them.
fn stream(objects: &[Value]) -> String {
    objects.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
