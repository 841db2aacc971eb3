//! `headway drive`: walks one upgrade from a terminal, turn by turn, until it is done or somebody presses Ctrl-C.
//!
//! What is done is decided in `core::drive` and done by `cluster::drive`; `told` puts it on lines.

mod told;

use std::collections::BTreeMap;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use headway_api::preview::Clock;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::spec::PlanFrom;
use headway_cluster::approval;
use headway_cluster::drive::{Driver, Remembered, Seen, Turned};
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Cluster, Purpose, Scope};
use headway_cluster::hook_client::{self, HookClient};
use headway_cluster::terminal::{self, Hold, OfOperator, Place, Wish};
use headway_core::drive::{self as core, Hooks, Planned, Sighting};
use headway_core::fleet::{self, Member};
use headway_core::plan::Source;
use headway_core::preview::{Inventory, Moment};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

use self::told::Told;
use crate::args::Drive;
use crate::failure::Failure;
use crate::gaps::{self, Serious};
use crate::{access, clock, output, render};

/// So often it is looked, though nothing says that something changed.
const LOOK: Duration = Duration::from_secs(2);

/// As kubectl ends on Ctrl-C: 128 and the signal's number.
const INTERRUPTED: u8 = 130;

/// It is under way, or something is waited for.
const UNDER_WAY: u8 = 4;

