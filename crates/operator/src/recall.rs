//! Reading back what was written: before anything is told, all that was remembered is known again.

use std::collections::BTreeMap;
use std::time::Duration;

use headway_core::memory::Memory;
use headway_core::publish;
use kube::api::{Api, DynamicObject, ListParams};
use kube::{Client, Error};
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::warn;

use crate::args::Args;
use crate::rendering::{Body, Key, Kind, singleton};
use crate::writer::{self, Outcome};

/// What was written.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    /// The statuses. What was there and could not be read has none.
    pub(crate) bodies: BTreeMap<Key, Option<Body>>,
    /// The identity of the singleton, which owns the others.
    pub(crate) owner: Option<String>,
}

impl Recalled {
    /// What it says was observed before.
    pub(crate) fn memory(&self) -> Memory {
        let status = match self.bodies.get(&singleton()) {
            Some(Some(Body::Status(status))) => Some(&**status),
            _ => None,
        };
        let shards = self.bodies.values().filter_map(|body| match body {
            Some(Body::Pool(nodes)) => Some(&**nodes),
            _ => None,
        });
        publish::recall(status, shards)
    }
}

/// Asks what was written until it is answered, with growing pauses, and says once what stands in the way. `None` when
/// told to stop.
pub(crate) async fn patiently<T, A>(
    trouble: &str,
    stop: &mut watch::Receiver<bool>,
    beat: impl Fn(),
    ask: impl Fn() -> A,
) -> Option<T>
where
    A: Future<Output = Result<T, Outcome>>,
{
    let mut pause = Duration::from_secs(1);
    let mut told = String::new();
    loop {
        beat();
        match ask().await {
            Ok(answer) => return Some(answer),
            Err(outcome) if told != outcome.message() => {
                outcome.message().clone_into(&mut told);
                warn!(message = told, "{trouble}");
            }
            Err(_) => {}
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => pause = (pause * 2).min(Duration::from_secs(30)),
            _ = stop.wait_for(|stop| *stop) => return None,
        }
    }
}

/// How many objects are asked for at a time: a page of the largest ones is some 8 MB.
const PAGE: u32 = 100;

/// Reads all objects of ours.
///
/// # Errors
/// What stands in the way, as the writer would tell it. A kind that is not served has no objects.
pub(crate) async fn recall(client: &Client, args: &Args) -> Result<Recalled, Outcome> {
    let mut recalled = Recalled::default();
    for kind in Kind::ALL.into_iter().filter(|kind| kind.is_rendered(args)) {
        match timeout(writer::PATIENCE, read(client, kind, &mut recalled)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => match writer::outcome(&error) {
                Outcome::NotServed => {}
                outcome => return Err(outcome),
            },
            Err(_) => return Err(Outcome::no_answer()),
        }
    }
    Ok(recalled)
}

async fn read(client: &Client, kind: Kind, recalled: &mut Recalled) -> Result<(), Error> {
    let api: Api<DynamicObject> = Api::all_with(client.clone(), &kind.resource());
    let mut page = ListParams::default().limit(PAGE);
    loop {
        let list = api.list(&page).await?;
        for mut object in list.items {
            let key = Key { kind, name: object.metadata.name.take().unwrap_or_default() };
            if key == singleton() {
                recalled.owner = object.metadata.uid.take();
            }
            let status = object.data.get_mut("status").map(serde_json::Value::take);
            recalled.bodies.insert(key, status.and_then(|status| Body::read(kind, status)));
        }
        match list.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => page = page.continue_token(&token),
            None => return Ok(()),
        }
    }
}
