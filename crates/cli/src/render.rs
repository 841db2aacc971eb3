//! Renderers: a `Report` in, text out. None of them judges anything; what they print is in the report.

mod age;
mod columns;
mod fleet;
mod health;
mod kept;
mod listing;
mod nodes;
mod preview;
#[cfg(test)]
mod published;
mod script;
mod style;
mod text;

use headway_core::assess::span;
use jiff::SignedDuration;
use serde::Serialize;

pub(crate) use self::fleet::{Namespaces, fleet};
pub(crate) use self::listing::listing;
pub(crate) use self::preview::preview;
pub(crate) use self::script::script;
pub(crate) use self::style::Colour;
pub(crate) use self::text::text;

/// How much the text tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Details {
    /// Every node, not only the worst.
    pub(crate) nodes: bool,
    /// What there is to say of each insight.
    pub(crate) health: bool,
    /// What updating operators say.
    pub(crate) operators: bool,
}

/// How wide the tables are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Columns {
    /// What a person needs at a glance.
    #[default]
    Usual,
    /// Everything that fits a row (`-o wide`).
    Wide,
}

/// Whose words the text is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Ours.
    #[default]
    Headway,
    /// Those of `oc adm upgrade status`, byte for byte (`--compat oc`).
    Oc,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// How much is told.
    pub(crate) details: Details,
    /// How wide the tables are.
    pub(crate) columns: Columns,
    /// Whose words.
    pub(crate) dialect: Dialect,
    /// Whether words are coloured.
    pub(crate) colour: Colour,
    /// The width that lines are cut to: that of the terminal; `None` when there is none.
    pub(crate) width: Option<usize>,
}

/// A report, or what else is told, as JSON with a line feed at the end.
pub(crate) fn json(report: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}

/// The same as YAML.
pub(crate) fn yaml(report: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_saphyr::to_string(report)?)
}

/// A span in whole seconds: `2m10s`.
pub(crate) fn age(span: SignedDuration) -> String {
    age::short(span::truncated(span, age::SECOND))
}

/// The whole of a text on one line that does nothing to a terminal.
pub(crate) fn clean(text: &str) -> String {
    columns::clean(text)
}

/// The beginning of a text on one line that does nothing to a terminal.
pub(crate) fn line(text: &str) -> String {
    columns::cell(text, usize::MAX)
}
