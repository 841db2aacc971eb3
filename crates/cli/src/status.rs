//! `headway status`: gather, assess, render.

mod fleet;
mod live;
mod picture;
mod screen;
mod watch;

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::anyhow;
use headway_api::report::{Outcome, Report};
use headway_cluster::gather::{self, GatherError, Limits, Recording};
use headway_core::assess::{self, Rules};
use headway_core::snapshot::{Moment, Snapshot, clock as recorded};

use self::live::Seen;
use crate::args::{self, Compat, Details, Output, Status};
use crate::failure::Failure;
use crate::gaps::{self, Serious};
use crate::render::{self, Colour, Columns, Dialect, Look};
use crate::{clock, output};

/// Reads the recording or looks at the cluster, judges it and prints the answer.
pub(crate) fn run(args: &Status) -> Result<ExitCode, Failure> {
    let limits = Limits { max_file_size: args.max_file_size.as_u64(), ..Limits::default() };
    if args.fleet.is_asked_for() {
        return if args.from.is_empty() { fleet::of_running(args, &limits) } else { fleet::recorded(args, &limits) };
    }
    if args.watch || args.wait.is_some() {
        return watch::run(args, &limits);
    }
    let report = if args.from.is_empty() {
        match live::see(args, &limits)? {
            Seen::Management(inventory, namespace) => return fleet::seen(args, &inventory, namespace.as_deref()),
            Seen::Published(report, told) => {
                output::remark(&told);
                remarks(args, &report);
                *report
            }
            Seen::Objects(snapshot, told) => {
                told.iter().for_each(|told| output::remark(told));
                judged(args, &snapshot)?
            }
        }
    } else {
        let gathered = match recording(args, &limits)? {
            Recording::Management(inventory) => return fleet::of_recording(args, *inventory),
            Recording::Cluster(gathered) => *gathered,
        };
        if gathered.keeps_others && args.compat.is_none() {
            output::remark("note: this cluster keeps others too; -A shows them, and a name one of them in full");
        }
        judged(args, &Snapshot { moment: moment(args, &gathered), ..gathered.snapshot })?
    };
    output::write(rendered(args, &report)?.as_bytes())?;
    Ok(if args.exit_code { exit_code(report.outcome) } else { ExitCode::SUCCESS })
}

/// Reads a recording. What the peer would print is that of a cluster itself.
fn recording(args: &Status, limits: &Limits) -> anyhow::Result<Recording> {
    let recording = match args.compat {
        None => gather::recording(&args.from, limits),
        Some(Compat::Oc) => gather::files(&args.from, limits).map(|gathered| Recording::Cluster(Box::new(gathered))),
    };
    recording.map_err(|error| explained(args, error))
}

/// Says what to type where a path was not one.
fn explained(args: &Status, error: GatherError) -> anyhow::Error {
    match error {
        GatherError::NoSuchPath { .. } if args.from.len() > 1 && args.fleet.name.is_none() => {
            anyhow!("{error}; the name of a cluster goes before --from")
        }
        GatherError::Once { .. } => {
            anyhow!("{error}; give a file, or -A or the name of a cluster, with which it is read once")
        }
        error => anyhow::Error::new(error),
    }
}

/// Judges what was gathered, and says on standard error as of when.
fn judged(args: &Status, snapshot: &Snapshot) -> Result<Report, Failure> {
    let rules = match args.compat {
        None => Rules::Headway,
        Some(Compat::Oc) => Rules::Oc { grace: args.at.unwrap_or_else(clock::now) },
    };
    if args.compat.is_some()
        && let Some(refusal) = assess::refusal_of_peer(snapshot)
    {
        return Err(anyhow!(refusal).into());
    }
    let report = assess::assess(snapshot, rules);
    if args.compat.is_none() {
        let moment = report.observed_at.strftime("%Y-%m-%dT%H:%M:%SZ");
        output::remark(&format!("Judged as of {moment}, {}.", report.clock));
    }
    remarks(args, &report);
    Ok(report)
}

/// The report as it was asked for.
fn rendered(args: &Status, report: &Report) -> anyhow::Result<String> {
    match args.output {
        Output::Json => render::json(report),
        Output::Yaml => render::yaml(report),
        Output::Text | Output::Wide => Ok(render::text(report, &look(args))),
    }
}

/// The moment at which the recording is judged.
fn moment(args: &Status, gathered: &gather::Gathered) -> Moment {
    use headway_api::report::ClockSource;
    match (args.at, args.compat, gathered.recorded_at) {
        (Some(at), _, _) => Moment { at, source: ClockSource::Given },
        (None, Some(Compat::Oc), _) => recorded::of_peer(&gathered.snapshot),
        (None, None, Some(at)) => Moment { at, source: ClockSource::Recording },
        (None, None, None) => recorded::from_facts(&gathered.snapshot),
    }
}

fn look(args: &Status) -> Look {
    let terminal = std::io::stdout().is_terminal();
    let colour = terminal && !args.no_color && !args::no_color_in_environment() && args.compat.is_none();
    let wants = |what: Details| args.details == what || args.details == Details::All;
    Look {
        details: render::Details {
            nodes: wants(Details::Nodes),
            health: wants(Details::Health),
            operators: wants(Details::Operators),
        },
        columns: if args.output == Output::Wide { Columns::Wide } else { Columns::Usual },
        dialect: if args.compat.is_some() { Dialect::Oc } else { Dialect::Headway },
        colour: if colour { Colour::Always } else { Colour::Never },
        width: terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0)),
    }
}

/// What is worth knowing beside the answer, on standard error.
fn remarks(args: &Status, report: &Report) {
    if args.compat.is_some() {
        if !report.alerts.available {
            output::remark(&format!(
                "Unable to fetch alerts, ignoring alerts in 'Update Health':  {}",
                render::clean(&report.alerts.message)
            ));
        }
        return;
    }
    let serious = match args.output {
        Output::Text | Output::Wide => Serious::ToldInTheText,
        Output::Json | Output::Yaml => Serious::Untold,
    };
    gaps::remark(&report.gaps, serious);
}

fn exit_code(outcome: Outcome) -> ExitCode {
    ExitCode::from(match outcome {
        Outcome::NotUpdating => 0,
        Outcome::Updating => 3,
        Outcome::NeedsAttention => 4,
        Outcome::Failing => 5,
        Outcome::CannotTell => 6,
    })
}
