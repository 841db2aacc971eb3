//! From a review to an answer.

use headway_api::admission::{Request, Response};
use headway_api::cluster_api::{Cluster, ClusterClass};
use headway_core::admission::{ClassWrite, ClusterWrite, Mode, Verdict, additions, judge_class, judge_cluster};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::look::{decide, slice};
use super::objects::Objects;

/// How many reasons and how many warnings are told: an answer is read by a person at a prompt.
const MOST: usize = 10;

/// The answer to a write of a Cluster.
pub(super) async fn to_cluster<O: Objects>(objects: &O, mode: Mode, review: &Request, deadline: Instant) -> Response {
    let (old, new) = match both::<Cluster>(review) {
        Ok(both) => both,
        Err(response) => return *response,
    };
    let write = ClusterWrite { old: old.as_ref(), new: &new };
    told(review, decide(objects, deadline, |observed| judge_cluster(write, mode, observed)).await)
}

/// The answer to a write of a ClusterClass.
pub(super) async fn to_cluster_class<O: Objects>(
    objects: &O,
    mode: Mode,
    review: &Request,
    deadline: Instant,
) -> Response {
    let (old, new) = match both::<ClusterClass>(review) {
        Ok(both) => both,
        Err(response) => return *response,
    };
    let write = ClassWrite { old: old.as_ref(), new: &new };
    told(review, decide(objects, deadline, |observed| judge_class(write, mode, observed)).await)
}

/// The answer with what a Cluster lacks. One that does not fit is left as it is: its schema is looked at later.
pub(super) fn with_additions(review: &Request) -> Response {
    let response = Response::allow(review);
    let Ok(mut cluster) = slice::<Cluster>(&review.object) else { return response };
    in_namespace(&mut cluster.metadata.namespace, review);
    let operations: Vec<Value> = additions(&cluster)
        .into_iter()
        .map(|addition| json!({"op": "add", "path": addition.path, "value": addition.value}))
        .collect();
    response.with_patch(&operations)
}

/// The object before, if any, and as it is to be. A write without an object, which is a deletion, is none of ours.
fn both<T: DeserializeOwned + Metadata>(review: &Request) -> Result<(Option<T>, T), Box<Response>> {
    if review.object.is_null() || !review.sub_resource.is_empty() {
        return Err(Box::new(Response::allow(review)));
    }
    let read = |value: &Value| -> Result<T, Box<Response>> {
        let mut object: T = slice(value).map_err(|why| Box::new(Response::deny(review, why)))?;
        in_namespace(object.namespace(), review);
        Ok(object)
    };
    let old = if review.old_object.is_null() { None } else { Some(read(&review.old_object)?) };
    Ok((old, read(&review.object)?))
}

/// An object that is created may leave its namespace to the path that it is written to.
fn in_namespace(namespace: &mut String, review: &Request) {
    if namespace.is_empty() {
        namespace.clone_from(&review.namespace);
    }
}

/// The two kinds have their metadata in the same place.
trait Metadata {
    fn namespace(&mut self) -> &mut String;
}

impl Metadata for Cluster {
    fn namespace(&mut self) -> &mut String {
        &mut self.metadata.namespace
    }
}

impl Metadata for ClusterClass {
    fn namespace(&mut self) -> &mut String {
        &mut self.metadata.namespace
    }
}

fn told(review: &Request, verdict: Verdict) -> Response {
    let is_allowed = verdict.is_allowed();
    let Verdict { warnings, violations } = verdict;
    let response = if is_allowed {
        Response::allow(review)
    } else {
        let message = few(violations.iter().map(ToString::to_string)).join("; ");
        let Request { resource, namespace, name, .. } = review;
        tracing::info!(resource = resource.resource, namespace, name, message, "refused");
        Response::deny(review, message)
    };
    response.with_warnings(few(warnings.into_iter()))
}

/// The first few, and how many more there are.
fn few(texts: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let more = texts.len().saturating_sub(MOST);
    let mut few: Vec<String> = texts.take(MOST).collect();
    if more > 0 {
        few.push(format!("and {more} more"));
    }
    few
}
