//! The head of the text on a cluster that a management cluster keeps: a Cluster of Cluster API, or a HostedCluster.
//!
//! The rest of the text is that of every cluster.

use std::fmt::{self, Write};

use headway_api::report::{Assessment, Cluster, Component, Counted, Form, Outcome, Report, Tally, Truth, Versions};

use headway_core::assess::first_few;

use super::columns::{cell, word};
use super::style::Tone;
use super::{Look, age, text};

/// Whether a report is on such a cluster, seen from its management cluster.
pub(super) fn is_kept(report: &Report) -> bool {
    let Cluster { form, namespace, .. } = &report.cluster;
    match form {
        Form::ClusterApi => true,
        // Seen from its guest side it is in no namespace.
        Form::Hosted => namespace.is_some(),
        Form::Standalone | Form::Unknown => false,
    }
}

/// The cluster as it is told: `Cluster fleet/c1`.
fn name(cluster: &Cluster) -> String {
    let kind = if cluster.form == Form::Hosted { "HostedCluster" } else { "Cluster" };
    let name = cluster.name.as_deref().unwrap_or("unknown");
    let whole = match &cluster.namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    };
    format!("{kind} {}", cell(&whole, usize::MAX))
}

/// That nothing is being updated.
pub(super) fn not_updating(out: &mut String, report: &Report) -> fmt::Result {
    let name = name(&report.cluster);
    if report.outcome == Outcome::CannotTell {
        return writeln!(out, "{name} is not updating, as far as can be told: not all of it was observed.");
    }
    match &report.cluster.versions.target {
        Some(version) => writeln!(out, "{name} is not updating: it is at {}.", plain(version)),
        None => writeln!(out, "{name} is not updating."),
    }
}

/// The section on the cluster and its control plane.
pub(super) fn control_plane(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    let cluster = &report.cluster;
    let title = format!("= Control Plane of {} =", name(cluster));
    writeln!(out, "{}", look.colour.paint(Tone::Title, &title))?;
    let assessment = look.colour.paint(text::tone(cluster.assessment), &cluster.assessment.to_string());
    writeln!(out, "Assessment:       {assessment}")?;
    writeln!(out, "Target Version:   {}", text::target(&cluster.versions, look.dialect))?;
    if let Some(step) = step(&cluster.versions) {
        writeln!(out, "Step:             {step}")?;
    }
    writeln!(out, "Completion:       {}", completion(cluster))?;
    if cluster.assessment != Assessment::Completed || cluster.started_at.is_some() {
        writeln!(out, "Duration:         {}", text::duration(report, look.dialect))?;
    }
    if let Some(health) = component_health(report) {
        writeln!(out, "Component Health: {health}")?;
    }
    for (at, waiting) in report.waiting_on.iter().enumerate() {
        let label = if at == 0 { "Waiting On:" } else { "" };
        let since = match age::since(report.observed_at, waiting.since).as_str() {
            "-" | "now" => String::new(),
            age => format!(" (for {age})"),
        };
        writeln!(out, "{label:<17} {}{since}", cell(&waiting.message, usize::MAX))?;
    }
    let updating = report.components.iter().filter(|component| component.updating.status == Truth::True);
    let updating: Vec<&Component> = updating.filter(|_| look.details.operators).collect();
    if updating.is_empty() { Ok(()) } else { text::operators(out, "Updating Components", report, &updating, look) }
}

/// Which step is under way, and the versions that come then.
fn step(versions: &Versions) -> Option<String> {
    let plan: Vec<String> = versions.plan.iter().map(|version| plain(version)).collect();
    let Some(position) = versions.position else {
        return (plan.len() > 1).then(|| plan.join(", then "));
    };
    let told = format!("{} of {}", position.step, position.of);
    let left = position.of.saturating_sub(position.step);
    Some(match plan.split_first() {
        None => told,
        // The step that is under way is in the plan only while it is the control plane that moves.
        Some((now, then)) if then.len() == left => match then {
            [] => format!("{told}, to {now}"),
            then => format!("{told}, to {now}; then {}", then.join(", ")),
        },
        Some(_) => format!("{told}; then {}", plan.join(", ")),
    })
}

fn completion(cluster: &Cluster) -> String {
    let Some(percent) = cluster.completion_percent else {
        return "unknown".into();
    };
    let Some(Tally { of, done, total }) = cluster.tally else {
        return format!("{percent}%");
    };
    let counted = match of {
        Counted::Machines => "machines",
        Counted::Components => "components",
    };
    let several = cluster.versions.position.is_some_and(|position| position.of > 1);
    let part = if several && of == Counted::Machines { " of this step" } else { "" };
    format!("{percent}%{part} ({done} of {total} {counted})")
}

fn component_health(report: &Report) -> Option<String> {
    if report.components.is_empty() {
        return None;
    }
    let names = |status: Truth| -> Vec<String> {
        let of = report.components.iter().filter(|component| component.healthy.status == status);
        of.map(|component| plain(&component.name)).collect()
    };
    let mut told = format!("{} Healthy", names(Truth::True).len());
    for (status, state) in [(Truth::False, "Unhealthy"), (Truth::Unknown, "Unknown")] {
        let names = names(status);
        if !names.is_empty() {
            told.push_str(&format!(", {} {state} ({})", names.len(), first_few(&names)));
        }
    }
    Some(told)
}

fn plain(text: &str) -> String {
    word(text, super::Dialect::Headway)
}
