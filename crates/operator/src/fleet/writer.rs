//! Writing the statuses of a fleet: several at a time, so that a thousand of them are written within seconds, and never
//! so many that the API server is kept from other work.

use std::time::{Duration, Instant};

use headway_core::fleet::{Key, Owner};
use kube::api::Api;
use kube::{Client, Error};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;

use super::status::{Packed, metadata, resource};
use crate::writer::{Outcome, PATIENCE, outcome, put, remove};

/// So many writes are under way at once.
pub(crate) const AT_ONCE: usize = 8;

/// What to do with the status of one cluster.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// Whose.
    pub(super) key: Key,
    /// What to do.
    pub(super) task: Task,
}

/// What to do.
#[derive(Debug, Clone)]
pub(super) enum Task {
    /// Write it; make it first where it is not there.
    Apply {
        /// The cluster's own object.
        owner: Owner,
        /// The status.
        body: Packed,
    },
    /// Delete it.
    Delete,
}

/// A job that was done.
#[derive(Debug)]
pub(crate) struct Done {
    /// The job.
    pub(super) job: Job,
    /// What became of it.
    pub(super) outcome: Outcome,
    /// How long it took.
    pub(super) took: Duration,
}

/// Does jobs until there will be no more. Those at hand are always finished.
pub(crate) async fn run(client: Client, mut jobs: mpsc::Receiver<Job>, done: mpsc::Sender<Done>) {
    let mut working: JoinSet<Done> = JoinSet::new();
    loop {
        tokio::select! {
            job = jobs.recv(), if working.len() < AT_ONCE => match job {
                Some(job) => { working.spawn(work(client.clone(), job)); }
                None => break,
            },
            Some(ended) = working.join_next() => if !tell(ended, &done).await { return },
        }
    }
    while let Some(ended) = working.join_next().await {
        if !tell(ended, &done).await {
            return;
        }
    }
}

/// Says what became of a job. Answers false when nobody listens.
async fn tell(ended: Result<Done, JoinError>, done: &mpsc::Sender<Done>) -> bool {
    match ended {
        Ok(job) => done.send(job).await.is_ok(),
        // A write that panicked is a fault of ours, of which the runtime has told; what it was about is not known.
        Err(_) => true,
    }
}

async fn work(client: Client, job: Job) -> Done {
    let begun = Instant::now();
    let doing = async {
        match &job.task {
            Task::Apply { owner, body } => apply(&client, &job.key, owner, body).await,
            Task::Delete => delete(&client, &job.key).await,
        }
    };
    let outcome = match timeout(PATIENCE, doing).await {
        Ok(Ok(())) => Outcome::Written,
        Ok(Err(error)) => outcome(&error),
        Err(_) => Outcome::no_answer(),
    };
    Done { job, outcome, took: begun.elapsed() }
}

async fn apply(client: &Client, key: &Key, owner: &Owner, body: &Packed) -> Result<(), Error> {
    let resource = resource(key.form);
    let api = Api::namespaced_with(client.clone(), &key.namespace, &resource);
    let status = body.value().map_err(Error::SerdeError)?;
    put(&api, &resource, &metadata(key, owner), status).await.map(drop)
}

async fn delete(client: &Client, key: &Key) -> Result<(), Error> {
    remove(&Api::namespaced_with(client.clone(), &key.namespace, &resource(key.form)), &key.name).await
}
