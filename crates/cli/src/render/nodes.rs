//! The tables of pools and nodes (status-openshift.md, 7).

use std::fmt::{self, Write};

use headway_api::report::{Phase, Pool, Report, Unit, UnitAssessment};
use headway_core::assess::by_pool;

use super::columns::{cell, lay_out, word};
use super::style::Tone;
use super::text::is_control_plane;
use super::{Columns, Dialect, Look, age};

/// How many nodes of a pool are listed; further ones only if something is wrong with them.
const ROWS: usize = 10;

/// The longest message in a row that is not cut to a terminal.
const MESSAGE: usize = 160;

/// Everything about pools and nodes: the control plane's, the workers', those of no pool.
pub(super) fn write(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    let (pools, rest) = by_pool(report);
    for (pool, units) in pools.iter().filter(|(pool, _)| is_control_plane(pool)) {
        table(out, report, Some(pool), units, look)?;
    }
    let workers: Vec<_> = pools.iter().filter(|(pool, _)| !is_control_plane(pool)).collect();
    if workers.iter().any(|(pool, _)| desired(pool) > 0 || pool.counts.total > 0) {
        write!(out, "\n{}\n\n", look.colour.paint(Tone::Title, "= Worker Upgrade ="))?;
        let mut rows = String::from("WORKER POOL\tASSESSMENT\tCOMPLETION\tSTATUS\n");
        for (pool, _) in &workers {
            rows.push_str(&pool_row(pool, look.dialect));
        }
        out.push_str(&fit_to_terminal(&lay_out(&rows), look));
        for (pool, units) in workers {
            table(out, report, Some(pool), units, look)?;
        }
    }
    if look.dialect == Dialect::Headway {
        table(out, report, None, rest, look)?;
    }
    Ok(())
}

/// How many nodes or machines a pool is to have.
fn desired(pool: &Pool) -> usize {
    pool.counts.desired.unwrap_or(pool.counts.total)
}

fn pool_row(pool: &Pool, dialect: Dialect) -> String {
    let counts = &pool.counts;
    let name = word(&pool.name, dialect);
    let assessment = pool.assessment;
    let desired = desired(pool);
    let completion = match pool.completion_percent {
        Some(percent) => {
            // While machines are replaced, new ones beside old ones are not more done.
            let done = counts.total.saturating_sub(counts.outdated).min(desired);
            format!("{percent}% ({done}/{desired})")
        }
        None if desired > 0 => "unknown".into(),
        None => return format!("{name}\t{assessment}\t\t0 Total\n"),
    };
    let mut status =
        format!("{} Available, {} Progressing, {} Draining", counts.available, counts.progressing, counts.draining);
    if counts.excluded > 0 {
        status.push_str(&format!(", {} Excluded", counts.excluded));
    }
    if counts.degraded > 0 {
        status.push_str(&format!(", {} Degraded", counts.degraded));
    }
    if counts.total != desired {
        status.push_str(&format!(", {} Total", counts.total));
    }
    format!("{name}\t{assessment}\t{completion}\t{status}\n")
}

fn table(out: &mut String, report: &Report, pool: Option<&Pool>, units: &[Unit], look: &Look) -> fmt::Result {
    let Some(first) = units.first() else {
        return Ok(());
    };
    let control_plane = pool.is_some_and(is_control_plane);
    let all_done = match look.dialect {
        Dialect::Oc => units.iter().all(|unit| unit.phase == Phase::Updated),
        // Told in one line only if that line is the whole truth of every node.
        Dialect::Headway => units.iter().all(|unit| unit.assessment == UnitAssessment::Completed),
    };
    if control_plane && all_done {
        let version = word(first.version.as_deref().unwrap_or_default(), look.dialect);
        return writeln!(out, "\nAll control plane {kind}s successfully updated to {version}", kind = kind(first));
    }
    let kinds = if is_machine(first) { "Machines" } else { "Nodes" };
    let title = match pool {
        Some(pool) if control_plane && pool.name == "master" => format!("Control Plane {kinds}"),
        Some(pool) if control_plane => format!("Control Plane {kinds}: {}", word(&pool.name, look.dialect)),
        Some(pool) => format!("Worker Pool {kinds}: {}", word(&pool.name, look.dialect)),
        None => format!("{kinds} in No Pool"),
    };
    writeln!(out, "\n{}", look.colour.paint(Tone::Title, &title))?;
    let (shown, omitted) = choose(units, look);
    let mut rows = String::from(match (look.columns, is_machine(first)) {
        (Columns::Usual, false) => "NAME\tASSESSMENT\tPHASE\tVERSION\tEST\tMESSAGE\n",
        (Columns::Wide, false) => "NAME\tASSESSMENT\tPHASE\tSINCE\tVERSION\tEST\tCONFIG\tBLOCKED BY\tMESSAGE\n",
        (Columns::Usual, true) => "NAME\tASSESSMENT\tPHASE\tSINCE\tVERSION\tMESSAGE\n",
        (Columns::Wide, true) => "NAME\tNODE\tASSESSMENT\tPHASE\tSINCE\tVERSION\tBLOCKED BY\tMESSAGE\n",
    });
    for unit in shown {
        rows.push_str(&row(report, unit, look));
    }
    out.push_str(&fit_to_terminal(&lay_out(&rows), look));
    if omitted.is_empty() { Ok(()) } else { footer(out, &omitted, kind(first)) }
}

fn is_machine(unit: &Unit) -> bool {
    unit.kind == "Machine"
}

fn kind(unit: &Unit) -> &'static str {
    if is_machine(unit) { "machine" } else { "node" }
}

