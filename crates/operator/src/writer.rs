//! Writing to the API server: server-side apply of a status under our own field manager, and deletion of what is ours.
//!
//! One task, one write at a time: a slow server slows the writes and not the looking.

use std::time::Duration;

use jiff::SignedDuration;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::{Client, Error};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::rendering::{Body, Key};

/// Our field manager (design, section 8).
pub(crate) const FIELD_MANAGER: &str = "headway-status";

/// What to do with one object.
#[derive(Debug, Clone)]
pub(crate) enum Job {
    /// Write its status; make it first where it is not there.
    Apply {
        /// Which.
        key: Key,
        /// Labels and owners.
        metadata: Value,
        /// The status.
        body: Body,
    },
    /// Delete it.
    Delete {
        /// Which.
        key: Key,
    },
}

impl Job {
    /// Which object it is about.
    pub(crate) fn key(&self) -> &Key {
        match self {
            Self::Apply { key, .. } | Self::Delete { key, .. } => key,
        }
    }
}

/// What became of it.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// It is as it was asked for.
    Written,
    /// The server does not know the kind.
    NotServed,
    /// We may not.
    Forbidden(String),
    /// It is larger than the server takes.
    TooLarge(String),
    /// It breaks a rule of its kind.
    Invalid(String),
    /// Something that may pass.
    Failed {
        /// What happened.
        message: String,
        /// How long the server asks us to wait.
        pause: Option<SignedDuration>,
    },
}

impl Outcome {
    /// The server took the question and said nothing.
    pub(crate) fn no_answer() -> Self {
        Self::Failed { message: format!("no answer within {} s", PATIENCE.as_secs()), pause: None }
    }

    /// In a word, for logs and metrics.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::NotServed => "not_served",
            Self::Forbidden(_) => "forbidden",
            Self::TooLarge(_) => "too_large",
            Self::Invalid(_) => "invalid",
            Self::Failed { .. } => "failed",
        }
    }

    /// What the server said.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Written => "",
            Self::NotServed => "the server does not know the kind: are the CustomResourceDefinitions installed?",
            Self::Forbidden(message) | Self::TooLarge(message) | Self::Invalid(message) => message,
            Self::Failed { message, .. } => message,
        }
    }
}

/// A job that was done.
#[derive(Debug)]
pub(crate) struct Done {
    /// The job.
    pub(crate) job: Job,
    /// What became of it.
    pub(crate) outcome: Outcome,
    /// How long it took.
    pub(crate) took: Duration,
    /// The identity of the object that was written.
    pub(crate) uid: Option<String>,
}

/// For so long an answer is waited for. The server itself gives up a write after 34 seconds; a connection of which
/// nothing comes any more must not hold up all writes for ever.
pub(crate) const PATIENCE: Duration = Duration::from_secs(45);

/// Does jobs until there will be no more. The job at hand is always finished.
pub(crate) async fn run(client: Client, mut jobs: mpsc::Receiver<Job>, done: mpsc::Sender<Done>) {
    while let Some(job) = jobs.recv().await {
        let begun = std::time::Instant::now();
        let doing = async {
            match &job {
                Job::Apply { key, metadata, body } => {
                    apply(&client, key, metadata, body).await.map(|written| written.metadata.uid)
                }
                Job::Delete { key } => delete(&client, key).await.map(|()| None),
            }
        };
        let (outcome, uid) = match timeout(PATIENCE, doing).await {
            Ok(Ok(uid)) => (Outcome::Written, uid),
            Ok(Err(error)) => (outcome(&error), None),
            Err(_) => (Outcome::no_answer(), None),
        };
        if done.send(Done { job, outcome, took: begun.elapsed(), uid }).await.is_err() {
            return;
        }
    }
}

async fn apply(client: &Client, key: &Key, metadata: &Value, body: &Body) -> Result<DynamicObject, Error> {
    let resource = key.kind.resource();
    let mut metadata = metadata.clone();
    metadata["name"] = json!(key.name);
    let status = body.json().map_err(Error::SerdeError)?;
    put(&Api::all_with(client.clone(), &resource), &resource, &metadata, status).await
}

