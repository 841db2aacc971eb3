//! Any set of YAML and JSON files: what an object is, it says itself.

use std::fs;
use std::path::{Path, PathBuf};

use headway_api::gap::Gap;

use super::collect::{Collection, Input};

/// How deep folders are looked into. Recordings are not deeper; a folder that contains itself is.
const DEPTH: usize = 16;

/// Reads files, in their order.
pub(super) fn read(files: &[PathBuf], all: &mut Collection) {
    let inputs: Vec<Input> = files.iter().map(|path| Input { path: path.clone(), kind: None }).collect();
    all.read_files(&inputs);
}

/// Reads a text that is no file.
pub(super) fn read_text(place: &str, text: &Result<Vec<u8>, Gap>, all: &mut Collection) {
    match text {
        Ok(text) => all.read_text(place, text, None),
        Err(gap) => all.gap(gap.clone()),
    }
}

/// The YAML and JSON files below a folder, in the order of their names.
pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(folder, DEPTH, &mut found);
    found
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for (path, is_folder) in entries(folder) {
        if is_folder && depth > 0 {
            walk(&path, depth - 1, found);
        } else if !is_folder && is_text(&path) {
            found.push(path);
        }
    }
}

/// The visible entries of a folder in the order of their names, and whether they are folders. A link to a folder is
/// not followed; a folder that cannot be read is empty.
pub(super) fn entries(folder: &Path) -> Vec<(PathBuf, bool)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut all: Vec<(PathBuf, bool)> = entries
        .filter_map(Result::ok)
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| (entry.path(), entry.file_type().is_ok_and(|kind| kind.is_dir())))
        .collect();
    all.sort();
    all
}

/// Whether a file's name says that it holds objects.
pub(super) fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| matches!(extension.to_str(), Some("yaml" | "yml" | "json")))
}
