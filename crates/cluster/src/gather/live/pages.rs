//! A list in pages: as much of it in memory as one page, all of it of one moment.

use kube::core::request::Error;
use serde::Deserialize;

use super::super::Limits;
use super::super::collect::{Found, parse_page};
use super::access::Cluster;
use super::fault::Fault;
use super::request::{ask, parse};
use super::resource::{Asked, Listing};

/// Objects in a page, as many as kubectl asks for.
pub(super) const PAGE: u32 = 500;

/// How often a list is begun in pages. One that took so long that the server no longer knows its moment (410) is begun
/// anew, and in the end asked for in one piece, which cannot expire.
pub(super) const TRIES: usize = 3;

/// A page of a list.
pub(super) struct Page<T> {
    /// What is on it.
    pub(super) found: T,
    /// What to ask for the next page with, unless this is the last.
    pub(super) next: Option<String>,
    /// The version of the list, from which a watch goes on.
    pub(super) version: String,
}

/// Lists all objects.
pub(super) async fn list(cluster: &Cluster, listing: &Listing, limits: &Limits) -> Result<Vec<Found>, Fault> {
    let read = |text: &[u8]| parse_page(&listing.place(), text, listing.kind, limits);
    if let Some(request) = listing.get() {
        let request = request.map_err(|error| Fault::of_client(&error))?;
        return match ask(cluster, &request, limits).await {
            Ok(text) => Ok(vec![read(&text)]),
            Err(Fault::NotFound(_)) => Ok(Vec::new()),
            Err(fault) => Err(fault),
        };
    }
    all(cluster, |limit, token| listing.page(limit, token), read, limits).await
}

/// Reads all pages of a list, each as soon as it is there. `request` makes the request for a page, of so many objects,
/// which goes on where the token says.
pub(super) async fn all<T>(
    cluster: &Cluster,
    request: impl Fn(Option<u32>, Option<&str>) -> Result<Asked, Error>,
    read: impl Fn(&[u8]) -> T,
    limits: &Limits,
) -> Result<Vec<T>, Fault> {
    for _ in 0..TRIES {
        match from_the_start(cluster, &request, &read, Some(PAGE), limits).await {
            Err(Fault::Gone(_)) => {}
            other => return other,
        }
    }
    from_the_start(cluster, &request, &read, None, limits).await
}

async fn from_the_start<T>(
    cluster: &Cluster,
    request: &impl Fn(Option<u32>, Option<&str>) -> Result<Asked, Error>,
    read: &impl Fn(&[u8]) -> T,
    limit: Option<u32>,
    limits: &Limits,
) -> Result<Vec<T>, Fault> {
    let mut all = Vec::new();
    let mut token = None;
    loop {
        let Page { found, next, version: _ } = one(cluster, request(limit, token.as_deref()), read, limits).await?;
        all.push(found);
        match next {
            Some(next) => token = Some(next),
            None => return Ok(all),
        }
    }
}

/// Asks for a page: the first, or the one that a page before has told of.
pub(super) async fn one<T>(
    cluster: &Cluster,
    request: Result<Asked, Error>,
    read: impl Fn(&[u8]) -> T,
    limits: &Limits,
) -> Result<Page<T>, Fault> {
    let request = request.map_err(|error| Fault::of_client(&error))?;
    let text = ask(cluster, &request, limits).await?;
    let Frame { metadata } = parse(&text)?;
    let FrameMeta { r#continue, resource_version } = metadata;
    Ok(Page { found: read(&text), next: r#continue.filter(|token| !token.is_empty()), version: resource_version })
}

/// What a page says of the list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Frame {
    metadata: FrameMeta,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct FrameMeta {
    pub(super) r#continue: Option<String>,
    resource_version: String,
}