async fn delete(client: &Client, key: &Key) -> Result<(), Error> {
    remove(&Api::all_with(client.clone(), &key.kind.resource()), &key.name).await
}

/// Writes the status of an object, which `metadata` names; makes the object first where it is not there.
pub(crate) async fn put(
    api: &Api<DynamicObject>,
    resource: &ApiResource,
    metadata: &Value,
    status: Value,
) -> Result<DynamicObject, Error> {
    let params = PatchParams::apply(FIELD_MANAGER).force();
    let name = metadata["name"].as_str().unwrap_or_default();
    let object = |part: &str, value: Value| {
        let (version, kind) = (&resource.api_version, &resource.kind);
        let mut object = json!({ "apiVersion": version, "kind": kind, "metadata": metadata });
        object[part] = value;
        object
    };
    let status = object("status", status);
    match api.patch_status(name, &params, &Patch::Apply(&status)).await {
        Err(Error::Api(answer)) if answer.code == 404 => {}
        result => return result,
    }
    // The status of an object that is not there cannot be written: it is made, empty, and then told.
    api.patch(name, &params, &Patch::Apply(&object("spec", json!({})))).await?;
    api.patch_status(name, &params, &Patch::Apply(&status)).await
}

/// Deletes an object, if it is there.
pub(crate) async fn remove(api: &Api<DynamicObject>, name: &str) -> Result<(), Error> {
    match api.delete(name, &DeleteParams::default()).await {
        Err(Error::Api(answer)) if answer.code == 404 => Ok(()),
        result => result.map(drop),
    }
}

/// What an error means for what to do next.
pub(crate) fn outcome(error: &Error) -> Outcome {
    let Error::Api(answer) = error else {
        return Outcome::Failed { message: chain(error), pause: None };
    };
    let message = answer.message.clone();
    match answer.code {
        403 => Outcome::Forbidden(message),
        // An object that is not there is made; that there is no place for it means that there is no such kind.
        404 => Outcome::NotServed,
        413 => Outcome::TooLarge(message),
        // etcd's own limit comes as an internal error with its words.
        500 if message.contains("request is too large") => Outcome::TooLarge(message),
        400 | 422 => Outcome::Invalid(message),
        _ => {
            let seconds = answer.details.as_ref().map(|details| i64::from(details.retry_after_seconds));
            let pause = seconds.filter(|seconds| *seconds > 0).map(SignedDuration::from_secs);
            Outcome::Failed { message, pause }
        }
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let told = next.to_string();
        if !text.contains(&told) {
            text = format!("{text}: {told}");
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use http::{Request, Response};
    use kube::client::Body as Bytes;

    use super::*;
    use crate::rendering::Kind;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_never_answers_holds_up_no_later_write() {
        let mut asked = 0;
        let server = tower::service_fn(move |_: Request<Bytes>| {
            asked += 1;
            let answers = asked > 1;
            async move {
                if !answers {
                    std::future::pending::<()>().await;
                }
                let gone = json!({ "kind": "Status", "status": "Success", "metadata": {} });
                Ok::<_, std::convert::Infallible>(Response::new(Bytes::from(gone.to_string().into_bytes())))
            }
        });
        let (jobs, to_do) = mpsc::channel(2);
        let (have_done, mut done) = mpsc::channel(2);
        let writing = tokio::spawn(run(Client::new(server, "default"), to_do, have_done));
        for name in ["first", "second"] {
            let key = Key { kind: Kind::Health, name: name.into() };
            assert!(jobs.send(Job::Delete { key }).await.is_ok());
        }
        let first = done.recv().await.unwrap();
        assert_eq!((first.outcome.word(), first.outcome.message()), ("failed", "no answer within 45 s"));
        assert_eq!(done.recv().await.unwrap().outcome.word(), "written");
        drop(jobs);
        writing.await.unwrap();
    }
}
