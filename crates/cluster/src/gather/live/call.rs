//! One call through kube's client, which reads and writes objects: what goes wrong with it is told as everywhere else.

use kube::core::Status;

use super::access::Cluster;
use super::fault::{Fault, LiveError};
use super::request::within;

/// Why a call did not do what it should.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The cluster cannot be reached, or does not know who asks.
    Live(LiveError),
    /// The server said no.
    Refused(Box<Status>),
}

/// Waits for a call, for as long as the cluster is given.
pub(crate) async fn call<T>(cluster: &Cluster, work: impl Future<Output = kube::Result<T>>) -> Result<T, CallError> {
    let live = |fault: Fault| CallError::Live(fault.of_cluster(cluster));
    let answered = within(cluster.timeout(), async { Ok(work.await) }).await.map_err(live)?;
    answered.map_err(|error| match error {
        kube::Error::Api(status) if status.code == 401 => live(Fault::Unauthorized),
        kube::Error::Api(status) => CallError::Refused(status),
        kube::Error::SerdeError(error) => live(Fault::Unreadable(error.to_string())),
        error => live(Fault::of_client(&error)),
    })
}
