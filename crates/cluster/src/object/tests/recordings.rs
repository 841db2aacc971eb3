//! Both readers over everything that was recorded.

use crate::object::{Parser, differential, split};
use flate2::read::GzDecoder;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The recordings, when this checkout lies beside them.
fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !shared.is_dir() {
        eprintln!("NOT CHECKED: the recordings are not at {}", shared.display());
        return None;
    }
    Some(shared)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn texts(shared: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = Vec::new();
    for folder in ["fixtures", "cases"] {
        files(&shared.join(folder), &mut paths);
    }
    let mut texts = Vec::new();
    for path in paths {
        let name = path.to_string_lossy().into_owned();
        let mut text = Vec::new();
        if name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json") {
            text = std::fs::read(&path).unwrap();
        } else if name.ends_with(".yaml.gz") {
            let file = std::fs::File::open(&path).unwrap();
            GzDecoder::new(file).read_to_end(&mut text).unwrap();
        } else {
            continue;
        }
        texts.push((path, text));
    }
    texts
}

/// The recorded YAML, if it is at hand.
pub(super) fn yaml() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(shared) = shared() else {
        return Vec::new();
    };
    let mut texts = texts(&shared);
    texts.retain(|(_, text)| !matches!(text.first(), Some(b'{' | b'[')));
    texts
}

#[test]
fn readers_agree_on_all_recordings_and_nothing_is_handed_over() {
    let Some(shared) = shared() else { return };
    let texts = texts(&shared);
    assert!(texts.len() > 300, "only {} recordings found", texts.len());
    let mut known = BTreeSet::new();
    let mut handed_over = BTreeMap::new();
    let mut fast = 0;
    for (path, text) in &texts {
        let seen =
            differential::check_unknown(text, &mut known).unwrap_or_else(|told| panic!("{}: {told}", path.display()));
        let is_yaml = !matches!(text.first(), Some(b'{' | b'['));
        assert!(seen.whole || !is_yaml, "{}: the library cannot read it", path.display());
        fast += seen.fast;
        if !seen.handed_over.is_empty() {
            handed_over.insert(path, seen.handed_over);
        }
        for object in split(text, Parser::Fast) {
            let object = object.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            let reading = object.read::<serde_json::Value>();
            assert!(reading.problems.is_empty(), "{}: {:?}", path.display(), reading.problems);
        }
    }
    assert!(handed_over.is_empty(), "handed over: {handed_over:#?}");
    assert!(fast > 1000, "only {fast} objects went through the fast reader");
}
