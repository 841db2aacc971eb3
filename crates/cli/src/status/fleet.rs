//! `headway status` of the clusters that a management cluster keeps: one in full, or all in a table.

use std::process::ExitCode;

use anyhow::anyhow;
use headway_api::preview::Clock;
use headway_api::report::Report;
use headway_cluster::gather::inventory::{self, About};
use headway_cluster::gather::live::{self, Cluster, Purpose, Scope};
use headway_cluster::gather::{GatherError, Limits};
use headway_core::fleet::{self, Member, PickError, Selector, Wanted};
use headway_core::preview::{Inventory, Moment};

use super::{exit_code, look, remarks, rendered};
use crate::args::{Output, Status};
use crate::failure::Failure;
use crate::gaps::{self, Serious};
use crate::{access, clock, output, render};

/// Reads the recording of a management cluster.
pub(super) fn recorded(args: &Status, limits: &Limits) -> Result<ExitCode, Failure> {
    args.check_for_kept_clusters()?;
    let inventory = inventory::files(&args.from, About::Member, limits).map_err(|error| explained(args, error))?;
    of_recording(args, inventory)
}

/// Says what the flags ask for where there is nothing of it.
fn explained(args: &Status, error: GatherError) -> anyhow::Error {
    match error {
        GatherError::NoMember(_) => {
            let flags = "NAME, -n, -A, -l and --sort-by are for the clusters that a management cluster keeps";
            anyhow!("{error}; {flags}")
        }
        error => super::explained(args, error),
    }
}

/// Tells of what was recorded of a management cluster.
pub(super) fn of_recording(args: &Status, inventory: Inventory) -> Result<ExitCode, Failure> {
    args.check_for_kept_clusters()?;
    let moment = match args.at {
        Some(at) => Moment { at, clock: Clock::Given },
        None => inventory.newest(),
    };
    let inventory = Inventory { moment, ..inventory };
    let members = fleet::members(&inventory);
    match (&args.fleet.name, members.as_slice()) {
        // Of a recording of one cluster a table would only tell less.
        (None, [only]) if !args.fleet.wants_table() && is_in_namespace(args, only) => one(args, &inventory, only),
        (Some(_), _) => named(args, &inventory, &members, args.fleet.namespace.as_deref()),
        (None, _) => table(args, &inventory, members, args.fleet.namespace.as_deref()),
    }
}

fn is_in_namespace(args: &Status, member: &Member<'_>) -> bool {
    args.fleet.namespace.as_deref().is_none_or(|namespace| member.namespace() == namespace)
}

/// Looks at a running management cluster, which is reached first.
pub(super) fn of_running(args: &Status, limits: &Limits) -> Result<ExitCode, Failure> {
    args.check_for_kept_clusters()?;
    let (inventory, namespace) = access::runtime()?.block_on(async {
        let cluster = access::connect(&args.connection).await?;
        if !live::keeps_others(&cluster, limits).await? {
            return Err(anyhow!(
                "this cluster keeps no others, so NAME, -n, -A, -l and --sort-by mean nothing here: it serves neither \
                 cluster.x-k8s.io nor hypershift.openshift.io"
            ));
        }
        look_at(args, &cluster, limits).await
    })?;
    seen(args, &inventory, namespace.as_deref())
}

/// Lists what the flags ask for, and says of which namespace.
pub(super) async fn look_at(
    args: &Status,
    cluster: &Cluster,
    limits: &Limits,
) -> anyhow::Result<(Inventory, Option<String>)> {
    let own = args.fleet.namespace.as_deref().unwrap_or_else(|| cluster.namespace());
    let namespace = (!args.fleet.all_namespaces).then_some(own);
    let name = args.fleet.name.as_deref().map(|name| Wanted::read(name, None).name);
    let inventory =
        live::inventory(cluster, Scope { namespace, cluster: name, purpose: Purpose::Status }, limits).await?;
    let moment = match args.at {
        Some(at) => Moment { at, clock: Clock::Given },
        None => Moment { at: clock::now(), clock: Clock::Now },
    };
    Ok((Inventory { moment, ..inventory }, namespace.map(str::to_owned)))
}

