//! The pods of nodes that drain, asked for node by node from time to time.
//!
//! No watch: one for each draining node would be hundreds of connections, and one for all pods would bring those of
//! the whole cluster, of which all but a few say nothing.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt, stream};
use headway_core::inform::{Failure, FailureKind, Uid};
use tokio::sync::watch;
use tokio::time::sleep;

use super::super::super::recognize::Kind;
use super::super::fault::{Fault, told};
use super::super::pages;
use super::super::resource::Listing;
use super::outbox::Known;
use super::{Informing, wait_for};

/// How many nodes are asked for at a time.
const AT_A_TIME: usize = 4;

/// A node more makes a round longer by so many milliseconds: five hundred nodes of a large cluster that drain at once
/// are asked for no faster than a few at a time.
const MILLISECONDS_A_NODE: u64 = 250;

/// Informs, for ever.
pub(super) async fn inform(informing: &Informing, mut drains: watch::Receiver<BTreeSet<String>>) {
    loop {
        informing.rest("no node drains");
        wait_for(&mut drains, |nodes| !nodes.is_empty()).await;
        let mut kept = BTreeMap::new();
        informing.outbox.hello(informing.context.now());
        loop {
            let nodes = drains.borrow_and_update().clone();
            if nodes.is_empty() {
                break;
            }
            round(informing, &nodes, &mut kept).await;
            let pace = informing.context.pace;
            let least = std::time::Duration::from_millis(MILLISECONDS_A_NODE);
            let pause = pace.pods.max(least.saturating_mul(u32::try_from(nodes.len()).unwrap_or(u32::MAX)));
            tokio::select! {
                () = sleep(pause) => {}
                () = async { if drains.changed().await.is_err() { std::future::pending::<()>().await } } => {}
            }
        }
        for uid in kept.into_keys() {
            informing.outbox.remove(informing.context.now(), uid);
        }
    }
}

/// Asks for the pods of all nodes that drain, and tells what is new.
async fn round(informing: &Informing, nodes: &BTreeSet<String>, kept: &mut BTreeMap<Uid, Known>) {
    let context = &informing.context;
    let ask =
        |node: String| async move { pages::list(&context.cluster, &Listing::of_pods_on(&node), &context.limits).await };
    let answers = stream::iter(nodes.iter().cloned()).map(ask).buffered(AT_A_TIME).collect::<Vec<_>>().await;
    let mut all = BTreeMap::new();
    for answer in answers {
        match answer {
            Ok(pages) => all.extend(pages.into_iter().flat_map(|page| page.into_known())),
            Err(fault) => return fail(informing, &fault),
        }
    }
    let now = context.now();
    for (uid, known) in &all {
        if kept.get(uid) != Some(known) {
            informing.outbox.upsert(now, uid.clone(), known.clone());
        }
    }
    for uid in kept.keys().filter(|uid| !all.contains_key(*uid)) {
        informing.outbox.remove(now, uid.clone());
    }
    *kept = all;
    if informing.pulse.connect(now) {
        informing.outbox.synced(now, kept.keys().cloned().collect());
    }
}

fn fail(informing: &Informing, fault: &Fault) {
    let kind = match fault {
        Fault::Forbidden(_) => FailureKind::Forbidden,
        Fault::NotFound(_)
        | Fault::Unauthorized
        | Fault::Gone(_)
        | Fault::Status { .. }
        | Fault::TimedOut(_)
        | Fault::Refused
        | Fault::Unreachable(_)
        | Fault::Unreadable(_) => FailureKind::Unreachable,
    };
    informing.pulse.disconnect();
    let message = told(Kind::Pod, "list", fault);
    informing.outbox.failed(informing.context.now(), Failure { kind, message });
}
