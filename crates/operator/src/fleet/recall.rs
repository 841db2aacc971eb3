//! Reading back the statuses of a fleet as they were written: what was remembered of each cluster is known again, and
//! nothing is written anew.

use std::collections::BTreeMap;

use headway_core::fleet::{FORMS, Key};
use headway_core::memory::Memory;
use headway_core::publish;
use kube::api::{Api, DynamicObject, ListParams};
use kube::{Client, Error};
use tokio::time::timeout;

use super::status::{Packed, resource};
use crate::writer::{Outcome, PATIENCE, outcome};

/// How many are asked for at a time: a page of them is a few megabytes.
const PAGE: u32 = 100;

/// Reads all statuses that are there. What is there and cannot be read has none.
///
/// # Errors
/// What stands in the way, as the writer would tell it. A kind that is not served has no objects.
pub(super) async fn recall(client: &Client) -> Result<BTreeMap<Key, Option<Packed>>, Outcome> {
    let mut all = BTreeMap::new();
    for form in FORMS {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource(form));
        let mut page = ListParams::default().limit(PAGE);
        loop {
            let list = match timeout(PATIENCE, api.list(&page)).await {
                Ok(Ok(list)) => list,
                Ok(Err(Error::Api(answer))) if answer.code == 410 => {
                    // It took so long that the server forgot the moment of the list.
                    page = ListParams::default().limit(PAGE);
                    continue;
                }
                Ok(Err(error)) => match outcome(&error) {
                    Outcome::NotServed => break,
                    outcome => return Err(outcome),
                },
                Err(_) => return Err(Outcome::no_answer()),
            };
            for object in list.items {
                let (namespace, name) = (object.metadata.namespace, object.metadata.name);
                let key = Key { form, namespace: namespace.unwrap_or_default(), name: name.unwrap_or_default() };
                all.insert(key, object.data.get("status").map(Packed::of_value));
            }
            match list.metadata.continue_.filter(|token| !token.is_empty()) {
                Some(token) => page = page.continue_token(&token),
                None => break,
            }
        }
    }
    Ok(all)
}

/// What a status says was observed before.
pub(super) fn memory(written: Option<&Packed>) -> Memory {
    let status = written.and_then(Packed::status);
    publish::recall(status.as_ref(), std::iter::empty())
}
