//! The text of `headway status` (status-openshift.md, 6 to 11), and what we add to it.

use std::fmt::{self, Write};

use headway_api::gap::Gap;
use headway_api::insight::Scope;
use headway_api::report::{
    Activity, Assessment, Change, Cluster, Component, EstimateState, Outcome, Report, Truth, Versions,
};
use headway_core::assess::span;
use jiff::SignedDuration;

use super::columns::{cell, clean, lay_out, word};
use super::style::Tone;
use super::{Dialect, Look, age, health, kept, nodes};

/// The report as text for people, with a line feed at the end.
pub(crate) fn text(report: &Report, look: &Look) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail: `fmt::Write` for String never returns an error.
    let _: fmt::Result = write_text(&mut out, report, look);
    out
}

fn write_text(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    if report.activity == Activity::NotUpdating {
        return not_updating(out, report, look);
    }
    if kept::is_kept(report) {
        kept::control_plane(out, report, look)?;
    } else {
        control_plane(out, report, look)?;
    }
    nodes::write(out, report, look)?;
    out.push('\n');
    health::write(out, report, look)?;
    remarks(out, report, look)
}

fn not_updating(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    if kept::is_kept(report) {
        kept::not_updating(out, report)?;
    } else if look.dialect == Dialect::Headway && report.outcome == Outcome::CannotTell {
        writeln!(out, "The cluster is not updating, as far as can be told: not all of it was observed.")?;
    } else {
        writeln!(out, "The cluster is not updating.")?;
    }
    if !report.insights.is_empty() {
        out.push('\n');
        health::write(out, report, look)?;
    }
    remarks(out, report, look)
}

fn control_plane(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    let cluster = &report.cluster;
    writeln!(out, "{}", look.colour.paint(Tone::Title, "= Control Plane ="))?;
    if cluster.assessment == Assessment::Completed {
        return completed(out, report, look);
    }
    let tone = tone(cluster.assessment);
    writeln!(out, "Assessment:      {}", look.colour.paint(tone, &cluster.assessment.to_string()))?;
    writeln!(out, "Target Version:  {}", target(&cluster.versions, look.dialect))?;
    let updating: Vec<&Component> = report.components.iter().filter(|c| c.updating.status == Truth::True).collect();
    if !updating.is_empty() {
        let names: Vec<String> = updating.iter().map(|component| word(&component.name, look.dialect)).collect();
        writeln!(out, "Updating:        {}", names.join(", "))?;
    }
    writeln!(out, "Completion:      {}", completion(cluster, look.dialect))?;
    writeln!(out, "Duration:        {}", duration(report, look.dialect))?;
    writeln!(out, "Operator Health: {}", operator_health(cluster))?;
    if look.details.operators && !updating.is_empty() {
        operators(out, "Updating Cluster Operators", report, &updating, look)?;
    }
    Ok(())
}

/// The colour of an assessment.
pub(super) fn tone(assessment: Assessment) -> Tone {
    match assessment {
        Assessment::Progressing | Assessment::Completed => Tone::Good,
        Assessment::ProgressingSlow | Assessment::Unknown | Assessment::Pending | Assessment::Paused => Tone::Warn,
        Assessment::Stalled | Assessment::Degraded => Tone::Bad,
    }
}

fn completed(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    let cluster = &report.cluster;
    let version = word(cluster.versions.target.as_deref().unwrap_or("unknown"), look.dialect);
    let at = match cluster.completed_at {
        Some(at) => at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        None => "an unknown time".into(),
    };
    let took = match (cluster.duration_seconds, look.dialect) {
        (Some(took), _) => age::rounded(took.0),
        (None, Dialect::Oc) => "now".into(),
        (None, Dialect::Headway) => "unknown".into(),
    };
    writeln!(out, "Update to {version} successfully completed at {at} (duration: {took})")
}

/// What the update goes to, and from where (6.5).
pub(super) fn target(versions: &Versions, dialect: Dialect) -> String {
    let to = word(versions.target.as_deref().unwrap_or("unknown"), dialect);
    let from = word(versions.previous.as_deref().unwrap_or("unknown"), dialect);
    let incomplete = format!("(from incomplete {from})");
    match (versions.change, versions.previous_is_partial, dialect) {
        (Change::Installation, _, _) => format!("{to} (a new install)"),
        (_, true, Dialect::Oc) => format!("{to} {incomplete}"),
        (Change::MultiArchitecture, true, Dialect::Headway) => {
            format!("{to} to Multi-Architecture {incomplete}")
        }
        (Change::MultiArchitecture, false, _) => format!("{to} to Multi-Architecture"),
        (Change::Image | Change::Version, true, Dialect::Headway) => format!("{to} {incomplete}"),
        (Change::Image, false, _) => format!("{to} (another image of the same version)"),
        (Change::Version, false, Dialect::Headway) if versions.previous.is_none() => to,
        (Change::Version, false, _) => format!("{to} (from {from})"),
    }
}

