//! The section about health (status-openshift.md, 9).

use std::fmt::{self, Write};

use headway_api::insight::{Insight, Level, ResourceRef};
use headway_api::report::{Assessment, Outcome, Report};
use headway_core::assess::span;
use jiff::SignedDuration;

use super::columns::{cell, clean, lay_out};
use super::nodes::fit_to_terminal;
use super::style::Tone;
use super::{Columns, Dialect, Look, age};

/// The section with its title.
pub(super) fn write(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    writeln!(out, "{}", look.colour.paint(Tone::Title, "= Update Health ="))?;
    if report.insights.is_empty() {
        return well(out, report, look);
    }
    if look.details.health { details(out, report, look) } else { table(out, report, look) }
}

/// The one row that there is when nothing is wrong (9.2).
fn well(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    let cluster = &report.cluster;
    let since = match (cluster.started_at, look.dialect) {
        (Some(started), _) => {
            let elapsed = span::between(report.observed_at, started);
            let elapsed = if look.dialect == Dialect::Oc { elapsed } else { elapsed.max(SignedDuration::ZERO) };
            age::short(span::rounded(elapsed, age::SECOND))
        }
        (None, Dialect::Oc) => {
            age::short(span::rounded(span::between(report.observed_at, span::ZERO_TIME), age::SECOND))
        }
        (None, Dialect::Headway) => "-".into(),
    };
    let (level, message) = match (look.dialect, report.outcome, cluster.assessment) {
        (Dialect::Headway, Outcome::CannotTell, _) => {
            ("Unknown", "What was observed is not enough to tell how the update goes")
        }
        (Dialect::Headway, _, Assessment::ProgressingSlow) => ("Info", "Update is proceeding, slower than estimated"),
        (Dialect::Oc | Dialect::Headway, _, _) => ("Info", "Update is proceeding well"),
    };
    let impact = if level == "Unknown" { "Unknown" } else { "None" };
    let rows = format!("SINCE\tLEVEL\tIMPACT\tMESSAGE\n{since}\t{level}\t{impact}\t{message}\n");
    out.push_str(&lay_out(&rows));
    Ok(())
}

fn since(report: &Report, insight: &Insight, look: &Look) -> String {
    match look.dialect {
        Dialect::Headway => age::since(report.observed_at, insight.since),
        Dialect::Oc => age::since_as_oc(report.observed_at, insight.since),
    }
}

fn paint(look: &Look, level: Level) -> String {
    let tone = match level {
        Level::Info => Tone::Plain,
        Level::Warning => Tone::Warn,
        Level::Error | Level::Critical => Tone::Bad,
    };
    look.colour.paint(tone, &level.to_string())
}

fn table(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    let mut rows = String::from(match look.columns {
        Columns::Usual => "SINCE\tLEVEL\tIMPACT\tMESSAGE\n",
        Columns::Wide => "SINCE\tLEVEL\tIMPACT\tRULE\tMESSAGE\n",
    });
    for insight in &report.insights {
        let since = since(report, insight, look);
        let level = paint(look, insight.level);
        let impact = insight.impact;
        let message = match look.dialect {
            Dialect::Oc => insight.summary.clone(),
            Dialect::Headway => cell(&insight.summary, usize::MAX),
        };
        match look.columns {
            Columns::Usual => writeln!(rows, "{since}\t{level}\t{impact}\t{message}")?,
            Columns::Wide => writeln!(rows, "{since}\t{level}\t{impact}\t{}\t{message}", insight.rule)?,
        }
    }
    out.push_str(&fit_to_terminal(&lay_out(&rows), look));
    let only_info = matches!(report.insights.as_slice(), [only] if only.level == Level::Info);
    if only_info {
        return Ok(());
    }
    writeln!(out, "\nRun with --details=health for additional description and links to related online documentation")
}

/// Column at which a continued line of a detail stands.
const INDENT: &str = "               ";

fn details(out: &mut String, report: &Report, look: &Look) -> fmt::Result {
    for (at, insight) in report.insights.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let text = |text: &str| match look.dialect {
            Dialect::Oc => text.replace('\n', &format!("\n{INDENT}, ")),
            Dialect::Headway => paragraph(text),
        };
        writeln!(out, "Message: {}", text(&insight.summary))?;
        writeln!(out, "  Since:       {}", since(report, insight, look))?;
        writeln!(out, "  Level:       {}", paint(look, insight.level))?;
        writeln!(out, "  Impact:      {}", insight.impact)?;
        if look.columns == Columns::Wide {
            writeln!(out, "  Rule:        {}", insight.rule)?;
        }
        writeln!(out, "  Reference:   {}", text(&insight.reference))?;
        resources(out, insight, look)?;
        writeln!(out, "  Description: {}", text(&insight.description))?;
        if look.dialect == Dialect::Headway {
            ours(out, insight)?;
        }
    }
    Ok(())
}

/// What we tell beyond the peer: what to do, and what was folded into this cause.
fn ours(out: &mut String, insight: &Insight) -> fmt::Result {
    if !insight.advice.is_empty() {
        writeln!(out, "  Advice:      {}", paragraph(&insight.advice))?;
    }
    for related in &insight.related {
        writeln!(out, "  Related:     {}", cell(&related.summary, usize::MAX))?;
    }
    Ok(())
}

fn paragraph(text: &str) -> String {
    let mut lines: Vec<String> = text.trim_end().lines().map(clean).collect();
    // One blank line parts paragraphs; more of them only push the rest out of sight.
    lines.dedup_by(|next, before| next.is_empty() && before.is_empty());
    lines.join(&format!("\n{INDENT}"))
}

/// The objects an insight speaks of, by resource (9.5).
fn resources(out: &mut String, insight: &Insight, look: &Look) -> fmt::Result {
    if insight.resources.is_empty() {
        return Ok(());
    }
    writeln!(out, "  Resources:")?;
    let mut kinds: Vec<String> = insight.resources.iter().map(ResourceRef::qualified_resource).collect();
    kinds.sort();
    kinds.dedup();
    let longest = kinds.iter().map(|kind| kind.chars().count()).max().unwrap_or(0);
    for kind in &kinds {
        let of_kind = insight.resources.iter().filter(|resource| resource.qualified_resource() == *kind);
        let mut names: Vec<String> = of_kind.map(ResourceRef::qualified_name).collect();
        names.sort();
        let padding = " ".repeat(longest - kind.chars().count());
        let names = match look.dialect {
            Dialect::Oc => names.join(", "),
            Dialect::Headway => clean(&names.join(", ")),
        };
        writeln!(out, "    {kind}: {padding}{names}")?;
    }
    if insight.resources_omitted > 0 {
        writeln!(out, "    and {} more", insight.resources_omitted)?;
    }
    Ok(())
}
