//! The table of the clusters that a management cluster keeps.

use std::fmt::{self, Write};

use headway_api::fleet::{Fleet, Row};
use headway_api::insight::Level;
use headway_api::report::{Activity, Form, Outcome};

use super::columns::{cell, lay_out};
use super::nodes::fit_to_terminal;
use super::preview::not_observed;
use super::style::Tone;
use super::{Columns, Look, age};

/// Whether the table has a column for namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespaces {
    /// All rows are of one, which was asked for.
    Hidden,
    /// They may be of several.
    Shown,
}

/// The longest insight in a row that is neither wide nor cut to a terminal.
const WORST: usize = 70;

/// The table as text for people, with a line feed at the end; nothing where there is no cluster.
pub(crate) fn fleet(fleet: &Fleet, namespaces: Namespaces, look: &Look) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _: fmt::Result = write_fleet(&mut out, fleet, namespaces, look);
    out
}

fn write_fleet(out: &mut String, fleet: &Fleet, namespaces: Namespaces, look: &Look) -> fmt::Result {
    if !fleet.items.is_empty() {
        let mut rows = title(namespaces, look.columns);
        for item in &fleet.items {
            row(&mut rows, fleet, item, namespaces, look)?;
        }
        out.push_str(&fit_to_terminal(&lay_out(&rows), look));
    }
    not_observed(out, &fleet.gaps, look)
}

fn title(namespaces: Namespaces, columns: Columns) -> String {
    let namespace = match namespaces {
        Namespaces::Shown => "NAMESPACE\t",
        Namespaces::Hidden => "",
    };
    let rest = match columns {
        Columns::Usual => "NAME\tFORM\tFROM\tTO\tSTEP\tPROGRESS\tSINCE\tWORST\n",
        Columns::Wide => {
            "NAME\tFORM\tASSESSMENT\tFROM\tTO\tSTEP\tNEXT\tPROGRESS\tMACHINES\tSTARTED\tSINCE\tINSIGHTS\tWORST\tWAITING ON\n"
        }
    };
    format!("{namespace}{rest}")
}

fn row(rows: &mut String, fleet: &Fleet, item: &Row, namespaces: Namespaces, look: &Look) -> fmt::Result {
    if namespaces == Namespaces::Shown {
        write!(rows, "{}\t", word(Some(&item.namespace)))?;
    }
    let (name, form) = (word(Some(&item.name)), form(item.form));
    // Where a cluster was is of interest while it is on the way.
    let from = item.from.as_deref().filter(|_| item.activity != Activity::NotUpdating);
    let (from, to) = (word(from), word(item.to.as_deref()));
    let step = match item.position {
        Some(position) if item.activity != Activity::NotUpdating => format!("{}/{}", position.step, position.of),
        Some(_) | None => "-".into(),
    };
    let progress = progress(item, look);
    let since = age::since(fleet.observed_at, item.since);
    match look.columns {
        Columns::Usual => {
            let worst = worst(item, if look.width.is_none() { WORST } else { usize::MAX }, look);
            writeln!(rows, "{name}\t{form}\t{from}\t{to}\t{step}\t{progress}\t{since}\t{worst}")
        }
        Columns::Wide => {
            let assessment = item.assessment;
            let next = item.plan.first().filter(|_| item.activity != Activity::NotUpdating);
            let next = word(next.map(String::as_str));
            let machines = match (item.machines_done, item.machines_desired) {
                (Some(done), Some(desired)) => format!("{done}/{desired}"),
                _ => "-".into(),
            };
            let started = age::since(fleet.observed_at, item.started_at);
            let (insights, worst) = (item.attention, worst(item, usize::MAX, look));
            let waiting = word(item.waiting_on.as_deref());
            writeln!(
                rows,
                "{name}\t{form}\t{assessment}\t{from}\t{to}\t{step}\t{next}\t{progress}\t{machines}\t{started}\t{since}\t{insights}\t{worst}\t{waiting}"
            )
        }
    }
}

/// A text in a cell, a dash for none.
fn word(text: Option<&str>) -> String {
    match text.map(|text| cell(text, usize::MAX)) {
        Some(text) if !text.is_empty() => text,
        Some(_) | None => "-".into(),
    }
}

pub(super) fn form(form: Form) -> &'static str {
    match form {
        Form::Standalone => "Standalone",
        Form::Hosted => "Hosted",
        Form::ClusterApi => "ClusterAPI",
        Form::Unknown => "Unknown",
    }
}

/// How far it is: a percentage while it is on the way, a word otherwise.
fn progress(item: &Row, look: &Look) -> String {
    let (text, tone) = match (item.outcome, item.activity, item.completion_percent) {
        (Outcome::CannotTell, Activity::NotUpdating | Activity::Unknown, None) | (_, Activity::Unknown, None) => {
            ("Unknown".to_owned(), Tone::Warn)
        }
        (_, Activity::NotUpdating, _) if item.outcome != Outcome::CannotTell => ("Completed".to_owned(), Tone::Good),
        (outcome, _, percent) => {
            let percent = percent.map_or_else(|| "?".to_owned(), |percent| format!("{percent}%"));
            let tone = match outcome {
                Outcome::Failing => Tone::Bad,
                Outcome::NeedsAttention | Outcome::CannotTell => Tone::Warn,
                Outcome::Updating | Outcome::NotUpdating => Tone::Plain,
            };
            (percent, tone)
        }
    };
    look.colour.paint(tone, &text)
}

fn worst(item: &Row, most: usize, look: &Look) -> String {
    let (Some(level), Some(summary)) = (item.worst_level, &item.worst_summary) else {
        return "-".into();
    };
    let tone = match level {
        Level::Info => Tone::Plain,
        Level::Warning => Tone::Warn,
        Level::Error | Level::Critical => Tone::Bad,
    };
    format!("{}: {}", look.colour.paint(tone, &level.to_string()), cell(summary, most))
}