fn completion(cluster: &Cluster, dialect: Dialect) -> String {
    let counts = &cluster.operators;
    let Some(percent) = cluster.completion_percent else {
        return "unknown (no operators of the release were seen)".into();
    };
    let unknown = if counts.unknown > 0 && dialect == Dialect::Headway {
        format!(", {} unknown", counts.unknown)
    } else {
        String::new()
    };
    format!(
        "{percent}% ({} operators updated, {} updating, {} waiting{unknown})",
        counts.updated, counts.updating, counts.waiting
    )
}

pub(super) fn duration(report: &Report, dialect: Dialect) -> String {
    let cluster = &report.cluster;
    let took = match (cluster.duration_seconds, dialect) {
        (Some(took), _) => age::rounded(took.0),
        (None, Dialect::Oc) => "now".into(),
        (None, Dialect::Headway) => "unknown".into(),
    };
    let Some(estimate) = &cluster.estimate else {
        return took;
    };
    let left = SignedDuration::from_secs(estimate.remaining_seconds);
    let left = match estimate.state {
        EstimateState::NotForMultiArchitecture => "N/A for Multi-Architecture Migration".into(),
        EstimateState::Overdue => {
            let total = SignedDuration::from_secs(estimate.total_seconds);
            format!("N/A; estimate duration was {}", age::short(total))
        }
        EstimateState::Known if left < SignedDuration::from_mins(10) => "<10m".into(),
        EstimateState::Known => age::short(left),
    };
    format!("{took} (Est. Time Remaining: {left})")
}

fn operator_health(cluster: &Cluster) -> String {
    let counts = &cluster.operators;
    let healthy = counts.total - counts.unavailable - counts.degraded;
    let mut text = format!("{healthy} Healthy");
    if counts.unavailable > 0 {
        text.push_str(&format!(", {} Unavailable", counts.unavailable));
    }
    if counts.degraded > 0 {
        text.push_str(&format!(", {} Available but degraded", counts.degraded));
    }
    text
}

/// The longest reason in the table of operators: longer ones are cut (6.7).
const REASON: usize = 20;

/// The table of operators or components that are updating.
pub(super) fn operators(
    out: &mut String,
    title: &str,
    report: &Report,
    updating: &[&Component],
    look: &Look,
) -> fmt::Result {
    let mut table = String::from("NAME\tSINCE\tREASON\tMESSAGE\n");
    for component in updating {
        let since = match look.dialect {
            Dialect::Headway => age::since(report.observed_at, component.updating.since),
            Dialect::Oc => {
                let at = component.updating.since.unwrap_or(span::ZERO_TIME);
                age::short_as_oc(span::between(report.observed_at, at))
            }
        };
        let reason = &component.progressing_reason;
        let reason = if reason.is_empty() { "-".to_owned() } else { cut(reason) };
        let message = &component.updating.message;
        let message = match look.dialect {
            Dialect::Oc => message.replace('\n', "\n\t\t\t"),
            Dialect::Headway => {
                let lines: Vec<String> = message.lines().map(clean).filter(|line| !line.is_empty()).collect();
                if lines.is_empty() { "-".into() } else { lines.join("\n\t\t\t") }
            }
        };
        let reason = word(&reason, look.dialect);
        writeln!(table, "{}\t{since}\t{reason}\t{message}", word(&component.name, look.dialect))?;
    }
    write!(out, "\n{}\n{}", look.colour.paint(Tone::Title, title), lay_out(&table))
}

fn cut(reason: &str) -> String {
    if reason.chars().count() <= REASON {
        return reason.to_owned();
    }
    let kept: String = reason.chars().take(REASON - 3).collect();
    kept + "..."
}

/// Hints, and what was not observed and may change the answer.
fn remarks(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    if look.dialect == Dialect::Oc {
        return Ok(());
    }
    if !report.hints.is_empty() {
        out.push('\n');
    }
    for hint in &report.hints {
        writeln!(out, "Note: {}", cell(hint, usize::MAX))?;
    }
    let serious: Vec<&Gap> = report.gaps.iter().filter(|gap| gap.kind.is_serious()).collect();
    if serious.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", look.colour.paint(Tone::Title, "= Not Observed ="))?;
    for gap in serious.iter().take(GAPS) {
        writeln!(out, "{}", cell(&gap.to_string(), usize::MAX))?;
    }
    if serious.len() > GAPS {
        writeln!(out, "and {} more; -o json lists all", serious.len() - GAPS)?;
    }
    Ok(())
}

/// How many gaps the text lists.
const GAPS: usize = 20;

/// Whether a pool is that of the control plane.
pub(super) fn is_control_plane(pool: &headway_api::report::Pool) -> bool {
    pool.scope == Scope::ControlPlane
}
