//! Where the API server keeps the kinds that are read.

use kube::api::{GetParams, ListParams, WatchParams};
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

/// For how many seconds a server is asked to keep a watch: somewhat less than its own usual end, so that it is we who
/// know when. Going on costs one request.
pub(super) const WATCH: u32 = 280;

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

    /// All objects of a kind, in the best version whose fields are known.
    pub(super) fn newest(kind: Kind) -> Self {
        Self::of(kind, kind.versions().first().copied().unwrap_or("v1"))
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

    /// Moves on to the next version whose fields are known; from the last back to the first, and says `false` then.
    pub(super) fn next_version(&mut self) -> bool {
        let versions = self.kind.versions();
        let next = versions.iter().position(|version| *version == self.version).map_or(0, |at| at + 1);
        let first = versions.first().copied().unwrap_or(self.version);
        self.version = versions.get(next).copied().unwrap_or(first);
        next < versions.len()
    }

    /// The list, sent object by object as the beginning of a watch.
    pub(super) fn stream(&self) -> Result<Asked, Error> {
        // Without a version the list is the newest there is, not what one of several servers happens to remember.
        self.watch_with(&WatchParams { send_initial_events: true, ..self.watch_params() }, "")
    }

    /// What changes after a version.
    pub(super) fn watch(&self, version: &str) -> Result<Asked, Error> {
        self.watch_with(&self.watch_params(), version)
    }

    fn watch_with(&self, params: &WatchParams, version: &str) -> Result<Asked, Error> {
        let request = Request::new(self.path());
        if self.kind == Kind::MachineConfig {
            request.watch_metadata(params, version)
        } else {
            request.watch(params, version)
        }
    }

    fn watch_params(&self) -> WatchParams {
        WatchParams {
            field_selector: self.fields.clone(),
            timeout: Some(WATCH),
            bookmarks: true,
            ..WatchParams::default()
        }
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
