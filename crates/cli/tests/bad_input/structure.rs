//! Damage that is meant: fields removed or of another type one by one, and texts made to exhaust.

use std::fmt::Write;

use headway_api::gap::GapKind;
use headway_api::report::{Outcome, Report};
use serde_json::{Value, json};

use super::judging::{check, run};
use super::originals::{Original, written};
use super::texts::whole;

/// Every path of a tree, deepest last.
fn paths(value: &Value, here: &str, all: &mut Vec<String>) {
    let below = |key: &str| format!("{here}/{}", key.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                all.push(below(key));
                paths(value, &below(key), all);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                all.push(below(&at.to_string()));
                paths(value, &below(&at.to_string()), all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Calls with each file of each recording as a tree, and each path in it.
fn for_each_path(mut judge: impl FnMut(&Original, Outcome, usize, &Value, &str)) {
    // Of the one that is done, nothing could be mistaken for success: it is one.
    for original in &written()[1..] {
        let whole = whole(original);
        for (file, (_, text)) in original.files.iter().enumerate() {
            let tree: Value = serde_saphyr::from_str(std::str::from_utf8(text).unwrap()).unwrap();
            let mut all = Vec::new();
            paths(&tree, "", &mut all);
            for path in &all {
                judge(original, whole, file, &tree, path);
            }
        }
    }
}

fn parent(path: &str) -> (&str, String) {
    let (parent, key) = path.rsplit_once('/').unwrap();
    (parent, key.replace("~1", "/").replace("~0", "~"))
}

#[test]
fn no_single_lost_field_is_success() {
    for_each_path(|original, whole, file, tree, path| {
        let mut damaged = tree.clone();
        let (above, key) = parent(path);
        let removed_item = match damaged.pointer_mut(above).unwrap() {
            Value::Object(fields) => fields.remove(&key).is_none(),
            Value::Array(items) => {
                items.remove(key.parse().unwrap());
                true
            }
            _ => true,
        };
        // An item less is another cluster, not a damaged one.
        if !removed_item {
            let text = damaged.to_string().into_bytes();
            let what = format!("{}: {} without {path}", original.name, original.files[file].0);
            drop(check(&original.with(file, text), whole, &what));
        }
    });
}

#[test]
fn no_single_field_of_another_type_is_success() {
    let mut told = 0;
    for_each_path(|original, whole, file, tree, path| {
        let others = [json!(7), json!("a text"), json!([]), json!(["x"]), json!({}), json!({"x": 1}), json!(true)];
        let now = tree.pointer(path).unwrap();
        // One other type a path, each in its turn, keeps the time in bounds.
        let mut candidates =
            others.iter().filter(|other| std::mem::discriminant(*other) != std::mem::discriminant(now));
        let at = path.len() % 4;
        let other = candidates.nth(at).unwrap();
        let mut damaged = tree.clone();
        *damaged.pointer_mut(path).unwrap() = other.clone();
        let place = &original.files[file].0;
        let what = format!("{}: {place} with {path} = {other}", original.name);
        let report = check(&original.with(file, damaged.to_string().into_bytes()), whole, &what);
        if let Ok(report) = report {
            told += usize::from(report.gaps.iter().any(|gap| gap.place.contains(place) && !gap.object.is_empty()));
        }
    });
    assert!(told > 200, "{told} gaps name the file and the object");
}

/// Judges our recording with another file of nodes.
fn with_nodes(original: &Original, text: impl Into<Vec<u8>>, what: &str) -> Result<Report, String> {
    let file = original.files.iter().position(|(name, _)| name == "x-node.yaml").unwrap();
    let damaged = original.with(file, text.into());
    run(&damaged, what);
    check(&damaged, whole(original), what)
}

#[test]
fn texts_that_are_made_to_exhaust_are_told_by_name() {
    let done = &written()[0];
    let check = |what: &str, text: Vec<u8>| {
        let report = with_nodes(done, text, what).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(report.outcome, Outcome::CannotTell, "{what}");
        let serious: Vec<_> = report.gaps.iter().filter(|gap| gap.kind.is_serious()).collect();
        assert!(serious.iter().any(|gap| gap.place.contains("x-node.yaml")), "{what}: {serious:?}");
        assert!(serious.iter().all(|gap| gap.message.len() < 1_000), "{what}: messages are short");
    };
    let node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: w-9\n";
    let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (one, next) in "abcdefgh".chars().zip("bcdefghi".chars()) {
        writeln!(bomb, "{next}: &{next} [*{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}]").unwrap();
    }
    check("a bomb of aliases", format!("{bomb}{node}  labels: *i\n").into_bytes());
    check("a bomb of aliases in place of a list", format!("{bomb}items: *i\nkind: NodeList\n").into_bytes());
    check("merge keys", format!("{node}  labels:\n    <<: [*x, *x]\n").into_bytes());
    check("deep flow", format!("{node}status:\n  conditions: {}\n", "[".repeat(50_000)).into_bytes());
    check("deep flow that ends", format!("{node}status: {}{}\n", "[".repeat(9_000), "]".repeat(9_000)).into_bytes());
    check("deep JSON", format!("{}{}", "{\"a\":".repeat(50_000), "}".repeat(50_000)).into_bytes());
    check("deep lists", "[".repeat(100_000).into_bytes());
    check("one long line of nothing", vec![b'x'; 5 << 20]);
    check("one long line of brackets", b"[{".repeat(1 << 20));
    check("zeros", vec![0; 1 << 20]);
    check("random bytes", (0..200_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect());
}

#[test]
fn large_but_well_is_read() {
    let done = &written()[0];
    let list = String::from_utf8(done.files[4].1.clone()).unwrap();
    let check = |what: &str, text: String| {
        let report = with_nodes(done, text, what).unwrap();
        let serious: Vec<_> = report.gaps.iter().filter(|gap| gap.kind.is_serious()).collect();
        assert!(serious.is_empty(), "{what}: {serious:?}");
        assert_eq!((report.outcome, report.units.len()), (Outcome::NotUpdating, 3), "{what}");
    };
    let long = "x".repeat(5 << 20);
    check("a label of 5 MB", list.replacen("labels:\n", &format!("labels:\n      long: {long}\n"), 1));
    check("a field of 5 MB that nobody reads", list.replacen("spec: {}", &format!("spec:\n    x: \"{long}\""), 1));
    check("a JSON line of 5 MB", {
        let mut tree: Value = serde_saphyr::from_str(&list).unwrap();
        tree["items"][0]["status"]["x"] = long.into();
        tree.to_string()
    });
    let deep: String = (0..60).map(|at| format!("{}d:\n", "  ".repeat(at + 2))).collect();
    check("a deep field that nobody reads", list.replacen("  spec: {}\n", &format!("  spec:\n{deep}"), 1));
    check("comments and blank lines", list.replace("\n- ", "\n# a comment\n\n- "));
}

#[test]
fn an_object_twice_is_told_and_a_key_twice_too() {
    let done = &written()[0];
    let list = String::from_utf8(done.files[4].1.clone()).unwrap();
    let gap = |text: String, kind: GapKind, says: &[&str]| {
        let report = with_nodes(done, text, says[0]).unwrap();
        let told = |gap: &headway_api::gap::Gap| gap.kind == kind && says.iter().all(|s| gap.to_string().contains(s));
        assert!(report.gaps.iter().any(told), "{says:?}: {:#?}", report.gaps);
    };
    let first = list.find("- apiVersion").unwrap();
    let second = first + 2 + list[first + 2..].find("- apiVersion").unwrap();
    let item = &list[first..second];
    let same = with_nodes(done, list.replacen(item, &item.repeat(2), 1), "the same twice").unwrap();
    assert_eq!((same.outcome, same.units.len()), (Outcome::NotUpdating, 3));
    let other = item.replace("state: Done", "state: Working");
    gap(list.replacen(item, &format!("{item}{other}"), 1), GapKind::Duplicate, &["Node/cp-0", "x-node.yaml", "too"]);
    let twice = "    name: cp-0\n    name: cp-9\n";
    gap(list.replacen("    name: cp-0\n", twice, 1), GapKind::Field, &["Node/cp-0", "metadata.name", "more than once"]);
    gap(
        list.replace("apiVersion: v1\n  kind: Node", "apiVersion: v7\n  kind: Node"),
        GapKind::Field,
        &["Node/w-1", "apiVersion", "v7 is not a version that is known"],
    );
}
