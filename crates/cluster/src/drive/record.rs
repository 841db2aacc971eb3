//! The status of a ClusterUpgrade is written: all that has to outlive us is in it.

use headway_api::quoted::with_causes;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::status::ClusterUpgradeStatus;
use kube::Resource;
use kube::api::{Api, Patch, PatchParams};
use serde_json::json;

use super::{Driver, FIELD_MANAGER};

impl Driver {
    /// Writes the status over the one that was read, and not over another.
    pub(super) async fn record(
        &self,
        upgrade: &ClusterUpgrade,
        status: &ClusterUpgradeStatus,
    ) -> Result<ClusterUpgrade, String> {
        let namespace = upgrade.metadata.namespace.as_deref().unwrap_or_default();
        let name = upgrade.metadata.name.as_deref().unwrap_or_default();
        let api: Api<ClusterUpgrade> = Api::namespaced(self.client.clone(), namespace);
        let body = json!({
            "apiVersion": ClusterUpgrade::api_version(&()),
            "kind": ClusterUpgrade::kind(&()),
            "metadata": {
                "name": name,
                // Who read something older decides anew.
                "resourceVersion": upgrade.metadata.resource_version,
            },
            "status": status,
        });
        let params = PatchParams::apply(FIELD_MANAGER).force();
        api.patch_status(name, &params, &Patch::Apply(&body)).await.map_err(|error| match error {
            kube::Error::Api(status) => status.message,
            error => with_causes(&error),
        })
    }
}
