//! Where the API server keeps the kinds that are read.

use kube::api::{GetParams, ListParams};
use kube::core::request::{Error, Request};

use super::super::recognize::Kind;

/// One list of objects: a kind in a version that is served, and which of its objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) kind: Kind,
    version: &'static str,
    namespace: Option<&'static str>,
    fields: Option<String>,
}

/// The one Deployment that is read, and where it is.
const MCO_NAMESPACE: &str = "openshift-machine-config-operator";
const MCO: &str = "machine-config-operator";

impl Listing {
    /// All objects of a kind that are read.
    pub(super) fn of(kind: Kind, version: &'static str) -> Self {
        match kind {
            // One named object, so that the right to read no more than that suffices.
            Kind::Deployment => {
                Self { kind, version, namespace: Some(MCO_NAMESPACE), fields: Some(format!("metadata.name={MCO}")) }
            }
            Kind::ClusterVersion
            | Kind::ClusterOperator
            | Kind::MachineConfigPool
            | Kind::MachineConfig
            | Kind::MachineConfigNode
            | Kind::MachineOsConfig
            | Kind::MachineOsBuild
            | Kind::Node
            | Kind::Pod
            | Kind::PodDisruptionBudget => Self { kind, version, namespace: None, fields: None },
        }
    }

    /// The pods on a node.
    pub(super) fn of_pods_on(node: &str) -> Self {
        Self { fields: Some(format!("spec.nodeName={node}")), ..Self::of(Kind::Pod, "v1") }
    }

    /// The one object, of a kind of which a single one is read.
    pub(super) fn get(&self) -> Option<Result<Asked, Error>> {
        let one = (self.kind == Kind::Deployment).then_some(MCO)?;
        Some(Request::new(self.path()).get(one, &GetParams::default()))
    }

    /// A page of the list.
    pub(super) fn page(&self, limit: Option<u32>, token: Option<&str>) -> Result<Asked, Error> {
        let params = ListParams {
            limit,
            continue_token: token.map(str::to_owned),
            field_selector: self.fields.clone(),
            ..ListParams::default()
        };
        let request = Request::new(self.path());
        // Of MachineConfigs only the name and an annotation are read, and the rest weighs up to megabytes.
        if self.kind == Kind::MachineConfig { request.list_metadata(&params) } else { request.list(&params) }
    }

    /// What is told of where an object was.
    pub(super) fn place(&self) -> String {
        self.kind.resource()
    }

    /// What is done to read it, as the rules for access have it.
    pub(super) fn verb(&self) -> &'static str {
        if self.kind == Kind::Deployment { "get" } else { "list" }
    }

    fn path(&self) -> String {
        let Self { kind, version, namespace, fields: _ } = self;
        let root = match kind.group() {
            "" => format!("/api/{version}"),
            group => format!("/apis/{group}/{version}"),
        };
        match namespace {
            Some(namespace) => format!("{root}/namespaces/{namespace}/{}", kind.plural()),
            None => format!("{root}/{}", kind.plural()),
        }
    }
}

/// A request that is ready to be sent.
pub(super) type Asked = http::Request<Vec<u8>>;
