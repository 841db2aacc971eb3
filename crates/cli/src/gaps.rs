//! What was not observed, on standard error.

use headway_api::gap::Gap;

use crate::{output, render};

/// How many gaps are told one by one.
const TOLD: usize = 20;

/// Where the serious gaps are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Serious {
    /// The text for people lists them itself; they are not told twice on one screen.
    ToldInTheText,
    /// Nowhere else.
    Untold,
}

/// Tells of gaps, the serious ones first.
pub(crate) fn remark(gaps: &[Gap], serious: Serious) {
    let (grave, minor): (Vec<_>, Vec<_>) = gaps.iter().partition(|gap| gap.kind.is_serious());
    let grave = if serious == Serious::Untold { grave } else { Vec::new() };
    for gap in grave.iter().chain(&minor).take(TOLD) {
        let word = if gap.kind.is_serious() { "warning" } else { "note" };
        output::remark(&format!("{word}: {}", render::line(&gap.to_string())));
    }
    let more = (grave.len() + minor.len()).saturating_sub(TOLD);
    if more > 0 {
        output::remark(&format!("note: {more} more gaps; -o json lists all"));
    }
}
