//! Reads what a judge asks for.

use futures::future::join_all;
use headway_api::cluster_api::{CONTROL_PLANE_GROUP, GROUP, RUNTIME_GROUP};
use headway_core::admission::{Found, Judgement, Need, Observed, Verdict};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::objects::{Objects, Reference, Selection, Unreadable};

/// Has a judge decide: what it asks for is read, all of one round at the same time.
pub(super) async fn decide<O: Objects>(
    objects: &O,
    deadline: Instant,
    judge: impl Fn(&Observed) -> Judgement,
) -> Verdict {
    let mut observed = Observed::default();
    loop {
        // It ends: a judge never asks for what was noted, and each round notes all that it asked for.
        let needs = match judge(&observed) {
            Judgement::Decided(verdict) => return verdict,
            Judgement::Needs(needs) => needs,
        };
        let looks = needs.into_iter().map(|need| async {
            let found = match timeout_at(deadline, look(objects, &need)).await {
                Ok(found) => found,
                Err(_) => Err(Unreadable("there was no answer in time".into())),
            };
            (need, found)
        });
        for (need, found) in join_all(looks).await {
            match found {
                Ok(found) => observed.note(need, found),
                Err(Unreadable(why)) => observed.note_unseen(need, why),
            }
        }
    }
}

async fn look<O: Objects>(objects: &O, need: &Need) -> Result<Found, Unreadable> {
    let get = async |group: &str, kind: &str, namespace: Option<&str>, name: &str| {
        let namespace = namespace.map(str::to_owned);
        let reference = Reference { group: group.into(), kind: kind.into(), namespace, name: name.into() };
        objects.get(&reference).await.map(|found| found.into_iter().collect::<Vec<Value>>())
    };
    let list = async |kind: &str, namespace: Option<&str>, cluster: Option<&str>| {
        let (namespace, cluster) = (namespace.map(str::to_owned), cluster.map(str::to_owned));
        objects.list(&Selection { group: GROUP.into(), kind: kind.into(), namespace, cluster }).await
    };
    Ok(match need {
        Need::Class { namespace, name } => {
            Found::Classes(read(get(GROUP, "ClusterClass", Some(namespace), name).await?)?)
        }
        Need::Clusters => Found::Clusters(read(list("Cluster", None, None).await?)?),
        Need::ControlPlane { group, kind, namespace, name } => {
            let group = if group.is_empty() { CONTROL_PLANE_GROUP } else { group };
            Found::ControlPlanes(read(get(group, kind, Some(namespace), name).await?)?)
        }
        Need::Groups { kind, namespace, cluster } => {
            Found::Groups(read(list(&kind.to_string(), Some(namespace), Some(cluster)).await?)?)
        }
        Need::Machines { namespace, cluster } => {
            Found::Machines(read(list("Machine", Some(namespace), Some(cluster)).await?)?)
        }
        Need::Nodes { namespace, cluster, names } => Found::Nodes(objects.kubelets(namespace, cluster, names).await?),
        Need::Extension { name } => Found::Extensions(read(get(RUNTIME_GROUP, "ExtensionConfig", None, name).await?)?),
    })
}

/// An object that does not fit makes all of them unreadable: left out, it would be taken for one that is not there.
fn read<T: DeserializeOwned>(objects: Vec<Value>) -> Result<Vec<T>, Unreadable> {
    objects.into_iter().map(|object| slice(&object).map_err(Unreadable)).collect()
}

/// The part of an object that we read; what does not fit is told with its field.
pub(super) fn slice<T: DeserializeOwned>(object: &Value) -> Result<T, String> {
    serde_path_to_error::deserialize(object).map_err(|error| {
        let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        format!("the object {name:?} does not fit at {}: {}", error.path(), error.inner())
    })
}
