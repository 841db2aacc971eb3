//! Checks that the two readers agree: called by the tests and by the fuzz target.

use super::fast::{self, Fault, Root};
use super::{Parser, RawObject, Source, library, split};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

/// What one check saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Objects that the fast reader read.
    pub fast: u64,
    /// Why it handed each of the others over.
    pub handed_over: Vec<&'static str>,
    /// Whether the library could read the whole text, so that the splitting was compared too.
    pub whole: bool,
}

/// A slice with something of every form, which leaves most of an object unread.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Slice {
    api_version: Option<String>,
    kind: Option<String>,
    metadata: Option<Metadata>,
    spec: Option<Spec>,
    status: Option<Status>,
    data: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metadata {
    name: Option<String>,
    annotations: Option<BTreeMap<String, Option<String>>>,
    generation: Option<i64>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Spec {
    unschedulable: Option<bool>,
    paused: Option<bool>,
    replicas: Option<u32>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Status {
    conditions: Option<Vec<Condition>>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Condition {
    r#type: Option<String>,
    message: Option<String>,
}

/// Compares the readers on `text`.
///
/// # Errors
/// A description of the first disagreement.
pub fn check(text: &[u8]) -> Result<Seen, String> {
    check_unknown(text, &mut BTreeSet::new())
}

/// Compares the readers on `text`, except on objects whose text is in `known` already; adds the
/// others to it. Recordings of one cluster over time hold most objects many times.
///
/// # Errors
/// As [`check`].
pub fn check_unknown(text: &[u8], known: &mut BTreeSet<Vec<u8>>) -> Result<Seen, String> {
    let mut seen = Seen::default();
    let mut values = Vec::new();
    let mut intact = true;
    for object in split(text, Parser::Fast) {
        let Ok(object) = object else {
            intact = false;
            continue;
        };
        if let Source::Yaml { text, .. } = &object.source
            && known.insert(text.to_vec())
        {
            check_object(&object, &mut seen)?;
            // Only that it ends: what it gives was compared.
            let _ = object.read::<Slice>();
        }
        let reading = object.read::<Value>();
        intact &= reading.problems.is_empty();
        values.push(reading.value.unwrap_or_default());
    }
    let Some(whole) = whole(text) else {
        return Ok(seen);
    };
    seen.whole = true;
    if intact && values != whole {
        return Err(format!("split into\n{values:?}\nbut as a whole it is\n{whole:?}"));
    }
    Ok(seen)
}

fn check_object(object: &RawObject<'_>, seen: &mut Seen) -> Result<(), String> {
    let Source::Yaml { text, root } = &object.source else {
        return Ok(());
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return Ok(());
    };
    let fast = fast::read(text, *root, PhantomData::<Value>);
    let library = library::read(text, *root, PhantomData::<Value>);
    match (&fast, &library) {
        (Err(fault), _) if fault.is_outside() => seen.handed_over.push(reason(fault)),
        (Ok(fast), Ok(library)) if fast == library => seen.fast += 1,
        (Ok(_) | Err(_), _) => {
            return Err(format!(
                "line {}: the fast reader says\n{fast:#?}\nbut the library says\n{library:#?}\nof\n{text}",
                object.line
            ));
        }
    }
    check_slice(text, *root)
}

/// What is skipped must not change what is read.
fn check_slice(text: &str, root: Root) -> Result<(), String> {
    let fast = fast::read(text, root, PhantomData::<Slice>);
    let Ok(library) = library::read(text, root, PhantomData::<Slice>) else {
        return Ok(());
    };
    match fast {
        Err(fault) if fault.is_outside() => Ok(()),
        Ok(fast) if fast == library => Ok(()),
        fast => Err(format!("the fast reader reads the slice\n{fast:#?}\nbut the library\n{library:#?}\nof\n{text}")),
    }
}

fn reason(fault: &Fault) -> &'static str {
    match fault.cause() {
        fast::Cause::Outside(reason) => reason,
        fast::Cause::Unfit(_) => "does not fit",
    }
}

/// The objects as the library alone finds them, if it can read the whole text.
fn whole(text: &[u8]) -> Option<Vec<Value>> {
    let text = std::str::from_utf8(text).ok()?;
    let documents: Vec<Value> = library::documents(text).ok()?;
    let mut objects = Vec::new();
    for document in documents {
        match document {
            Value::Array(items) => objects.extend(items),
            Value::Object(mut fields) => {
                let kind = fields.get("kind").and_then(Value::as_str);
                let is_list = kind.is_none_or(|kind| kind.ends_with("List"));
                match fields.get_mut("items") {
                    Some(Value::Array(items)) if is_list => objects.append(items),
                    Some(Value::Null) if is_list => {}
                    Some(_) | None => objects.push(Value::Object(fields)),
                }
            }
            other => objects.push(other),
        }
    }
    Some(objects)
}
