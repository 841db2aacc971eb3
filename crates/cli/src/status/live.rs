//! `headway status` of a running cluster: who asks which server, and what came of it.

use anyhow::bail;
use headway_api::report::{ClockSource, Report};
use headway_api::update::shard::PoolNodes;
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Cluster, Prometheus, Publication, Published};
use headway_core::preview::Inventory;
use headway_core::publish;
use headway_core::snapshot::{Moment, Snapshot};
use jiff::SignedDuration;

use super::fleet;
use crate::access::{connect, runtime};
use crate::args::{Live, Source, Status};
use crate::failure::Failure;
use crate::{clock, render};

/// What was seen of a cluster.
pub(super) enum Seen {
    /// Its objects, to be judged, and what is to be said of where they come from.
    Objects(Box<Snapshot>, Option<String>),
    /// What it keeps, as it is a management cluster, and of which namespace.
    Management(Box<Inventory>, Option<String>),
    /// What an operator has judged and published, and how old that is.
    Published(Box<Report>, String),
}

/// An operator writes every five minutes when nothing changes: one that is silent for twice as long, and a minute for
/// clocks that differ, is not there.
const FRESH: SignedDuration = SignedDuration::from_mins(11);

/// Looks at the cluster once, or at what is published of it.
pub(super) fn see(args: &Status, limits: &Limits) -> Result<Seen, Failure> {
    let source = source(args)?;
    let seen = runtime()?.block_on(async {
        let cluster = connect(&args.connection).await?;
        let why = match source {
            Source::Objects => {
                return objects(args, &cluster, limits, None).await;
            }
            Source::Auto | Source::Api => match live::published(&cluster, limits).await? {
                Publication::Told(published) => match told(*published, source) {
                    Ok((report, age)) => return Ok(Seen::Published(Box::new(report), age)),
                    Err(why) => why,
                },
                Publication::Untold(why) => why,
            },
        };
        match source {
            Source::Api => {
                let gathered = live::version_alone(&cluster, limits).await?;
                let snapshot = Snapshot { moment: now(), ..gathered.snapshot };
                Ok(Seen::Objects(Box::new(snapshot), Some(format!("Told from the ClusterVersion alone: {why}."))))
            }
            Source::Auto | Source::Objects => {
                objects(args, &cluster, limits, Some(format!("Told from the objects of the cluster: {why}."))).await
            }
        }
    });
    Ok(seen?)
}

/// Where the answer comes from.
fn source(args: &Status) -> anyhow::Result<Source> {
    match args.live.source {
        // What is published was judged already, and in our words.
        Source::Api if args.at.is_some() => {
            bail!("--source=api goes without --at: what is published was judged already")
        }
        Source::Api if args.compat.is_some() => {
            bail!("--source=api goes without --compat: it is published in our words")
        }
        Source::Auto if args.at.is_some() || args.compat.is_some() => Ok(Source::Objects),
        other => Ok(other),
    }
}

/// The report that was published, and a sentence on how old it is; or why it does not count.
fn told(published: Published, source: Source) -> Result<(Report, String), String> {
    const NAME: &str = "UpdateStatus/cluster";
    let Published { status, pools, gaps } = published;
    let shards: Vec<&PoolNodes> = pools.iter().collect();
    let mut report = publish::read(NAME, &status, &shards).map_err(|unread| unread.to_string())?;
    report.gaps.extend(gaps);
    let age = clock::now().duration_since(report.observed_at).max(SignedDuration::ZERO);
    let written = format!("{NAME} was written {} ago", render::age(age));
    if age < FRESH {
        return Ok((report, format!("Told from the API: {written}.")));
    }
    match source {
        Source::Api => Ok((report, format!("warning: {written}, and nobody seems to keep it."))),
        Source::Auto | Source::Objects => Err(format!("{written}, and nobody seems to keep it")),
    }
}

/// The cluster's objects, with what is to be said of where they come from; or those that it keeps.
async fn objects(args: &Status, cluster: &Cluster, limits: &Limits, told: Option<String>) -> anyhow::Result<Seen> {
    let looked_at = now();
    match live::look_at(cluster, &prometheus(&args.live), limits, looked_at.at).await? {
        live::Seen::Management => {
            args.check_for_kept_clusters()?;
            let (inventory, namespace) = fleet::look_at(args, cluster, limits).await?;
            Ok(Seen::Management(Box::new(inventory), namespace))
        }
        live::Seen::Cluster(gathered) => {
            let moment = args.at.map_or(looked_at, |at| Moment { at, source: ClockSource::Given });
            Ok(Seen::Objects(Box::new(Snapshot { moment, ..gathered.snapshot }), told))
        }
    }
}

fn now() -> Moment {
    Moment { at: clock::now(), source: ClockSource::Now }
}

pub(super) fn prometheus(args: &Live) -> Prometheus {
    Prometheus {
        url: args.prometheus.clone(),
        token_file: args.prometheus_token_file.clone(),
        ca_file: args.prometheus_ca_file.clone(),
    }
}
