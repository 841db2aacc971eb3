//! The text of `headway plan`.

use std::fmt::{self, Write};

use headway_api::gap::Gap;
use headway_api::plan::{GroupMoves, Mover, Refused};
use headway_api::preview::{AskedHook, Hold, PlannedStep, Preview, StepState, Totals, Verdict, Weight};
use headway_api::version::KubeVersion;

use super::columns::{cell, lay_out};
use super::style::Tone;
use super::{Columns, Look, age};

/// The preview as text for people, with a line feed at the end.
pub(crate) fn preview(preview: &Preview, look: &Look) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _: fmt::Result = write_preview(&mut out, preview, look);
    out
}

fn write_preview(out: &mut String, preview: &Preview, look: &Look) -> fmt::Result {
    writeln!(out, "{}", headline(preview, look))?;
    plan(out, preview, look)?;
    holds(out, preview, look)?;
    hooks(out, preview, look)?;
    if !preview.remarks.is_empty() {
        out.push('\n');
    }
    for remark in &preview.remarks {
        writeln!(out, "Note: {}", line(remark))?;
    }
    if !preview.unknowns.is_empty() {
        writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= Not Known ="))?;
    }
    for unknown in &preview.unknowns {
        writeln!(out, "{}", line(&unknown.message))?;
    }
    not_observed(out, &preview.gaps, look)
}

/// The first line: what it comes to.
fn headline(preview: &Preview, look: &Look) -> String {
    let whose = match &preview.cluster {
        Some(cluster) => format!("The upgrade of Cluster {}", line(cluster)),
        None => "The upgrade".to_owned(),
    };
    let to = line(preview.to.as_deref().unwrap_or("an unknown version"));
    let way = match &preview.from {
        Some(from) if *from != to => format!("{whose} from {} to {to}", line(from)),
        Some(_) | None => format!("{whose} to {to}"),
    };
    let started = if preview.begun { "has begun" } else { "has not started" };
    let (tone, text) = match (preview.verdict, preview.holds.first()) {
        (Verdict::NothingToDo, _) => (Tone::Good, "there is nothing to do".to_owned()),
        (Verdict::Ready, _) if preview.cluster.is_none() => (Tone::Good, "there is a plan".to_owned()),
        (Verdict::Ready, _) => (Tone::Good, "it can begin: nothing was seen that stands in its way".to_owned()),
        (Verdict::UnderWay, _) => (Tone::Good, "under way, and nothing was seen that stands in its way".to_owned()),
        (Verdict::Held, Some(hold)) if hold.weight == Weight::Later => {
            (Tone::Warn, format!("it will be held on the way by {}", line(&hold.name)))
        }
        (Verdict::Held, Some(hold)) => {
            (Tone::Warn, format!("{started}; held by {}{}", line(&hold.name), lasting(preview, hold)))
        }
        (Verdict::Stuck, Some(hold)) => {
            (Tone::Bad, format!("stuck; blocked by {}{}", line(&hold.name), lasting(preview, hold)))
        }
        (Verdict::Held | Verdict::Stuck, None) => (Tone::Warn, "held".to_owned()),
        (Verdict::Refused, _) => (Tone::Bad, "refused, before anything is changed".to_owned()),
        (Verdict::CannotTell, _) => (Tone::Warn, "what was seen is not enough to tell".to_owned()),
    };
    format!("{way}: {}", look.colour.paint(tone, &text))
}

/// ` for 3h`, where that is known.
fn lasting(preview: &Preview, hold: &Hold) -> String {
    match (preview.observed_at, hold.since) {
        (Some(now), Some(_)) => format!(" for {}", age::since(now, hold.since)),
        (Some(_) | None, _) => String::new(),
    }
}

fn plan(out: &mut String, preview: &Preview, look: &Look) -> fmt::Result {
    if let Some(refusal) = &preview.refusal {
        writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= No Plan ="))?;
        writeln!(out, "{}", line(&refusal.message))?;
    }
    if preview.steps.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= Plan ="))?;
    if preview.plan.is_some() {
        let position = preview.position.map(|position| format!(" ({position})")).unwrap_or_default();
        writeln!(out, "Control plane:  {}{position}", way(&preview.control_plane))?;
        workers(out, preview)?;
        if let Some(source) = &preview.source {
            writeln!(out, "Versions by:    {}", line(&source.to_string()))?;
        }
        if !preview.next.is_empty() {
            writeln!(out, "Next in line:   {}", line(&preview.next.join(", then ")))?;
        }
        out.push('\n');
    }
    steps(out, preview, look)?;
    let Totals { control_plane, workers } = preview.machines;
    if let (true, Some(control_plane), Some(workers)) = (preview.cluster.is_some(), control_plane, workers) {
        writeln!(
            out,
            "\n{control_plane} control plane {} and {workers} worker {} are replaced, or updated in place where an extension does that.",
            machines(control_plane),
            machines(workers)
        )?;
    }
    Ok(())
}

