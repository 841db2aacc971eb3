//! What is missing from a text without a trace in any of its objects.

use std::borrow::Cow;

use headway_api::gap::{Gap, GapKind};
use serde::Deserialize;

use super::super::recognize::{Kind, Recognized, recognize};
use super::text::Found;

/// How much of the beginning and of the end of a text is looked at for the outermost keys of a list.
const ENDS: usize = 4_096;

/// Looks for what is lost without a trace in any object: an empty file, a list that was cut off between two items, an
/// empty list.
pub(super) fn look_for_loss(found: &mut Found, text: &[u8], hint: Option<Kind>) {
    look_for_empty_list(found, text, hint);
    let nothing = found.objects.is_empty()
        && found.answers.is_empty()
        && found.gaps.is_empty()
        && found.seen.is_empty()
        && found.others == 0;
    let message = if text.trim_ascii().is_empty() {
        "the file is empty"
    } else if nothing && hint.is_some() {
        "there is no object in it"
    } else if is_cut_list(text) {
        "the list has no kind: it seems to be cut off, and what followed is lost"
    } else {
        return;
    };
    let object = hint.map(|kind| kind.name().to_owned()).unwrap_or_default();
    found.gaps.push(Gap { object, ..Gap::of_place(GapKind::Unreadable, &found.place, message) });
}

/// Whether a text is a YAML list of objects that lost its end. A tool that writes one writes its kind, most of them
/// behind the items: without it the end is missing, though every line that is left may be well.
pub(in crate::gather) fn is_cut_list(text: &[u8]) -> bool {
    let head = text.get(..ENDS.min(text.len())).unwrap_or_default();
    let tail = text.get(text.len().saturating_sub(ENDS)..).unwrap_or_default();
    let lines = [head, tail].map(|part| part.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end));
    let [head, tail] = lines;
    let names_list = |line: &[u8]| {
        let kind = line.strip_prefix(b"kind: ").map(|kind| kind.strip_suffix(b"\"").unwrap_or(kind));
        kind.is_some_and(|kind| kind.ends_with(b"List"))
    };
    head.clone().any(|line| line.starts_with(b"items:")) && !head.chain(tail).any(names_list)
}

/// The kind of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Head {
    kind: String,
}

/// Of which kind a list is that has no items: the part of its own kind before `List`, which may be empty.
pub(in crate::gather) fn kind_of_empty_list(text: &[u8]) -> Option<String> {
    /// An empty list is short.
    const SHORT: usize = 4_096;
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= SHORT)?;
    let Head { kind } = serde_saphyr::from_str::<Head>(text).ok()?;
    kind.strip_suffix("List").map(str::to_owned)
}

/// A list without items gives no object that could be seen, and yet says that there are none of its kind.
fn look_for_empty_list(found: &mut Found, text: &[u8], hint: Option<Kind>) {
    if !found.objects.is_empty() || found.others > 0 || !found.gaps.is_empty() {
        return;
    }
    let Some(of) = kind_of_empty_list(text) else {
        return;
    };
    let named = Cow::Borrowed(of.as_str());
    match recognize(None, Some(&named)) {
        Recognized::Known(kind) | Recognized::OtherVersion(kind) => found.seen.push(kind),
        Recognized::Other | Recognized::Unnamed if of.is_empty() => found.seen.extend(hint),
        Recognized::Other | Recognized::Unnamed => {}
    }
}
