//! Looking into folders: what is in them, and what of it could not be seen.
//!
//! A recording may come from anybody, and a folder may hold anything: links in circles, pipes that nobody writes to,
//! folders that may not be read. None of it is followed, waited for or dropped in silence.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};

use super::source::{shown, unreadable};

/// How deep folders are looked into: far deeper than any recording, and within the stack of a thread.
const DEPTH: usize = 256;

/// Looks into folders below a top one.
pub(super) struct Folders {
    /// The top, without links, so that links into it can be told.
    top: Option<PathBuf>,
    /// What could not be seen.
    pub(super) gaps: Vec<Gap>,
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
}

impl Folders {
    pub(super) fn below(top: &Path) -> Self {
        Self { top: top.canonicalize().ok(), gaps: Vec::new() }
    }

    /// The visible entries of a folder in the order of their names; none when it is not there.
    ///
    /// A link to a folder is not followed, and is a gap unless it leads to where is looked anyway.
    pub(super) fn entries(&mut self, folder: &Path) -> Vec<Entry> {
        let listed = match fs::read_dir(folder) {
            Ok(listed) => listed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.gaps.push(unreadable(&shown(folder), &error));
                return Vec::new();
            }
        };
        let mut all = Vec::new();
        for entry in listed {
            match entry {
                Ok(entry) if is_hidden(&entry) => {}
                Ok(entry) => all.extend(self.entry(&entry)),
                Err(error) => self.gaps.push(unreadable(&shown(folder), &error)),
            }
        }
        // In one folder the order of paths is that of their bytes; comparing them part by part takes far longer.
        all.sort_by(|a: &Entry, b: &Entry| a.path.as_os_str().cmp(b.path.as_os_str()));
        all
    }

    fn entry(&mut self, entry: &DirEntry) -> Option<Entry> {
        let path = entry.path();
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                self.gaps.push(unreadable(&shown(&path), &error));
                return None;
            }
        };
        if kind.is_symlink() && path.is_dir() {
            let within = match (&self.top, path.canonicalize()) {
                (Some(top), Ok(target)) => target.starts_with(top) && target != *top,
                _ => false,
            };
            if !within {
                let message = "refused: a link to a folder, which is not followed";
                self.gaps.push(Gap::of_place(GapKind::Refused, shown(&path), message));
            }
            return None;
        }
        Some(Entry { path, is_folder: kind.is_dir() })
    }

    /// The YAML and JSON files at any depth, in the order of their names.
    pub(super) fn texts(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.walk(folder, DEPTH, &mut found);
        found
    }

    fn walk(&mut self, folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
        let Some(depth) = depth.checked_sub(1) else {
            let message = format!("refused: more than {DEPTH} folders deep");
            self.gaps.push(Gap::of_place(GapKind::Refused, shown(folder), message));
            return;
        };
        for Entry { path, is_folder } in self.entries(folder) {
            if is_folder {
                self.walk(&path, depth, found);
            } else if is_text(&path) {
                found.push(path);
            }
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Whether a file's name says that it holds objects.
pub(super) fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| matches!(extension.to_str(), Some("yaml" | "yml" | "json")))
}

/// Whether something is at a path that should be read as a file, be it a link that leads nowhere.
pub(super) fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok() && !path.is_dir()
}