/// Walks, or does the one thing that is asked for.
pub(crate) fn run(args: &Drive) -> Result<ExitCode, Failure> {
    access::runtime()?.block_on(async {
        let cluster = access::connect_or(&args.connection, "set KUBECONFIG, or give --kubeconfig").await?;
        let namespace = args.namespace.clone().unwrap_or_else(|| cluster.namespace().to_owned());
        let place = Place { namespace: &namespace, name: &args.name };
        if args.hand_over {
            terminal::hand_over(&cluster, place).await.map_err(anyhow::Error::new)?;
            output::write(format!("{} handed over to the operator\n", terminal::told(place)).as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        if args.dry_run {
            return try_out(args, &cluster, place).await;
        }
        // Before anything is written, be it a Lease: who cannot hear Ctrl-C, or may not walk it, does not begin.
        let interrupted = signal(SignalKind::interrupt()).map_err(|error| anyhow!("cannot hear signals: {error}"))?;
        let found = terminal::find(&cluster, place).await.map_err(anyhow::Error::new)?;
        terminal::planned(found, place, &wish(args), operator(args)).map_err(anyhow::Error::new)?;
        let me = approval::who_am_i(&cluster).await.map_err(anyhow::Error::new)?;
        let identity = format!("{me}, process {} since {}", std::process::id(), clock::now().strftime("%H:%M:%SZ"));
        let hold = terminal::hold(&cluster, place, &identity).await.map_err(anyhow::Error::new)?;
        let walked = walk(args, &cluster, place, &hold, interrupted).await;
        hold.give_back().await;
        walked
    })
}

async fn walk(
    args: &Drive,
    cluster: &Cluster,
    place: Place<'_>,
    hold: &Hold,
    mut interrupted: Signal,
) -> Result<ExitCode, Failure> {
    let mut upgrade = terminal::ask(cluster, place, &wish(args), operator(args)).await.map_err(anyhow::Error::new)?;
    let hooks = HookClient::new(hook_client::Options {
        cluster: Some(cluster.client().clone()),
        identity: None,
        clock: Arc::new(clock::now),
        timing: hook_client::Timing::default(),
    });
    let driver = Driver::new(cluster.client().clone(), hooks.clone(), Arc::new(clock::now));
    let mut remembered = Remembered::default();
    let mut told = Told::default();
    let mut is_over = false;
    loop {
        let seen = match look(cluster, &upgrade).await {
            Ok(seen) => seen,
            // What was seen before is not gone by: the server may be back in a moment.
            Err(error) if told.has_begun() => {
                told.trouble(&format!("{error:#}; looking again"))?;
                if wait(&mut interrupted, LOOK).await {
                    return interrupt(place);
                }
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        hooks.read_only(seen.inventory.extensions.clone());
        if !hold.is_held() {
            return Err(anyhow!("another terminal took the Lease of {}/{}", place.namespace, place.name).into());
        }
        let mut turn = pin!(driver.turn(seen, &mut remembered));
        let turned = loop {
            tokio::select! {
                turned = &mut turn => break turned,
                // Each turn leaves everything in order, and is finished therefore.
                _ = interrupted.recv(), if !is_over => {
                    is_over = true;
                    output::remark("finishing what has begun");
                }
            }
        };
        told.turn(&turned)?;
        if let Some(code) = end(args, &turned)? {
            return Ok(code);
        }
        let pause = pause(&turned);
        if is_over || wait(&mut interrupted, pause).await {
            return interrupt(place);
        }
        // Whoever changed what is asked for meanwhile is heard.
        match terminal::find(cluster, place).await {
            Ok(Some(found)) if terminal::is_terminals(&found) => upgrade = found,
            Ok(Some(_)) => {
                return Err(
                    anyhow!("ClusterUpgrade {}/{} was given to the operator", place.namespace, place.name).into()
                );
            }
            Ok(None) => return Err(anyhow!("ClusterUpgrade {}/{} was deleted", place.namespace, place.name).into()),
            Err(error) => told.trouble(&format!("{:#}; looking again", anyhow::Error::new(error)))?,
        }
    }
}

/// The exit code, if there is nothing more to do.
fn end(args: &Drive, turned: &Turned) -> Result<Option<ExitCode>, Failure> {
    let Some(decision) = &turned.decision else {
        let status = turned.upgrade.status.as_ref();
        let why = status.and_then(|status| status.conditions.of("Accepted")).map(|it| it.message.clone());
        let why = why.filter(|why| !why.is_empty());
        let why = why.or_else(|| turned.trouble.clone()).unwrap_or_else(|| "what is asked for is not walked".into());
        return Err(anyhow!("{}", render::line(&why)).into());
    };
    if decision.is_settled() && turned.trouble.is_none() {
        return Ok(Some(ExitCode::SUCCESS));
    }
    Ok(args.once.then(|| ExitCode::from(UNDER_WAY)))
}

/// How long to do nothing.
fn pause(turned: &Turned) -> Duration {
    let next = turned.next.map(|next| next.duration_since(clock::now()));
    let next = next.and_then(|next| Duration::try_from(next).ok()).unwrap_or(LOOK);
    // At once only where something was left undone; else nothing would be seen yet of what was.
    next.clamp(Duration::from_millis(200), LOOK)
}

/// Waits. Answers whether somebody pressed Ctrl-C meanwhile.
async fn wait(interrupted: &mut Signal, pause: Duration) -> bool {
    tokio::select! {
        _ = interrupted.recv() => true,
        () = sleep(pause) => false,
    }
}

fn interrupt(place: Place<'_>) -> Result<ExitCode, Failure> {
    let Place { namespace, name } = place;
    output::remark(&format!(
        "stopped between two turns; what runs goes on. To go on: headway drive {name} -n {namespace}; or for the operator: \
         headway drive {name} -n {namespace} --hand-over"
    ));
    Ok(ExitCode::from(INTERRUPTED))
}

fn wish(args: &Drive) -> Wish {
    let plan = match (&args.extension, args.versions.as_slice()) {
        (Some(extension), _) => Some(PlanFrom { extension: extension.clone(), ..PlanFrom::default() }),
        (None, []) => None,
        (None, versions) => Some(PlanFrom { kubernetes_versions: versions.to_vec(), ..PlanFrom::default() }),
    };
    Wish { version: args.to.clone(), plan }
}

fn operator(args: &Drive) -> OfOperator {
    if args.take_over { OfOperator::Take } else { OfOperator::Leave }
}

/// Looks at the one cluster.
async fn look(cluster: &Cluster, upgrade: &ClusterUpgrade) -> anyhow::Result<Seen> {
    let namespace = upgrade.metadata.namespace.as_deref().unwrap_or_default();
    let name = upgrade.spec.cluster_name.as_str();
    let scope = Scope { namespace: Some(namespace), cluster: Some(name), purpose: Purpose::Status };
    let inventory = live::inventory(cluster, scope, &Limits::default()).await?;
    let inventory = Inventory { moment: Moment { at: clock::now(), clock: Clock::Now }, ..inventory };
    let seen = inventory.seen;
    if !(seen.machine_deployments && seen.machine_pools && seen.machines && seen.extensions) {
        // What is not seen may be there, and would be left behind or passed over.
        gaps::remark(&inventory.gaps, Serious::Untold);
        bail!("MachineDeployments, MachinePools, Machines and ExtensionConfigs have to be seen to walk an upgrade");
    }
    let rival = terminal::rival(cluster, upgrade).await?;
    let members = fleet::members(&inventory);
    let is_it = |member: &&Member<'_>| member.namespace() == namespace && member.name() == name;
    let report = members.iter().find(is_it).map(|member| fleet::report(&inventory, member));
    Ok(Seen { upgrade: upgrade.clone(), report, rival, inventory })
}

/// `--dry-run`: what would be done first.
async fn try_out(args: &Drive, cluster: &Cluster, place: Place<'_>) -> Result<ExitCode, Failure> {
    let found = terminal::find(cluster, place).await.map_err(anyhow::Error::new)?;
    let upgrade = terminal::planned(found, place, &wish(args), operator(args)).map_err(anyhow::Error::new)?;
    let Seen { upgrade, inventory, report, rival } = look(cluster, &upgrade).await?;
    let refused = anyhow::Error::new::<core::Refusal>;
    let owners = BTreeMap::new();
    let sighting = Sighting {
        upgrade: &upgrade,
        inventory: &inventory,
        report: report.as_ref(),
        owners: &owners,
        rival: rival.as_deref(),
    };
    let mut observed = core::observe(&sighting, Hooks::default()).map_err(refused)?;
    let source = match core::plan_from(&upgrade).map_err(refused)? {
        core::PlanFrom::OneMinor => Source::OneMinor,
        core::PlanFrom::List(list) => Source::VersionList(list),
        core::PlanFrom::Extension(name) => {
            return Err(anyhow!("the extension {name} names the versions, and a dry run asks nobody").into());
        }
    };
    observed.planned = Planned::of(&observed.situation(), &source, core::last_plan(&upgrade).as_ref());
    let decision = core::decide(&observed);
    output::write(told::tried(&decision).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
