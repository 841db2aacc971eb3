//! Saying yes to a step of an upgrade: who one is, the object as it stands, and the list of its approvals written.
//!
//! What is to be written is decided in `headway_core::drive`; whether one may, the API server says.

use headway_api::GROUP;
use headway_api::quoted::Escaped;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::spec::Approval;
use headway_core::drive::{ApprovalError, Approver, Ruling, approve, revoke};
use jiff::Timestamp;
use k8s_openapi::api::authentication::v1::SelfSubjectReview;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::core::Status;
use serde_json::json;

use crate::gather::live::{CallError, Cluster, LiveError, call};

/// The field manager of approvals.
const FIELD_MANAGER: &str = "headway-approve";

/// How often the list is written over a newer one before giving up: whoever drives writes the status, which counts too,
/// every few seconds at most.
const TRIES: u32 = 8;

/// What a person says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Yes.
    Approve,
    /// Not any more.
    Revoke,
}

/// To what it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'a> {
    /// The namespace of the ClusterUpgrade.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The step; absent for the one that is plain.
    pub step: Option<&'a str>,
}

/// How far it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// It is written.
    Write,
    /// It is only decided.
    Client,
    /// The server judges it and does not keep it.
    Server,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// This step is approved, or not any more.
    Done {
        /// The step.
        step: String,
    },
    /// It was approved already.
    Already(Approval),
}

/// Why nothing came of it.
#[derive(Debug, thiserror::Error)]
pub enum SayError {
    /// The cluster cannot be reached, or does not know who asks.
    #[error(transparent)]
    Live(LiveError),
    /// There is nothing to say.
    #[error(transparent)]
    Nothing(ApprovalError),
    /// The kind is not there.
    #[error("the server serves no clusterupgrades.{GROUP}: Headway's definitions are not installed there")]
    NotServed,
    /// The object is not there.
    #[error("there is no ClusterUpgrade {name} in namespace {namespace}")]
    NotThere {
        /// Where it is not.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// The server does not tell who somebody is.
    #[error("the server does not tell who you are, and an approval has a name: {0}")]
    WhoAmI(String),
    /// The server said no, in its own words.
    #[error("Error from server ({reason}): {message}")]
    Refused {
        /// In a word.
        reason: String,
        /// In a sentence.
        message: String,
    },
    /// Others were faster each time.
    #[error("ClusterUpgrade {name} changes faster than its approvals can be written; try again")]
    Conflict {
        /// Its name.
        name: String,
    },
}

/// Says it.
///
/// # Guarantees
/// No entry of anybody else is lost: the list is written only over the object that was read, and read again otherwise.
///
/// # Errors
/// Nothing was written.
pub async fn say(
    cluster: &Cluster,
    word: Word,
    subject: Subject<'_>,
    depth: Depth,
    now: Timestamp,
) -> Result<Outcome, SayError> {
    let Subject { namespace, name, step } = subject;
    let api: Api<ClusterUpgrade> = Api::namespaced(cluster.client().clone(), namespace);
    let mut me = None;
    for _ in 0..TRIES {
        let upgrade = call(cluster, api.get(name)).await.map_err(|error| unread(error, subject))?;
        let ruling = match word {
            Word::Revoke => revoke(&upgrade, step),
            Word::Approve => {
                let me = match &mut me {
                    Some(me) => me,
                    none => none.insert(who_am_i(cluster).await?),
                };
                approve(&upgrade, step, Approver { name: me, at: now })
            }
        };
        let (step, approvals) = match ruling.map_err(SayError::Nothing)? {
            Ruling::Write { step, approvals } => (step, approvals),
            Ruling::Already(entry) => return Ok(Outcome::Already(entry)),
        };
        if depth == Depth::Client {
            return Ok(Outcome::Done { step });
        }
        let body = json!({
            // Who read something older decides anew.
            "metadata": { "resourceVersion": upgrade.metadata.resource_version, "uid": upgrade.metadata.uid },
            "spec": { "approvals": approvals },
        });
        let params = PatchParams {
            dry_run: depth == Depth::Server,
            field_manager: Some(FIELD_MANAGER.into()),
            ..PatchParams::default()
        };
        match call(cluster, api.patch(name, &params, &Patch::Merge(&body))).await {
            Ok(_) => return Ok(Outcome::Done { step }),
            Err(CallError::Refused(status)) if status.code == 409 => {}
            Err(error) => return Err(unread(error, subject)),
        }
    }
    Err(SayError::Conflict { name: format!("{namespace}/{name}") })
}

/// As whom the server knows us.
///
/// # Errors
/// It does not say.
pub async fn who_am_i(cluster: &Cluster) -> Result<String, SayError> {
    let api: Api<SelfSubjectReview> = Api::all(cluster.client().clone());
    let review = call(cluster, api.create(&PostParams::default(), &SelfSubjectReview::default())).await;
    let review = review.map_err(|error| match error {
        CallError::Live(error) => SayError::Live(error),
        CallError::Refused(status) => SayError::WhoAmI(Escaped(&status.message).to_string()),
    })?;
    let name = review.status.and_then(|status| status.user_info).and_then(|user| user.username);
    let name = name.filter(|name| !name.is_empty());
    name.ok_or_else(|| SayError::WhoAmI("the answer holds no name".into()))
}

/// What a call about the object ended with.
fn unread(error: CallError, subject: Subject<'_>) -> SayError {
    let Subject { namespace, name, step: _ } = subject;
    match error {
        CallError::Live(error) => SayError::Live(error),
        CallError::Refused(status) if status.code == 404 && is_of_object(&status) => {
            SayError::NotThere { namespace: namespace.to_owned(), name: name.to_owned() }
        }
        CallError::Refused(status) if status.code == 404 => SayError::NotServed,
        CallError::Refused(status) => {
            let Status { reason, message, .. } = *status;
            SayError::Refused { reason, message }
        }
    }
}

/// Whether it is an object that is not there, and not its kind.
fn is_of_object(status: &Status) -> bool {
    status.details.as_ref().is_some_and(|details| !details.name.is_empty())
}
