//! The text of `headway plan --check`.

use std::fmt::{self, Write};

use headway_api::preview::{ClassListing, Listing, ListingFault, Severity};

use super::columns::{cell, lay_out};
use super::preview::not_observed;
use super::style::Tone;
use super::{Columns, Look};

/// The check of version lists as text for people, with a line feed at the end.
pub(crate) fn listing(listing: &Listing, look: &Look) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _: fmt::Result = write_listing(&mut out, listing, look);
    out
}

fn write_listing(out: &mut String, listing: &Listing, look: &Look) -> fmt::Result {
    for (at, class) in listing.classes.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        write_class(out, class, look)?;
    }
    not_observed(out, &listing.gaps, look)
}

fn write_class(out: &mut String, class: &ClassListing, look: &Look) -> fmt::Result {
    let ClassListing { class: name, versions, clusters, faults } = class;
    let count = |severity: Severity| faults.iter().filter(|fault| fault.severity == severity).count();
    let clusters = match clusters.len() {
        0 => "no Cluster of it was seen".to_owned(),
        1 => "1 Cluster of it was seen".to_owned(),
        many => format!("{many} Clusters of it were seen"),
    };
    let (verdict, tone) = match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => ("sound".to_owned(), Tone::Good),
        (0, 1) => ("1 warning".to_owned(), Tone::Warn),
        (0, warnings) => (format!("{warnings} warnings"), Tone::Warn),
        (1, _) => ("1 error".to_owned(), Tone::Bad),
        (errors, _) => (format!("{errors} errors"), Tone::Bad),
    };
    let verdict = look.colour.paint(tone, &verdict);
    writeln!(out, "ClusterClass/{}: {versions} versions, {clusters}: {verdict}", cell(name, usize::MAX))?;
    let mut table = String::new();
    for ListingFault { severity, rule, index: _, message } in faults {
        let tone = match severity {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Warn,
            Severity::Note => Tone::Plain,
        };
        let rule = if look.columns == Columns::Wide { format!("{rule}\t") } else { String::new() };
        let severity = look.colour.paint(tone, &severity.to_string());
        writeln!(table, "{severity}\t{rule}{}", cell(message, usize::MAX))?;
    }
    out.push_str(&lay_out(&table));
    Ok(())
}
