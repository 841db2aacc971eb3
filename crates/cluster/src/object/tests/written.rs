//! Random objects, written in the dialect and read back by both readers.

use super::writer::Writer;
use crate::object::reading::Route;
use crate::object::{Parser, differential, split};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Texts that look like something else, or end or start in a special way.
const ODD: &[&str] = &[
    "",
    " ",
    "yes",
    "No",
    "on",
    "y",
    "true",
    "null",
    "~",
    "1e3",
    "0x1F",
    "1_000",
    "007",
    "+5",
    "-0",
    "1.5",
    ".5",
    "5.",
    "1e30755",
    ".inf",
    ".nan",
    "- a",
    "-",
    "--- a",
    "# x",
    "a # x",
    "a #",
    "#",
    ": ",
    ":",
    "a: b",
    "a:",
    "a:b",
    "? x",
    "& a",
    "*a",
    "!a",
    "%a",
    "@a",
    "`a`",
    "{}",
    "[]",
    "{a: b}",
    "[a]",
    "|",
    ">",
    "|-",
    "'",
    "''",
    "\"",
    "\\",
    "it's",
    "a \"b\" c",
    " a",
    "a ",
    "  a  ",
    "a\n",
    "a\nb",
    "a\n\nb\n",
    "\na",
    "a\n\n",
    "a\n  b\nc\n",
    "  a\nb\n",
    "a\tb",
    "\ta",
    "a\t",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "\u{1b}",
    "é",
    "日本 語",
    "🦀 crab",
    "2026-11-29T10:00:00Z",
    "10Gi",
    "500m",
    "4.14.1",
    "10.0.0.1",
    "<<",
    "=",
    "a,b",
    "node-role.kubernetes.io/worker",
    "Cluster version is 4.14.1",
    "a  b",
    "a b c d e f g",
    "one: two # three",
    "x \\ y",
    "ends with backslash\\",
    "---",
    "...",
    "a\r\nb",
    "\r",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(ODD).prop_map(str::to_owned),
        2 => "[a-zA-Z][a-zA-Z0-9 .,:/#'\"-]{0,40}",
        1 => "[ -~\u{e9}\u{4e00}\u{1f980}\n\t]{0,30}",
        1 => "([a-z]{1,9} ){1,30}[a-z]{1,9}",
        1 => any::<String>(),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z][a-zA-Z0-9]{0,12}",
        1 => "[a-z]{1,8}\\.[a-z]{1,5}/[a-z]{1,9}",
        1 => prop::sample::select(ODD).prop_map(str::to_owned),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_filter("JSON has finite numbers only", |n| n.is_finite()).prop_map(Value::from),
        6 => text().prop_map(Value::from),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..5).prop_map(Value::from),
            2 => vec((key(), inner), 0..6).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Map<String, Value>> {
    (vec((key(), tree()), 0..5), prop::sample::select(&["Node", "Pod", "ClusterVersion"][..])).prop_map(
        |(entries, kind)| {
            let mut object = Map::new();
            object.insert("apiVersion".to_owned(), json!("v1"));
            object.insert("kind".to_owned(), json!(kind));
            for (key, value) in entries {
                if !matches!(key.as_str(), "items" | "kind" | "apiVersion") {
                    object.insert(key, value);
                }
            }
            object
        },
    )
}

/// Ways to put objects into one text.
fn write(objects: &[Map<String, Value>], choices: &[u8]) -> String {
    let mut writer = Writer::new(choices);
    let form = writer.pick(4);
    if writer.pick(10) == 0 {
        writer.raw("\u{feff}");
    }
    let items: Vec<Value> = objects.iter().cloned().map(Value::Object).collect();
    let mut list = Map::new();
    match form {
        0 => {
            for object in objects {
                writer.noise();
                let marker = ["---", "--- # next"][writer.pick(2)];
                writer.raw(marker);
                writer.end_line();
                writer.map(object, 0, false);
                if writer.pick(5) == 0 {
                    writer.raw("...");
                    writer.end_line();
                }
            }
        }
        1 => {
            list.insert("apiVersion".to_owned(), json!("v1"));
            list.insert("items".to_owned(), json!(items));
            list.insert("kind".to_owned(), json!("List"));
            list.insert("metadata".to_owned(), json!({"resourceVersion": ""}));
            writer.map(&list, 0, false);
        }
        2 => {
            list.insert("kind".to_owned(), json!("ThingList"));
            list.insert("items".to_owned(), json!(items));
            writer.map(&list, 0, false);
        }
        _ => writer.list(&items, 0, false),
    }
    writer.finish()
}

proptest! {
    #[test]
    fn what_was_written_is_read(objects in vec(object(), 1..4), choices in vec(any::<u8>(), 1..200)) {
        let text = write(&objects, &choices);
        let told = || format!("in\n{text}");
        let expected: Vec<Value> = objects.into_iter().map(Value::Object).collect();
        for parser in [Parser::Fast, Parser::Library] {
            let mut read = Vec::new();
            for object in split(text.as_bytes(), parser) {
                let object = object.map_err(|problem| TestCaseError::fail(format!("{problem} {}", told())))?;
                let reading = object.read::<Value>();
                prop_assert!(reading.problems.is_empty(), "{:?} {}", reading.problems, told());
                let value = reading.value.unwrap_or_default();
                prop_assert_eq!(object.kind.as_deref(), value["kind"].as_str(), "{}", told());
                prop_assert_eq!(object.api_version.as_deref(), value["apiVersion"].as_str(), "{}", told());
                let wanted = match parser {
                    Parser::Fast => Route::Fast,
                    Parser::Library => Route::Library,
                };
                prop_assert_eq!(reading.route, wanted, "{}", told());
                read.push(value);
            }
            prop_assert_eq!(&read, &expected, "{}", told());
        }
        differential::check(text.as_bytes()).map_err(TestCaseError::fail)?;
    }
}
