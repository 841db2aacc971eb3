//! Who watches what the operator writes, and so sees when a change is told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use futures::TryStreamExt as _;
use headway_api::update::group::NodeGroup;
use headway_api::update::status::Status;
use headway_api::update::word::Phase;
use kube::api::{Api, DynamicObject, WatchEvent, WatchParams};
use tokio::sync::watch;

use super::world::World;
use crate::recording::Fleet;

/// One write of `UpdateStatus`, as it was seen.
pub(super) struct Write {
    pub(super) at: Instant,
    /// How far each node is, by its index; nothing is known of one that is not named.
    pub(super) ranks: Vec<Option<u8>>,
    /// What the findings are about: their summaries.
    pub(super) findings: Vec<String>,
    /// How many nodes are counted, and how many of them as done.
    pub(super) counted: (u32, u32),
}

/// Everything that was seen.
#[derive(Default)]
pub(super) struct Seen {
    /// Writes of `UpdateStatus`.
    pub(super) statuses: Vec<Write>,
    /// Bytes of each write, by kind.
    pub(super) bytes: BTreeMap<&'static str, Vec<usize>>,
    /// What could not be read.
    pub(super) failure: Option<String>,
}

/// The witness; cheap to share.
#[derive(Clone)]
pub(super) struct Witness {
    seen: Arc<Mutex<Seen>>,
    count: watch::Receiver<usize>,
}

/// `UpdateStatus`, for [`Seen::bytes`].
pub(super) const STATUS: &str = "UpdateStatus";

/// `PoolUpdateStatus`, for [`Seen::bytes`].
pub(super) const DETAILS: &str = "PoolUpdateStatus";

/// The lease of who writes, for [`Seen::bytes`].
pub(super) const LEASE: &str = "Lease";

impl Witness {
    /// Begins to watch.
    pub(super) fn begin(world: &World, fleet: Fleet) -> Self {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (counting, count) = watch::channel(0);
        let index: BTreeMap<String, usize> = fleet.members().map(|member| member.name()).zip(0..).collect();
        let index = Arc::new(index);
        for kind in [STATUS, DETAILS, LEASE] {
            let api = if kind == LEASE { world.leases() } else { world.api("update.openshift.io/v1alpha1", kind) };
            let (seen, counting, index) = (seen.clone(), counting.clone(), index.clone());
            tokio::spawn(async move {
                let take = |object: &DynamicObject| {
                    let at = Instant::now();
                    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                    match take(&mut seen, kind, object, at, &index) {
                        Ok(()) => {}
                        Err(error) => seen.failure = Some(format!("{kind}: {error}")),
                    }
                    counting.send_modify(|count| *count += 1);
                };
                if let Err(error) = follow(&api, take).await {
                    seen.lock().unwrap_or_else(PoisonError::into_inner).failure = Some(format!("{kind}: {error}"));
                    counting.send_modify(|count| *count += 1);
                }
            });
        }
        Self { seen, count }
    }

    /// What was seen so far.
    pub(super) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the first write of which something holds, and gives the moment in which it was seen.
    pub(super) async fn wait(
        &self,
        what: &str,
        most: std::time::Duration,
        is: impl Fn(&Write) -> bool,
    ) -> anyhow::Result<Instant> {
        let mut count = self.count.clone();
        let mut looked = 0;
        let begun = Instant::now();
        loop {
            {
                let seen = self.seen();
                if let Some(failure) = &seen.failure {
                    anyhow::bail!("what the operator writes cannot be watched: {failure}");
                }
                let rest = seen.statuses.get(looked..).unwrap_or_default();
                if let Some(write) = rest.iter().find(|write| is(write)) {
                    return Ok(write.at);
                }
                looked = seen.statuses.len();
            }
            let left = most.saturating_sub(begun.elapsed());
            anyhow::ensure!(!left.is_zero(), "{what}: not within {} s", most.as_secs());
            // It is looked at again after that, and told to be too late.
            let _ = tokio::time::timeout(left, count.changed()).await;
        }
    }
}

/// Takes in each write of a kind from now on, until it cannot be watched.
pub(crate) async fn follow(api: &Api<DynamicObject>, take: impl Fn(&DynamicObject)) -> anyhow::Result<()> {
    // From the beginning: what is there already was written before anything was measured.
    let mut version =
        api.list_metadata(&kube::api::ListParams::default()).await?.metadata.resource_version.unwrap_or_default();
    loop {
        let mut events = Box::pin(api.watch(&WatchParams::default().timeout(290), &version).await?);
        while let Some(event) = events.try_next().await? {
            match event {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    version = object.metadata.resource_version.clone().unwrap_or_default();
                    take(&object);
                }
                WatchEvent::Bookmark(mark) => version = mark.metadata.resource_version,
                WatchEvent::Deleted(_) => {}
                WatchEvent::Error(error) => anyhow::bail!("{}", error.message),
            }
        }
    }
}

fn take(
    seen: &mut Seen,
    kind: &'static str,
    object: &DynamicObject,
    at: Instant,
    index: &BTreeMap<String, usize>,
) -> serde_json::Result<()> {
    let bytes = serde_json::to_vec(object)?.len();
    if kind == LEASE {
        seen.bytes.entry(kind).or_default().push(bytes);
        return Ok(());
    }
    // An object is made before its status is written.
    let Some(status) = object.data.get("status").filter(|status| status.get("observed").is_some()) else {
        return Ok(());
    };
    seen.bytes.entry(kind).or_default().push(bytes);
    if kind != STATUS {
        return Ok(());
    }
    let status: Status = serde_json::from_value(status.clone())?;
    seen.statuses.push(read(&status, at, index));
    Ok(())
}

fn read(status: &Status, at: Instant, index: &BTreeMap<String, usize>) -> Write {
    let own = status.control_plane.iter().flat_map(|it| &it.node_groups);
    let groups = own.chain(status.worker_pools.iter().flat_map(|it| &it.node_groups));
    let mut ranks = vec![None; index.len()];
    let mut counted = (0, 0);
    for group in groups {
        let rank = rank(group);
        counted.0 += group.count;
        counted.1 += if rank == Some(4) { group.count } else { 0 };
        let suffix = group.name_suffix.as_deref().unwrap_or_default();
        for name in &group.node_names {
            if let Some(at) = index.get(&format!("{name}{suffix}")) {
                ranks[*at] = rank;
            }
        }
    }
    let findings = status.findings().map(|(_, told)| told.impact.summary.clone()).collect();
    Write { at, ranks, findings, counted }
}

/// How far the nodes of a group are; as the simulation counts it.
fn rank(group: &NodeGroup) -> Option<u8> {
    match group.phase.known()? {
        Phase::Pending => Some(0),
        Phase::Draining => Some(1),
        Phase::Updating => Some(2),
        Phase::Rebooting => Some(3),
        Phase::Completed => Some(4),
        _ => None,
    }
}
