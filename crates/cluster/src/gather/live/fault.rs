//! What goes wrong between us and a cluster, and how it is told.

use std::error::Error;
use std::io;
use std::time::Duration;

use headway_api::gap::{Gap, GapKind};

use super::super::recognize::Kind;
use super::access::Cluster;
use crate::cause::{chain, innermost};

/// Why nothing of a cluster can be seen, in kubectl's words where it has some.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// Nobody listens there.
    #[error("the connection to the server {server} was refused - did you specify the right host or port?")]
    Refused {
        /// The server's host and port.
        server: String,
    },
    /// There is no way to the server, or it is not the one that it should be.
    #[error("unable to connect to the server {server}")]
    Unreachable {
        /// The server's host and port.
        server: String,
        /// What stands in the way.
        #[source]
        cause: Cause,
    },
    /// The server took longer than it was given.
    #[error("the server {server} did not answer within {}", seconds(.after))]
    TimedOut {
        /// The server's host and port.
        server: String,
        /// What it was given.
        after: Duration,
    },
    /// The server does not know who asks.
    #[error("you must be logged in to the server (Unauthorized)")]
    Unauthorized,
    /// The server answers, but not as an API server does.
    #[error("the server {server} does not answer as a Kubernetes API server")]
    Strange {
        /// The server's host and port.
        server: String,
        /// What it answers.
        #[source]
        cause: Cause,
    },
}

/// The innermost cause of an error: what the layers above it add says nothing to people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Cause(String);

/// Why a request was not answered with what it asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// 401.
    #[error("you must be logged in to the server (Unauthorized)")]
    Unauthorized,
    /// 403, with what the server says about it.
    #[error("{0}")]
    Forbidden(String),
    /// 404.
    #[error("{0}")]
    NotFound(String),
    /// 410: what the request goes on from is no longer known.
    #[error("{0}")]
    Gone(String),
    /// Any other answer that is none.
    #[error("the server answered {code}: {message}")]
    Status { code: u16, message: String },
    /// No answer in time.
    #[error("no answer within {}", seconds(.0))]
    TimedOut(Duration),
    /// No connection.
    #[error("the connection was refused")]
    Refused,
    /// No connection, or one that was lost.
    #[error("{0}")]
    Unreachable(String),
    /// An answer that is not what such a request is answered with.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

impl Fault {
    /// What a client says went wrong.
    pub(super) fn of_client(error: &(dyn Error + 'static)) -> Self {
        let refused = chain(error).any(|cause| {
            cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
        });
        if refused { Self::Refused } else { Self::Unreachable(innermost(error)) }
    }

    /// Whether nothing was answered at all.
    pub(super) fn is_of_connection(&self) -> bool {
        match self {
            Self::TimedOut(_) | Self::Refused | Self::Unreachable(_) => true,
            Self::Unauthorized
            | Self::Forbidden(_)
            | Self::NotFound(_)
            | Self::Gone(_)
            | Self::Status { .. }
            | Self::Unreadable(_) => false,
        }
    }

    /// The error of the whole cluster, when this is what all of it says.
    pub(super) fn of_cluster(self, cluster: &Cluster) -> LiveError {
        let server = cluster.server().to_owned();
        match self {
            Self::Refused => LiveError::Refused { server },
            Self::TimedOut(after) => LiveError::TimedOut { server, after },
            Self::Unauthorized => LiveError::Unauthorized,
            Self::Unreachable(cause) => LiveError::Unreachable { server, cause: Cause(cause) },
            other @ (Self::Forbidden(_)
            | Self::NotFound(_)
            | Self::Gone(_)
            | Self::Status { .. }
            | Self::Unreadable(_)) => LiveError::Strange { server, cause: Cause(other.to_string()) },
        }
    }
}

/// The gap of a kind that could not be read.
pub(super) fn gap(kind: Kind, verb: &str, fault: &Fault) -> Gap {
    let is = match fault {
        Fault::Forbidden(_) => GapKind::Refused,
        Fault::NotFound(_) => GapKind::Optional,
        Fault::Unauthorized
        | Fault::Gone(_)
        | Fault::Status { .. }
        | Fault::TimedOut(_)
        | Fault::Refused
        | Fault::Unreachable(_)
        | Fault::Unreadable(_) => GapKind::Unreadable,
    };
    Gap::of_input(if is_essential(kind) { is } else { GapKind::Optional }, told(kind, verb, fault))
}

/// What stands in the way of reading a kind: the verb, the resource and why.
pub(super) fn told(kind: Kind, verb: &str, fault: &Fault) -> String {
    obstacle(verb, &kind.resource(), absent(kind), fault)
}

/// What stands in the way of reading a resource, with the words for one that is not there.
pub(super) fn obstacle(verb: &str, resource: &str, absent: String, fault: &Fault) -> String {
    match fault {
        Fault::Forbidden(why) => format!("may not {verb} {resource} ({why})"),
        Fault::NotFound(_) => absent,
        Fault::Unauthorized
        | Fault::Gone(_)
        | Fault::Status { .. }
        | Fault::TimedOut(_)
        | Fault::Refused
        | Fault::Unreachable(_)
        | Fault::Unreadable(_) => format!("cannot {verb} {resource}: {fault}"),
    }
}

/// The gap of a kind that the cluster does not have, if any rule lacks something by it: the rules tell themselves what
/// that is, and how serious.
pub(super) fn not_served(kind: Kind) -> Option<Gap> {
    is_essential(kind).then(|| Gap::of_input(GapKind::Optional, absent(kind)))
}

fn absent(kind: Kind) -> String {
    format!("{} are not served by this cluster", kind.resource())
}

/// Whether a status without this kind says less than it seems to.
fn is_essential(kind: Kind) -> bool {
    match kind {
        Kind::ClusterVersion | Kind::ClusterOperator | Kind::MachineConfigPool | Kind::MachineConfig | Kind::Node => {
            true
        }
        Kind::MachineConfigNode
        | Kind::MachineOsConfig
        | Kind::MachineOsBuild
        | Kind::Deployment
        | Kind::Pod
        | Kind::PodDisruptionBudget => false,
    }
}

/// A span as people write it: `5s`, `1.5s`.
fn seconds(span: &Duration) -> String {
    format!("{}s", span.as_secs_f64())
}
