//! `headway plan`: gather, preview, render.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use headway_api::gap::Gap;
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_api::preview::{Clock, Preview, Verdict};
use headway_cluster::gather::Limits;
use headway_cluster::gather::inventory::{self, About};
use headway_cluster::gather::live::{self, Purpose, Scope};
use headway_core::plan::{Course, Facts, GroupFacts};
use headway_core::preview::{self, Inventory, Moment, PickError, PreviewError, Wish};
use serde::Serialize;

use crate::access;
use crate::args::{self, Plan, PlanOutput};
use crate::clock;
use crate::failure::Failure;
use crate::gaps::{self, Serious};
use crate::output;
use crate::render::{self, Colour, Columns, Look};

/// Reckons from versions, reads the recording or looks at the cluster, and prints the answer.
pub(crate) fn run(args: &Plan) -> Result<ExitCode, Failure> {
    if !args.check.is_empty() {
        return check(args);
    }
    let preview = match &args.from_version {
        Some(from) => preview::of_versions(&facts(args, from)?, &args.versions),
        None => of_objects(args)?,
    };
    remarks(args, &preview.gaps);
    if args.output == PlanOutput::Script {
        let Some(script) = render::script(&preview) else {
            let why = preview.refusal.as_ref().map_or("nothing was planned", |refusal| &refusal.message);
            return Err(anyhow!("there is no plan to rehearse: {}", render::line(why)).into());
        };
        output::write(script.as_bytes())?;
        return Ok(exit_code(args, preview.verdict));
    }
    print(args, &preview, |look| render::preview(&preview, look))?;
    Ok(exit_code(args, preview.verdict))
}

/// What is known when nothing but versions was given.
fn facts(args: &Plan, from: &str) -> anyhow::Result<Facts> {
    const EVERYONE: &str = "workers";
    let group = |name: &str, version: &str| GroupFacts {
        id: WorkerGroup { kind: GroupKind::MachineDeployment, name: name.to_owned() },
        version: Some(version.to_owned()),
        course: Course::Follows,
    };
    let mut groups: Vec<GroupFacts> = Vec::new();
    for text in &args.workers_version {
        let one = match text.split_once('=') {
            _ if text == "none" && args.workers_version.len() == 1 => continue,
            Some((name, version)) if !name.is_empty() => group(name, version),
            Some(_) => bail!("--workers-version \"{}\": there is no name before the =", render::line(text)),
            None => group(EVERYONE, text),
        };
        if groups.iter().any(|known| known.id == one.id) {
            bail!("--workers-version names {} twice", render::line(&one.id.name));
        }
        groups.push(one);
    }
    if args.workers_version.is_empty() {
        groups.push(group(EVERYONE, from));
    }
    Ok(Facts { target: args.to.clone().unwrap_or_default(), control_plane: Some(from.to_owned()), groups })
}

fn of_objects(args: &Plan) -> Result<Preview, Failure> {
    let gathered = if args.from.is_empty() { look_at(args)? } else { recorded(args)? };
    let cluster = gathered.pick(args.cluster.as_deref(), args.namespace.as_deref());
    let cluster = cluster.map_err(|error| match error {
        PickError::Several { .. } => anyhow!("{error}; choose one with --cluster and --namespace"),
        PickError::NoCluster | PickError::NotThere { .. } => anyhow::Error::new(error),
    })?;
    let wish = Wish { to: args.to.clone(), versions: args.versions.clone() };
    let preview = preview::of_cluster(&gathered, cluster, &wish)
        .map_err(|error @ PreviewError::NoTarget { .. }| anyhow!("{error}; give it with --to"))?;
    let told = gathered.moment.at.strftime("%Y-%m-%dT%H:%M:%SZ");
    output::remark(&format!("Judged as of {told}, {}.", gathered.moment.clock));
    Ok(preview)
}

