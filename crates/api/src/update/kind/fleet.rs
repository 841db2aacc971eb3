//! The kinds that tell of the clusters of a fleet: one object for each cluster that a management cluster keeps, in its
//! namespace and of its name, so that a list of them is a dashboard.
//!
//! Their status is that of `UpdateStatus`. They differ in what they tell of, and in nothing else.

#![expect(
    unreachable_pub,
    reason = "kube's derive has a public item in a place that nobody reaches, which the lint sees within a macro"
)]

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::status::Status;

/// Declares a kind. The derive takes literals only, so that what differs between two is handed in as such.
macro_rules! kind_of_fleet {
    ($spec:ident, $kind:tt, $plural:tt, $short:tt, $doc:tt, $rule:tt, $broken:tt) => {
        /// Nothing can be asked for.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
        #[kube(
            group = "update.openshift.io",
            version = "v1alpha1",
            kind = $kind,
            plural = $plural,
            namespaced,
            status = "Status",
            derive = "PartialEq",
            shortname = $short,
            category = "update",
            doc = $doc,
            validation = Rule::new($rule).message($broken),
            selectable = ".status.summary.outcome",
            selectable = ".status.summary.activity",
            selectable = ".status.summary.assessment",
            selectable = ".status.summary.worstLevel",
            selectable = ".status.summary.from",
            selectable = ".status.summary.to",
            printcolumn(name = "From", type_ = "string", json_path = ".status.summary.from", description = "The version that the cluster had"),
            printcolumn(name = "To", type_ = "string", json_path = ".status.summary.to", description = "The version that the cluster is to have"),
            printcolumn(name = "Step", type_ = "string", json_path = ".status.summary.step", description = "Which step is under way, of how many"),
            printcolumn(name = "Updating", type_ = "string", json_path = ".status.conditions[?(@.type==\"Updating\")].status", description = "Whether the cluster is being updated, workers included"),
            printcolumn(name = "Completion", type_ = "integer", json_path = ".status.summary.completion", description = "How far the control plane's step is, in percent"),
            printcolumn(name = "Assessment", type_ = "string", json_path = ".status.summary.assessment", description = "How the control plane's update goes"),
            printcolumn(name = "Worst", type_ = "string", json_path = ".status.summary.worstLevel", description = "The level of the worst health insight"),
            printcolumn(name = "Waiting on", type_ = "string", json_path = ".status.waitingOn[0].what", description = "What the update waits on first"),
            printcolumn(name = "Since", type_ = "date", json_path = ".status.summary.since", description = "Since when it stands so"),
            printcolumn(name = "Next", type_ = "string", json_path = ".status.summary.next", priority = 1, description = "The version that the step under way leads to"),
            printcolumn(name = "Machines", type_ = "string", json_path = ".status.summary.machines", priority = 1, description = "Nodes or machines that are done, of how many"),
            printcolumn(name = "Started", type_ = "date", json_path = ".status.summary.startedAt", priority = 1, description = "When the update began"),
            printcolumn(name = "Est. completed", type_ = "string", json_path = ".status.summary.estimatedCompletedAt", priority = 1, description = "When the control plane should be complete"),
            printcolumn(name = "Attention", type_ = "integer", json_path = ".status.summary.attention", priority = 1, description = "How many health insights there are"),
            printcolumn(name = "Insight", type_ = "string", json_path = ".status.summary.worst", priority = 1, description = "The worst health insight"),
            printcolumn(name = "Waiting for", type_ = "string", json_path = ".status.summary.waitingOn", priority = 1, description = "On whom the update waits"),
            printcolumn(name = "Truncated", type_ = "string", json_path = ".status.conditions[?(@.type==\"Truncated\")].status", priority = 1, description = "Whether parts were left out to keep the object small"),
            printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
        )]
        pub struct $spec {}
    };
}

kind_of_fleet!(
    HostedClusterUpdateStatusSpec,
    "HostedClusterUpdateStatus",
    "hostedclusterupdatestatuses",
    "hcus",
    "How the update of a hosted cluster is going, whether it goes well, and what stands in its way. It has the namespace and the name of the HostedCluster.",
    "!has(self.status) || !has(self.status.controlPlane) || (self.status.controlPlane.resource.resource == 'hostedclusters' && self.status.controlPlane.resource.name == self.metadata.name)",
    "status.controlPlane.resource is the HostedCluster of the object's name"
);

kind_of_fleet!(
    ClusterUpdateStatusSpec,
    "ClusterUpdateStatus",
    "clusterupdatestatuses",
    "cus",
    "How the update of a cluster of Cluster API is going, whether it goes well, and what stands in its way. It has the namespace and the name of the Cluster.",
    "!has(self.status) || !has(self.status.controlPlane) || (self.status.controlPlane.resource.resource == 'clusters' && self.status.controlPlane.resource.name == self.metadata.name)",
    "status.controlPlane.resource is the Cluster of the object's name"
);
