//! Any set of YAML and JSON files: what an object is, it says itself.

use std::path::PathBuf;

use super::collect::{Collection, Input};
use super::source::Cut;

/// Reads files, in their order.
pub(super) fn read(files: &[PathBuf], all: &mut Collection) {
    let inputs: Vec<Input> = files.iter().map(|path| Input { path: path.clone(), kind: None }).collect();
    all.read_files(&inputs);
}

/// Reads a text that is no file, or what there is of it.
pub(super) fn read_text(place: &str, text: Result<Vec<u8>, Cut>, all: &mut Collection) {
    match text {
        Ok(text) => all.read_text(place, &text, None),
        Err(Cut { before, gap }) => {
            all.gap(*gap);
            if !before.is_empty() {
                all.read_text(place, &before, None);
            }
        }
    }
}