fn recorded(args: &Plan) -> Result<Inventory, Failure> {
    let gathered = gather(args, &args.from, About::Cluster)?;
    let moment = match args.at {
        Some(at) => Moment { at, clock: Clock::Given },
        None => gathered.newest(),
    };
    Ok(Inventory { moment, ..gathered })
}

/// The running management cluster.
fn look_at(args: &Plan) -> Result<Inventory, Failure> {
    let limits = limits(args);
    let gathered = access::runtime()?.block_on(async {
        let cluster = access::connect(&args.connection).await?;
        let namespace = args.namespace.as_deref().unwrap_or_else(|| cluster.namespace());
        let scope = Scope { namespace: Some(namespace), cluster: args.cluster.as_deref(), purpose: Purpose::Plan };
        let gathered = live::inventory(&cluster, scope, &limits).await?;
        anyhow::Ok((gathered, namespace.to_owned()))
    });
    let (gathered, namespace) = gathered?;
    if gathered.clusters.is_empty() {
        // No text follows that would tell what stands in the way of seeing them.
        gaps::remark(&gathered.gaps, Serious::Untold);
        return Err(
            anyhow!("there is no Cluster in namespace {}; name another with -n", render::line(&namespace)).into()
        );
    }
    let moment = match args.at {
        Some(at) => Moment { at, clock: Clock::Given },
        None => Moment { at: clock::now(), clock: Clock::Now },
    };
    Ok(Inventory { moment, ..gathered })
}

fn limits(args: &Plan) -> Limits {
    Limits { max_file_size: args.max_file_size.as_u64(), ..Limits::default() }
}

fn gather(args: &Plan, paths: &[PathBuf], about: About) -> anyhow::Result<Inventory> {
    inventory::files(paths, about, &limits(args)).map_err(anyhow::Error::new)
}

/// `--check`: the version lists alone.
fn check(args: &Plan) -> Result<ExitCode, Failure> {
    let gathered = gather(args, &args.check, About::ClusterClass)?;
    let listing = preview::check_lists(&gathered);
    remarks(args, &listing.gaps);
    print(args, &listing, |look| render::listing(&listing, look))?;
    Ok(ExitCode::from(u8::from(!listing.passed)))
}

fn print(args: &Plan, document: &impl Serialize, text: impl FnOnce(&Look) -> String) -> Result<(), Failure> {
    let rendered = match args.output {
        PlanOutput::Json => render::json(document)?,
        PlanOutput::Yaml => render::yaml(document)?,
        PlanOutput::Text | PlanOutput::Wide => text(&look(args)),
        PlanOutput::Script => return Err(anyhow!("-o script is a form of a plan, and --check makes none").into()),
    };
    output::write(rendered.as_bytes())
}

fn look(args: &Plan) -> Look {
    let colour = std::io::stdout().is_terminal() && !args.no_color && !args::no_color_in_environment();
    Look {
        columns: if args.output == PlanOutput::Wide { Columns::Wide } else { Columns::Usual },
        colour: if colour { Colour::Always } else { Colour::Never },
        ..Look::default()
    }
}

/// What could not be read, on standard error.
fn remarks(args: &Plan, gaps: &[Gap]) {
    let serious = match args.output {
        PlanOutput::Text | PlanOutput::Wide => Serious::ToldInTheText,
        PlanOutput::Json | PlanOutput::Yaml | PlanOutput::Script => Serious::Untold,
    };
    gaps::remark(gaps, serious);
}

/// That there is no plan is told by the code in any case: no script goes on without one.
fn exit_code(args: &Plan, verdict: Verdict) -> ExitCode {
    let code = match verdict {
        Verdict::Refused => return ExitCode::from(1),
        Verdict::NothingToDo => 0,
        Verdict::Ready | Verdict::UnderWay => 3,
        Verdict::Held => 4,
        Verdict::Stuck => 5,
        Verdict::CannotTell => 6,
    };
    ExitCode::from(if args.exit_code { code } else { 0 })
}
