//! Asking clusters themselves: several at a time, each within a bound, by a client that is made for the question and
//! closed after it. None is kept, so that hundreds of clusters cost no more memory than those that are asked at a time,
//! and a kubeconfig that was made anew is used at once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use headway_api::quoted::with_causes;
use headway_cluster::gather::live;
use headway_core::fleet::{AT_ONCE, Answer, Ask, Failed, Key, Workloads};
use headway_core::preview::Workload;
use kube::Client;
use tokio::sync::mpsc;
use tokio::task::{Id, JoinSet};
use tokio::time::timeout;

use crate::kubeconfig::{self, KubeconfigError};
use crate::metrics::Metrics;

/// A question takes no longer, the way to the cluster included.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why no cluster is asked, where the operator was not told to.
pub(crate) const NOT_TOLD: &str =
    "the operator does not ask clusters themselves (--workloads; fleet.workloads.enabled of the chart)";

/// A question that was answered.
#[derive(Debug)]
pub(crate) struct Told {
    /// Who was asked.
    pub(super) key: Key,
    /// What came of it.
    pub(super) answer: Answer,
    /// How long it took.
    pub(super) took: Duration,
}

/// The two ends of whoever asks.
pub(crate) struct Asking {
    /// Which clusters are asked, and what they said.
    pub(crate) workloads: Workloads,
    /// Whom to ask.
    pub(crate) asks: mpsc::Sender<Ask>,
    /// What they say.
    pub(crate) told: mpsc::Receiver<Told>,
}

/// Asks until nobody will have to be asked any more; what is not answered by then is let go.
pub(crate) async fn run(
    client: Client,
    metrics: Arc<Metrics>,
    mut asks: mpsc::Receiver<Ask>,
    told: mpsc::Sender<Told>,
) {
    let mut working: JoinSet<Told> = JoinSet::new();
    let mut keys: HashMap<Id, Key> = HashMap::new();
    loop {
        metrics.fleet().workload_clients(working.len());
        let told_now = tokio::select! {
            ask = asks.recv(), if working.len() < AT_ONCE => match ask {
                Some(ask) => {
                    let key = ask.key.clone();
                    keys.insert(working.spawn(work(client.clone(), ask)).id(), key);
                    continue;
                }
                None => return,
            },
            Some(ended) = working.join_next_with_id() => match ended {
                Ok((id, told)) => {
                    keys.remove(&id);
                    Some(told)
                }
                // A look that panicked is a fault of ours, of which the runtime has told; its cluster has not answered.
                Err(error) => keys.remove(&error.id()).map(|key| {
                    let message = "the look at it failed".to_owned();
                    Told { key, answer: Answer::Unseen { at: Failed::Unreachable, message }, took: PATIENCE }
                }),
            },
        };
        if let Some(now) = told_now
            && told.send(now).await.is_err()
        {
            return;
        }
    }
}

async fn work(client: Client, ask: Ask) -> Told {
    let begun = Instant::now();
    let answer = match timeout(PATIENCE, look(&client, &ask)).await {
        Ok(Ok(workload)) => Answer::Seen(Box::new(workload)),
        Ok(Err(answer)) => answer,
        Err(_) => {
            let message = format!("no answer within {} s", PATIENCE.as_secs());
            Answer::Unseen { at: Failed::Unreachable, message }
        }
    };
    Told { key: ask.key, answer, took: begun.elapsed() }
}

async fn look(client: &Client, ask: &Ask) -> Result<Workload, Answer> {
    let Ask { key, kubeconfig, drains } = ask;
    let cluster = kubeconfig::connect(client, &key.namespace, kubeconfig, PATIENCE).await;
    let cluster = cluster.map_err(|error| Answer::Unseen { at: failed_at(&error), message: message(&error) })?;
    let seen = live::workload(&cluster, key.form, drains).await;
    seen.map_err(|error| Answer::Unseen { at: Failed::Unreachable, message: with_causes(&error) })
}

fn failed_at(error: &KubeconfigError) -> Failed {
    match error {
        KubeconfigError::Forbidden(_) => Failed::Forbidden,
        KubeconfigError::NotNamed
        | KubeconfigError::NotThere(_)
        | KubeconfigError::NotRead { .. }
        | KubeconfigError::NoKey { .. }
        | KubeconfigError::NotUsed { .. } => Failed::Kubeconfig,
    }
}

fn message(error: &KubeconfigError) -> String {
    let told = with_causes(error);
    match failed_at(error) {
        Failed::Forbidden => format!("{told} (fleet.workloads.enabled of the chart gives the right)"),
        Failed::Kubeconfig | Failed::Unreachable => told,
    }
}
