//! The status that an operator of ours has published in the cluster: read as it was written, judged by nobody here.

use headway_api::gap::{Gap, GapKind};
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::{GROUP, SINGLETON, VERSION};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::Limits;
use super::access::Cluster;
use super::fault::{Fault, LiveError, obstacle};
use super::pages::FrameMeta;
use super::request::get;

/// What was published.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The status of the one `UpdateStatus`.
    pub status: Status,
    /// The nodes of all pools, as far as they are published.
    pub pools: Vec<PoolNodes>,
    /// What of it could not be read.
    pub gaps: Vec<Gap>,
}

/// Whether anything was published.
#[derive(Debug, Clone, PartialEq)]
pub enum Publication {
    /// This.
    Told(Box<Published>),
    /// Nothing that can be read, and why.
    Untold(String),
}

/// Reads what is published.
///
/// # Errors
/// A cluster that cannot be reached, does not answer in time, or does not know who asks.
pub async fn published(cluster: &Cluster, limits: &Limits) -> Result<Publication, LiveError> {
    let place = format!("/apis/{GROUP}/{VERSION}/updatestatuses/{SINGLETON}");
    let status = match get::<Object<Status>>(cluster, &place, limits).await {
        Ok(Object { status: Some(status) }) => status,
        Ok(Object { status: None }) => {
            return Ok(Publication::Untold(format!("UpdateStatus/{SINGLETON} has no status yet")));
        }
        Err(fault) if fault.is_of_connection() => return Err(fault.of_cluster(cluster)),
        Err(Fault::Unauthorized) => return Err(LiveError::Unauthorized),
        Err(fault) => return Ok(Publication::Untold(told("get", "updatestatuses", &fault))),
    };
    let mut published = Published { status, pools: Vec::new(), gaps: Vec::new() };
    if let Err(fault) = pools(cluster, limits, &mut published.pools).await {
        // The groups of the status name nodes too, and which are interesting.
        let message = told("list", "poolupdatestatuses", &fault);
        published.gaps.push(Gap::of_input(GapKind::Optional, message));
    }
    Ok(Publication::Told(Box::new(published)))
}

fn told(verb: &str, plural: &str, fault: &Fault) -> String {
    let resource = format!("{plural}.{GROUP}");
    obstacle(verb, &resource, format!("no {resource} here"), fault)
}

/// Objects on a page: one holds up to a thousand nodes.
const PAGE: usize = 20;

async fn pools(cluster: &Cluster, limits: &Limits, all: &mut Vec<PoolNodes>) -> Result<(), Fault> {
    let mut token = String::new();
    loop {
        let place = format!("/apis/{GROUP}/{VERSION}/poolupdatestatuses?limit={PAGE}&continue={token}");
        let Page { metadata, items } = get::<Page>(cluster, &place, limits).await?;
        all.extend(items.into_iter().filter_map(|item| item.status));
        match metadata.r#continue.filter(|token| !token.is_empty()) {
            Some(next) => token = next,
            None => return Ok(()),
        }
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Object<T> {
    status: Option<T>,
}

#[derive(Deserialize)]
struct Page {
    metadata: FrameMeta,
    items: Vec<Object<PoolNodes>>,
}
