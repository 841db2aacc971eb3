//! A recording inside a tar archive, read as it streams by and never unpacked to disk.
//!
//! An archive may come from anybody: entries with a name that leads elsewhere, links and devices are refused by name.
//! Nothing is ever written, so none could do harm; refusing them keeps the answer from resting on them.

use std::io::Read;
use std::path::{Component, Path};

use headway_api::gap::{Gap, GapKind};
use tar::{Archive, EntryType};

use super::collect::{Collection, Found};
use super::folder::is_text;
use super::metered::{Allowance, Metered};
use super::must_gather::{Role, is_of_kept_cluster, kind_of_folder, role_of};
use super::recognize::Kind;
use super::source::{Cut, read_bounded, too_large, unreadable};

/// Reads an archive: a must-gather if it has the folders of one, else any YAML and JSON files.
///
/// # Guarantees
/// The result is that of the same files in a folder: it does not depend on the order of the entries.
pub(super) fn read(place: &str, stream: Box<dyn Read>, all: &mut Collection) {
    let mut reading = Reading { place, all, must_gather: false, batch: Vec::new(), found: Vec::new(), alerts: None };
    walk(place, stream, &mut reading);
    reading.finish();
}

/// Who reads an archive.
pub(super) trait Reader {
    /// Takes in one entry.
    fn entry(&mut self, entry: tar::Entry<'_, Metered<Box<dyn Read>>>);

    /// Takes note of what could not be read.
    fn gap(&mut self, gap: Gap);
}

/// Shows a reader the entries of an archive, one by one.
pub(super) fn walk(place: &str, stream: Box<dyn Read>, reader: &mut impl Reader) {
    let allowance = Allowance::default();
    let mut archive = Archive::new(Metered::new(stream, allowance.clone()));
    let mut entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return reader.gap(unreadable(place, &error)),
    };
    let mut ahead = 0;
    loop {
        // What is left of the entry before is passed over on the way to the next one.
        allowance.set(u64::saturating_add(ahead, HEADERS));
        let entry = match entries.next() {
            None => {
                // An archive ends with a block of zeros; one that was cut off between two entries does not.
                if allowance.has_ended() {
                    let message = "the archive has no end mark: it seems to be cut off, and what followed is lost";
                    reader.gap(Gap::of_place(GapKind::Unreadable, place, message));
                }
                break;
            }
            Some(Ok(entry)) => entry,
            Some(Err(error)) => {
                let message = format!("the archive ends early or is damaged: {error}; what was read before is kept");
                reader.gap(Gap::of_place(GapKind::Unreadable, place, message));
                break;
            }
        };
        let size = entry.size();
        // Padding to whole blocks comes on top.
        allowance.set(size.saturating_add(1024));
        reader.entry(entry);
        ahead = allowance.left();
    }
}

/// How much may stand between two entries: headers, and names too long for them. A path is at most 4 KB long.
const HEADERS: u64 = 1 << 20;

/// How many bytes are read before they are parsed side by side.
const BATCH: usize = 4 << 20;

/// How many bytes an entry is trusted to have before they are there: its header may say anything.
pub(super) const TRUSTED: u64 = 8 << 20;

/// An archive on the way of being read.
struct Reading<'a> {
    place: &'a str,
    all: &'a mut Collection,
    /// Whether it has the folders of a must-gather. Most of what is in one says nothing about an update.
    must_gather: bool,
    /// Texts that wait for being parsed: name, place, text, kind.
    batch: Vec<(String, String, Vec<u8>, Option<Kind>)>,
    /// What was found, by name.
    found: Vec<(String, Found)>,
    /// The answer about alerts alone, which counts only if there is none about rules.
    alerts: Option<(String, Vec<u8>)>,
}

