//! Where a kind of a management cluster is, and how its objects are read.

use headway_core::fleet::{Object, Source};
use headway_core::inform::Uid;
use kube::api::{ListParams, WatchParams};
use kube::core::request::{Error, Request};
use tokio::sync::watch;

use super::super::super::super::{Limits, inventory};
use super::super::super::fault::{self, Fault};
use super::super::super::resource::{Asked, WATCH};
use super::super::outbox::Known;
use super::super::subject::Subject;

/// A kind of a management cluster, in the version that is served.
pub(super) struct FleetListing {
    pub(super) source: Source,
    pub(super) group: &'static str,
    /// The version, which whoever looks for what is served says anew when it changes.
    pub(super) version: watch::Receiver<String>,
}

impl FleetListing {
    fn resource(&self) -> String {
        let plural = self.source.name();
        if self.group.is_empty() { plural.to_owned() } else { format!("{plural}.{}", self.group) }
    }

    fn request(&self) -> Request {
        let version = self.version.borrow().clone();
        let plural = self.source.name();
        Request::new(match self.group {
            "" => format!("/api/{version}/{plural}"),
            group => format!("/apis/{group}/{version}/{plural}"),
        })
    }
}

/// How a watch is asked for.
fn params() -> WatchParams {
    WatchParams { timeout: Some(WATCH), bookmarks: true, ..WatchParams::default() }
}

impl Subject for FleetListing {
    type Source = Source;
    type Fact = Object;

    fn stream(&self) -> Result<Asked, Error> {
        self.request().watch(&WatchParams { send_initial_events: true, ..params() }, "")
    }

    fn watch(&self, version: &str) -> Result<Asked, Error> {
        self.request().watch(&params(), version)
    }

    fn page(&self, limit: Option<u32>, token: Option<&str>) -> Result<Asked, Error> {
        let params = ListParams { limit, continue_token: token.map(str::to_owned), ..ListParams::default() };
        self.request().list(&params)
    }

    fn read(&self, text: &[u8], limits: &Limits) -> Vec<(Uid, Known<Object>)> {
        inventory::parse(&self.resource(), text, limits).into_known()
    }

    fn next_version(&mut self) -> bool {
        // One that is served is told from outside.
        false
    }

    fn obstacle(&self, verb: &str, fault: &Fault) -> String {
        let resource = self.resource();
        let absent = format!("{resource} are not served by this cluster");
        fault::obstacle(verb, &resource, absent, fault)
    }
}