/// Tells of what was seen of a running management cluster.
pub(super) fn seen(args: &Status, inventory: &Inventory, namespace: Option<&str>) -> Result<ExitCode, Failure> {
    let members = fleet::members(inventory);
    match &args.fleet.name {
        Some(_) => named(args, inventory, &members, namespace),
        None => table(args, inventory, members, namespace),
    }
}

/// The cluster of the name that was given.
fn named(
    args: &Status,
    inventory: &Inventory,
    members: &[Member<'_>],
    namespace: Option<&str>,
) -> Result<ExitCode, Failure> {
    let wanted = Wanted::read(args.fleet.name.as_deref().unwrap_or_default(), namespace);
    match fleet::pick(members, wanted) {
        Ok(member) => one(args, inventory, member),
        Err(error) => {
            // What could not be seen may be why.
            gaps::remark(&inventory.gaps, Serious::Untold);
            Err(match error {
                PickError::Several { .. } => anyhow!("{error}; choose one, with -n for its namespace"),
                PickError::NotThere { .. } => anyhow::Error::new(error),
            }
            .into())
        }
    }
}

/// One cluster in full.
fn one(args: &Status, inventory: &Inventory, member: &Member<'_>) -> Result<ExitCode, Failure> {
    let report: Report = fleet::report(inventory, member);
    judged_as_of(report.observed_at, &report.clock);
    remarks(args, &report);
    output::write(rendered(args, &report)?.as_bytes())?;
    Ok(if args.exit_code { exit_code(report.outcome) } else { ExitCode::SUCCESS })
}

/// The clusters of a namespace, or of all.
fn table(
    args: &Status,
    inventory: &Inventory,
    members: Vec<Member<'_>>,
    namespace: Option<&str>,
) -> Result<ExitCode, Failure> {
    args.check_for_table()?;
    let everything = Selector::default();
    let chosen = args.fleet.selector.as_ref().unwrap_or(&everything).choose(members, namespace);
    let fleet = fleet::fleet(inventory, &chosen, args.fleet.order());
    let is_blind = fleet.gaps.iter().any(|gap| gap.kind.is_serious());
    if fleet.items.is_empty() && is_blind {
        gaps::remark(&fleet.gaps, Serious::Untold);
        return Err(anyhow!("no cluster {}could be seen", within(namespace)).into());
    }
    let text = match args.output {
        Output::Json => render::json(&fleet)?,
        Output::Yaml => render::yaml(&fleet)?,
        Output::Text | Output::Wide => render::fleet(&fleet, namespaces_shown(args, namespace), &look(args)),
    };
    judged_as_of(fleet.observed_at, &fleet.clock);
    let serious = match args.output {
        Output::Text | Output::Wide => Serious::ToldInTheText,
        Output::Json | Output::Yaml => Serious::Untold,
    };
    gaps::remark(&fleet.gaps, serious);
    if fleet.items.is_empty() {
        output::remark(&format!("No cluster {}was found{}.", within(namespace), hint(args, namespace)));
    }
    output::write(text.as_bytes())?;
    Ok(if args.exit_code { exit_code(fleet.outcome) } else { ExitCode::SUCCESS })
}

fn within(namespace: Option<&str>) -> String {
    namespace.map(|namespace| format!("in namespace {} ", render::line(namespace))).unwrap_or_default()
}

/// What else there is to try where nothing was found.
fn hint(args: &Status, namespace: Option<&str>) -> &'static str {
    match (&args.fleet.selector, namespace) {
        (Some(_), _) => " that has these labels",
        (None, Some(_)) => "; -A looks in all namespaces",
        (None, None) => "",
    }
}

/// Whether the table has a column for namespaces: where there can be several.
fn namespaces_shown(args: &Status, namespace: Option<&str>) -> render::Namespaces {
    if args.fleet.all_namespaces || namespace.is_none() {
        render::Namespaces::Shown
    } else {
        render::Namespaces::Hidden
    }
}

fn judged_as_of(at: jiff::Timestamp, clock: &impl std::fmt::Display) {
    output::remark(&format!("Judged as of {}, {clock}.", at.strftime("%Y-%m-%dT%H:%M:%SZ")));
}