impl Reader for Reading<'_> {
    fn gap(&mut self, gap: Gap) {
        self.all.gap(gap);
    }

    fn entry(&mut self, mut entry: tar::Entry<'_, Metered<Box<dyn Read>>>) {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let shown = format!("{}: {name}", self.place);
        if is_hidden(&name) {
            return;
        }
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            return;
        }
        if let Some(why) = leads_elsewhere(&name) {
            return self.gap(Gap::of_place(GapKind::Refused, shown, why));
        }
        if kind == EntryType::Directory {
            if let Some(kind) = kind_of_folder(&name) {
                self.all.seen(kind);
            }
            return;
        }
        if is_of_kept_cluster(&name) {
            self.all.keeps_others();
        }
        let role = role_of(&name);
        let wanted = role.is_some() || (!self.must_gather && is_text(Path::new(&name)));
        if !matches!(kind, EntryType::Regular | EntryType::Continuous) {
            let link = matches!(kind, EntryType::Symlink | EntryType::Link);
            let message = if link { "refused: a link" } else { "refused: neither a file nor a folder" };
            // What would not have been read in a folder either is told, but nothing is missing without it.
            let wanted = wanted || kind_of_folder(&name).is_some();
            let kind = if wanted { GapKind::Refused } else { GapKind::Optional };
            return self.gap(Gap::of_place(kind, shown, message));
        }
        if role.is_some() && !self.must_gather {
            self.must_gather = true;
            // What came before it is a stranger here.
            self.batch.clear();
            self.found.clear();
        }
        if !wanted {
            return;
        }
        let limits = self.all.limits();
        let size = entry.size();
        if size > limits.max_file_size {
            return self.all.gap(too_large(&shown, &limits));
        }
        let expected = usize::try_from(size.min(TRUSTED)).unwrap_or(0);
        let text = match read_bounded(&mut entry, expected, &shown, &limits) {
            Ok(text) => text,
            Err(Cut { before, gap }) => {
                self.all.gap(*gap);
                before
            }
        };
        if text.is_empty() && size > 0 {
            return;
        }
        match role {
            Some(Role::Timestamp) => self.all.timestamp(&shown, &text),
            Some(Role::Rules) => self.all.read_text(&shown, &text, None),
            Some(Role::Alerts) => {
                self.alerts.get_or_insert((shown, text));
            }
            Some(Role::Objects(kind)) => {
                self.all.seen(kind);
                self.batch.push((name, shown, text, Some(kind)));
            }
            None => self.batch.push((name, shown, text, None)),
        }
        if self.batch.iter().map(|(_, _, text, _)| text.len()).sum::<usize>() > BATCH {
            self.parse_batch();
        }
    }
}

impl Reading<'_> {
    fn parse_batch(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        let (names, texts): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|(name, place, text, kind)| (name, (place, text, kind))).unzip();
        self.found.extend(names.into_iter().zip(self.all.parse(&texts)));
    }

    /// Puts together what was found, in the order of the names, as in a folder.
    fn finish(mut self) {
        self.parse_batch();
        self.found.sort_by(|(a, _), (b, _)| Path::new(a).cmp(Path::new(b)));
        for (_, found) in self.found {
            self.all.add(found);
        }
        if let Some((place, text)) = self.alerts.filter(|_| !self.all.has_alerts()) {
            self.all.read_text(&place, &text, None);
        }
        if self.must_gather {
            self.all.no_alerts("alerts not in this must-gather".into());
        }
    }
}

/// Whether a name has a hidden part, which folders are read without too; some packers leave such files of their own.
pub(super) fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') && !matches!(part, "." | ".."))
}

/// Why an entry's name is refused.
pub(super) fn leads_elsewhere(name: &str) -> Option<&'static str> {
    let mut parts = Path::new(name).components();
    if name.starts_with('/') || name.contains('\\') {
        return Some("refused: an absolute or foreign path");
    }
    parts
        .any(|part| matches!(part, Component::ParentDir | Component::RootDir | Component::Prefix(_)))
        .then_some("refused: the path leads out of the archive")
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
