//! A recording inside a tar archive, read as it streams by and never unpacked to disk.
//!
//! An archive may come from anybody: entries with a name that leads elsewhere, links and devices are refused by name.
//! Nothing is ever written, so none could do harm; refusing them keeps the answer from resting on them.

use std::io::Read;
use std::path::{Component, Path};

use headway_api::gap::{Gap, GapKind};
use tar::{Archive, EntryType};

use super::collect::Collection;
use super::must_gather::{Role, role_of};
use super::plain::is_text;
use super::source::{read_bounded, too_large, unreadable};

/// Reads an archive: a must-gather if it has the folders of one, else any YAML and JSON files.
pub(super) fn read(place: &str, stream: Box<dyn Read>, all: &mut Collection) {
    let mut archive = Archive::new(stream);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return all.gap(unreadable(place, &error)),
    };
    let limits = all.limits();
    let mut batch = Vec::new();
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                all.gap(Gap::of_place(
                    GapKind::Unreadable,
                    place,
                    format!("the archive ends early or is damaged: {error}; what was read before is kept"),
                ));
                break;
            }
        };
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let shown = format!("{place}: {name}");
        match entry.header().entry_type() {
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Symlink | EntryType::Link => {
                all.gap(Gap::of_place(GapKind::Refused, shown, "refused: a link"));
                continue;
            }
            _ => {
                all.gap(Gap::of_place(GapKind::Refused, shown, "refused: neither a file nor a folder"));
                continue;
            }
        }
        if let Some(why) = leads_elsewhere(&name) {
            all.gap(Gap::of_place(GapKind::Refused, shown, why));
            continue;
        }
        let role = role_of(&name);
        if role.is_none() && !(is_text(Path::new(&name)) && is_outside_of_must_gathers(&name)) {
            continue;
        }
        let size = entry.size();
        if size > limits.max_file_size {
            all.gap(too_large(&shown, &limits));
            continue;
        }
        match read_bounded(&mut entry, usize::try_from(size).unwrap_or(0), &shown, &limits) {
            Err(gap) => all.gap(gap),
            Ok(text) => match role {
                Some(Role::Timestamp) => all.timestamp(&shown, &text),
                Some(Role::Rules | Role::Alerts) => all.read_text(&shown, &text, None),
                Some(Role::Objects(kind)) => {
                    all.seen(kind);
                    batch.push((shown, text, Some(kind)));
                }
                None => batch.push((shown, text, None)),
            },
        }
        if batch.iter().map(|(_, text, _)| text.len()).sum::<usize>() > BATCH {
            all.read_texts(&std::mem::take(&mut batch));
        }
    }
    all.read_texts(&batch);
    all.no_alerts("alerts not in this archive".into());
}

/// How many bytes are read before they are parsed side by side.
const BATCH: usize = 4 << 20;

/// Why an entry's name is refused.
fn leads_elsewhere(name: &str) -> Option<&'static str> {
    let mut parts = Path::new(name).components();
    if name.starts_with('/') || name.contains('\\') {
        return Some("refused: an absolute or foreign path");
    }
    parts
        .any(|part| matches!(part, Component::ParentDir | Component::RootDir | Component::Prefix(_)))
        .then_some("refused: the path leads out of the archive")
}

/// Whether an entry is no part of a must-gather: most of what is in one says nothing about an update.
fn is_outside_of_must_gathers(name: &str) -> bool {
    !name.split('/').any(|part| {
        matches!(part, "cluster-scoped-resources" | "namespaces" | "monitoring" | "host_service_logs" | "audit_logs")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let check = |name: &str, refused: bool| assert_eq!(leads_elsewhere(name).is_some(), refused, "{name}");
        check("a/b.yaml", false);
        check("./a/b.yaml", false);
        check("a/../b.yaml", true);
        check("../b.yaml", true);
        check("/etc/passwd", true);
        check("c:\\b.yaml", true);
        check("a..b/c.yaml", false);
    }
}