/// The rows that are listed, and those that are only counted (7.1).
fn choose<'r>(units: &'r [Unit], look: &Look) -> (Vec<&'r Unit>, Vec<&'r Unit>) {
    let worth_a_row = |unit: &Unit| matches!(unit.assessment, UnitAssessment::Degraded | UnitAssessment::Unavailable);
    let listed = units.iter().enumerate();
    let (shown, omitted): (Vec<_>, Vec<_>) =
        listed.partition(|(at, unit)| look.details.nodes || *at < ROWS || worth_a_row(unit));
    (shown.into_iter().map(|(_, unit)| unit).collect(), omitted.into_iter().map(|(_, unit)| unit).collect())
}

fn row(report: &Report, unit: &Unit, look: &Look) -> String {
    let Unit { assessment, phase, remaining, .. } = unit;
    let name = word(&unit.name, look.dialect);
    let version = unit.version.as_deref().filter(|version| !version.is_empty()).unwrap_or("?");
    let version = word(version, look.dialect);
    let message = match (look.dialect, look.columns) {
        (Dialect::Oc, _) => unit.message.clone(),
        (Dialect::Headway, Columns::Usual) if look.width.is_none() => cell(&unit.message, MESSAGE),
        (Dialect::Headway, _) => cell(&unit.message, usize::MAX),
    };
    let tone = match assessment {
        UnitAssessment::Degraded => Tone::Bad,
        UnitAssessment::Unavailable => Tone::Warn,
        UnitAssessment::Completed => Tone::Good,
        UnitAssessment::Progressing | UnitAssessment::Excluded | UnitAssessment::Outdated => Tone::Plain,
    };
    let assessment = look.colour.paint(tone, &assessment.to_string());
    let since = || age::since(report.observed_at, unit.since.or(unit.available.since).or(unit.degraded.since));
    match (look.columns, is_machine(unit)) {
        (Columns::Usual, false) => {
            format!("{name}\t{assessment}\t{phase}\t{version}\t{remaining}\t{message}\n")
        }
        (Columns::Usual, true) => {
            format!("{name}\t{assessment}\t{phase}\t{}\t{version}\t{message}\n", since())
        }
        (Columns::Wide, true) => {
            let node = word(unit.node.as_deref().unwrap_or("-"), look.dialect);
            let blocked = blocked(unit);
            format!("{name}\t{node}\t{assessment}\t{phase}\t{}\t{version}\t{blocked}\t{message}\n", since())
        }
        (Columns::Wide, false) => {
            let since = since();
            let config = config(unit);
            let blocked = blocked(unit);
            format!("{name}\t{assessment}\t{phase}\t{since}\t{version}\t{remaining}\t{config}\t{blocked}\t{message}\n")
        }
    }
}

fn config(unit: &Unit) -> String {
    let told = match (&unit.current_config, &unit.desired_config) {
        (Some(current), Some(desired)) if current == desired => current.clone(),
        (Some(current), Some(desired)) => format!("{current} -> {desired}"),
        (Some(current), None) => current.clone(),
        (None, Some(desired)) => format!("? -> {desired}"),
        (None, None) => "?".into(),
    };
    cell(&told, usize::MAX)
}

fn blocked(unit: &Unit) -> String {
    let told: Vec<String> =
        unit.blocked_by.iter().map(|b| format!("pod {0}/{1} (pdb {0}/{2})", b.namespace, b.pod, b.budget)).collect();
    if told.is_empty() { "-".into() } else { cell(&told.join(", "), usize::MAX) }
}

fn footer(out: &mut String, omitted: &[&Unit], kind: &str) -> fmt::Result {
    let count = |holds: &dyn Fn(&Unit) -> bool| omitted.iter().filter(|unit| holds(unit)).count();
    let total = omitted.len();
    let completed = count(&|unit| unit.updated);
    writeln!(
        out,
        "...\nOmitted additional {total} Total, {completed} Completed, {} Available, {} Progressing, {} Outdated, {} Draining, {} Excluded, and 0 Degraded {kind}s.\nPass along --details=nodes to see all information.",
        count(&|unit| unit.in_service),
        count(&|unit| unit.assessment == UnitAssessment::Progressing),
        total - completed,
        count(&|unit| unit.phase == Phase::Draining),
        count(&|unit| unit.phase == Phase::Paused),
    )
}

/// Lines cut to the terminal's width, so that none is broken; a pipe gets them whole.
pub(super) fn fit_to_terminal(text: &str, look: &Look) -> String {
    let Some(width) = look.width.filter(|_| look.dialect == Dialect::Headway) else {
        return text.to_owned();
    };
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        out.push_str(&cut_line(bare, width.max(MINIMUM)));
        out.push_str(&line[bare.len()..]);
    }
    out
}

/// Below this a terminal's width is not believed: the first columns alone need more.
const MINIMUM: usize = 60;

fn cut_line(line: &str, width: usize) -> String {
    let mut shown = 0;
    let mut out = String::new();
    let mut chars = line.trim_end().chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\u{1b}' {
            for c in chars.by_ref() {
                out.push(c);
                if c == 'm' {
                    break;
                }
            }
            continue;
        }
        shown += 1;
        let more = chars.peek().is_some();
        if shown + 3 == width && more && chars.clone().count() > 3 {
            out.push_str("...");
            if line.contains('\u{1b}') {
                out.push_str("\u{1b}[0m");
            }
            return out;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_a_width() {
        let check = |line: &str, width: usize, expect: &str| assert_eq!(cut_line(line, width), expect);
        check("0123456789", 10, "0123456789");
        check("0123456789x", 10, "0123456...");
        check("short   ", 10, "short");
        check("\u{1b}[31mred\u{1b}[0m456789abcd", 10, "\u{1b}[31mred\u{1b}[0m4567...\u{1b}[0m");
    }
}