/// One line for all workers where their ways are parts of one list, else one for each group.
fn workers(out: &mut String, preview: &Preview) -> fmt::Result {
    let moving = preview.plan.iter().flat_map(|plan| &plan.groups).filter(|group| !group.moves.is_empty());
    let moving: Vec<&GroupMoves> = moving.collect();
    if moving.iter().all(|group| preview.workers.ends_with(&group.moves)) {
        return writeln!(out, "Workers:        {}", way(&preview.workers));
    }
    for GroupMoves { group, moves, .. } in moving {
        let title = format!("Workers {}:", line(&group.name));
        writeln!(out, "{title:15} {}", way(moves))?;
    }
    Ok(())
}

fn machines(count: u64) -> &'static str {
    if count == 1 { "machine" } else { "machines" }
}

/// Versions with arrows between them.
fn way(versions: &[KubeVersion]) -> String {
    if versions.is_empty() {
        return "stays as it is".to_owned();
    }
    line(&versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" -> "))
}

fn steps(out: &mut String, preview: &Preview, look: &Look) -> fmt::Result {
    let has_machines = preview.cluster.is_some();
    let column = if has_machines { "MACHINES\t" } else { "" };
    let mut table = format!("STEP\tWHAT\tFROM\tTO\t{column}WHY\n");
    for PlannedStep { number, state, step, machines, done } in &preview.steps {
        let what = match &step.mover {
            Mover::ControlPlane => "control plane".to_owned(),
            Mover::Workers { groups } => groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join(", "),
        };
        let all = machines.map_or_else(|| "?".to_owned(), |machines| machines.to_string());
        let machines = match (state, done) {
            _ if !has_machines => String::new(),
            (StepState::UnderWay, Some(done)) => format!("{done} of {all}\t"),
            (StepState::UnderWay, None) => format!("? of {all}\t"),
            (StepState::Ahead, _) => format!("{all}\t"),
        };
        let (what, from, to) = (line(&what), line(&step.from.to_string()), line(&step.to.to_string()));
        writeln!(table, "{number}\t{what}\t{from}\t{to}\t{machines}{}", line(&step.reason.to_string()))?;
        if look.columns == Columns::Wide {
            for Refused { version, why } in &step.refused {
                let blank = if has_machines { "\t" } else { "" };
                writeln!(table, "\t\t\tnot {}\t{blank}{why}", line(&version.to_string()))?;
            }
        }
    }
    out.push_str(&lay_out(&table));
    Ok(())
}

fn holds(out: &mut String, preview: &Preview, look: &Look) -> fmt::Result {
    if preview.holds.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= What Holds It ="))?;
    let is_wide = look.columns == Columns::Wide;
    let kind = if is_wide { "KIND\t" } else { "" };
    let mut table = format!("WHEN\tFOR\t{kind}WHAT\n");
    for hold in &preview.holds {
        let tone = match hold.weight {
            Weight::Stuck => Tone::Bad,
            Weight::Now | Weight::Later => Tone::Warn,
            Weight::Work => Tone::Plain,
        };
        let lasts = match (preview.observed_at, hold.since) {
            (Some(now), Some(_)) => age::since(now, hold.since),
            (Some(_) | None, _) => "-".to_owned(),
        };
        let weight = look.colour.paint(tone, &hold.weight.to_string());
        let kind = if is_wide { format!("{}\t", hold.kind) } else { String::new() };
        writeln!(table, "{weight}\t{lasts}\t{kind}{}", line(&hold.message))?;
        if !hold.advice.is_empty() {
            let blank = if is_wide { "\t" } else { "" };
            writeln!(table, "\t\t{blank}  {}", line(&hold.advice))?;
        }
    }
    out.push_str(&lay_out(&table));
    Ok(())
}

fn hooks(out: &mut String, preview: &Preview, look: &Look) -> fmt::Result {
    if preview.hooks.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= Hooks ="))?;
    let mut table = String::from("HOOK\tASKED AT\tWHO ANSWERS\n");
    for AskedHook { hook, at, handlers } in &preview.hooks {
        let at: Vec<String> = at.iter().map(ToString::to_string).collect();
        let told = handlers.iter().map(|handler| match look.columns {
            Columns::Wide if !handler.failure_policy.is_empty() => {
                format!("{} (failurePolicy {})", handler.name, handler.failure_policy)
            }
            Columns::Wide | Columns::Usual => handler.name.clone(),
        });
        let told: Vec<String> = told.collect();
        let who = if told.is_empty() { "nobody that was seen".to_owned() } else { told.join(", ") };
        writeln!(table, "{}\t{}\t{}", line(hook), line(&at.join(", ")), line(&who))?;
    }
    out.push_str(&lay_out(&table));
    Ok(())
}

/// How many gaps the text lists.
const GAPS: usize = 20;

/// What could not be read and may change the answer.
pub(super) fn not_observed(out: &mut String, gaps: &[Gap], look: &Look) -> fmt::Result {
    let serious: Vec<&Gap> = gaps.iter().filter(|gap| gap.kind.is_serious()).collect();
    if serious.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= Not Observed ="))?;
    for gap in serious.iter().take(GAPS) {
        writeln!(out, "{}", line(&gap.to_string()))?;
    }
    if serious.len() > GAPS {
        writeln!(out, "and {} more; -o json lists all", serious.len() - GAPS)?;
    }
    Ok(())
}

/// A text of strangers on one line that does nothing to a terminal.
fn line(text: &str) -> String {
    cell(text, usize::MAX)
}
