//! What is kept of objects that are partly wrong.

use crate::object::{Parser, Reading, Route, split};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Node {
    name: String,
    annotations: BTreeMap<String, String>,
    generation: i64,
    paused: bool,
    conditions: Vec<Condition>,
    note: Option<String>,
    ratio: Option<f64>,
    any: Option<serde_json::Value>,
    more: Option<Box<Node>>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
struct Condition {
    r#type: String,
    #[serde(default)]
    status: String,
}

fn read(text: &[u8], parser: Parser) -> Vec<Reading<Node>> {
    split(text, parser).map(|object| object.unwrap_or_else(|problem| panic!("{problem}")).read()).collect()
}

/// Both readers keep `kept` of `text` and name `problems`.
#[track_caller]
fn check(text: &str, kept: Option<Node>, problems: &[&str]) {
    for parser in [Parser::Fast, Parser::Library] {
        let mut readings = read(text.as_bytes(), parser);
        assert_eq!(readings.len(), 1, "of {text}");
        let reading = readings.remove(0);
        assert_eq!(reading.value, kept, "{parser:?} of {text}");
        let named: Vec<_> = reading.problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(named, problems, "{parser:?} of {text}: {:?}", reading.problems);
        assert!(reading.problems.iter().all(|problem| !problem.message.is_empty()));
    }
}

fn node() -> Node {
    Node { name: "a".to_owned(), ..Node::default() }
}

#[test]
fn fields_that_do_not_fit_are_left_out_and_named() {
    check("name: a\n", Some(node()), &[]);
    check("name: a\ngeneration: x\n", Some(node()), &["generation"]);
    check("name: a\npaused: [1]\ngeneration: {}\n", Some(node()), &["paused", "generation"]);
    check("name: a\nannotations:\n- b\n", Some(node()), &["annotations"]);
    check("name: a\nannotations:\n  b.c/d:\n    e: 1\n", Some(node()), &["annotations[\"b.c/d\"]"]);
    check("name: a\nnote: ~\nunknown: [1, {b: c}]\n", Some(node()), &[]);
    check("name: a\nname: b\n", Some(node()), &["name"]);
    check("name: {}\n", Some(Node::default()), &["name"]);
    check("- name: a\n  paused: maybe\n", Some(node()), &["paused"]);
    let ready = || Condition { r#type: "Ready".to_owned(), status: "True".to_owned() };
    let conditions = Node { conditions: vec![ready(), Condition { status: String::new(), ..ready() }], ..node() };
    check(
        "name: a\nconditions:\n- status: x\n- type: Ready\n  status: True\n- 5\n- type: Ready\n  status: []\n",
        Some(conditions),
        &["conditions[0]", "conditions[2]", "conditions[3].status"],
    );
}

#[test]
fn plain_scalars_give_their_text_also_when_something_else_does_not_fit() {
    let annotations = [("a", "5"), ("b", "yes"), ("c", "1e30755"), ("d", "0x1F")];
    let annotations = annotations.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let expect = Node { annotations: BTreeMap::from(annotations), ..node() };
    check(
        "name: a\nannotations:\n  a: 5\n  b: yes\n  c: 1e30755\n  d: 0x1F\ngeneration: x\n",
        Some(expect),
        &["generation"],
    );
}

#[test]
fn problems_speak_plainly_and_give_the_line() {
    let text = "kind: List\nitems:\n- name: a\n- name: b\n  generation: often\n";
    let told: Vec<_> = read(text.as_bytes(), Parser::Fast)
        .iter()
        .flat_map(|reading| reading.problems.iter().map(ToString::to_string))
        .collect();
    assert_eq!(told, ["line 5: generation: should be i64, is string \"often\""]);
}

/// `text` goes the way of `route`, and its problems stand in `lines`; the library does not tell them.
#[track_caller]
fn check_lines(text: &str, route: Route, lines: &[usize]) {
    let reading = &read(text.as_bytes(), Parser::Fast)[0];
    let named: Vec<_> = reading.problems.iter().filter_map(|problem| problem.line).collect();
    assert_eq!(named, lines, "of {text}: {:?}", reading.problems);
    assert_eq!(reading.route, route, "of {text}");
    assert!(reading.value.is_some(), "of {text}");
}

#[test]
fn the_line_is_that_of_the_innermost_field() {
    let list = "name: a\nconditions:\n- type: A\n- type: []\n- type: B\n  status: {}\npaused:\n  # Why not?\n\n  no!\n";
    check_lines(list, Route::Fast, &[4, 4, 6, 7]);
    check_lines("name: a\nmore:\n  more:\n    name: b\n    paused: x\n  name: []\n", Route::Fast, &[5, 6]);
    let json = "{\"name\": \"a\",\n\"conditions\": [\n{\"type\": 5},\n{\"type\": \"A\",\n\"status\": []}],\n\"more\": {\n\"paused\": 1}}";
    check_lines(json, Route::Json, &[3, 3, 5, 7]);
}

#[test]
fn text_outside_of_the_dialect_is_handed_over_also_after_a_field_that_does_not_fit() {
    let rows = [
        ("conditions: [{type: A}]\n", "a flow collection"),
        ("more:\n  name: &b c\n", "an anchor, alias, tag or other indicator"),
        ("more:\n  ratio: .inf\n", "a number that is not finite"),
        ("more:\n  any: 1e400\n", "a number too large"),
    ];
    for (more, reason) in rows {
        check_lines(&format!("name: a\ngeneration: x\n{more}"), Route::HandedOver(reason), &[]);
    }
}

#[test]
fn json_numbers_are_no_texts() {
    let text = br#"{"name": "a", "annotations": {"b": 5, "c": "d"}}"#;
    let reading = &read(text, Parser::Fast)[0];
    assert_eq!(reading.route, Route::Json);
    let kept = reading.value.as_ref().map(|node| node.annotations.len());
    assert_eq!(kept, Some(1));
    assert_eq!(reading.problems[0].to_string(), "line 1: annotations.b: should be a string, is integer `5`");
}

#[test]
fn labels_are_kept_when_another_field_does_not_fit() {
    let text = "metadata:\n  name: a\nspec:\n  nodeSelector:\n    matchLabels:\n      a.b/c: \"\"\n      d: ~\n  paused: maybe\n";
    for parser in [Parser::Fast, Parser::Library] {
        let object = split(text.as_bytes(), parser).next().unwrap().unwrap();
        let reading = object.read::<headway_api::machine_config::MachineConfigPool>();
        let problems: Vec<&str> = reading.problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(problems, ["spec.paused"], "{parser:?}");
        let labels = reading.value.unwrap().spec.node_selector.unwrap().match_labels;
        assert_eq!(labels.iter().collect::<Vec<_>>(), [("a.b/c", ""), ("d", "")], "{parser:?}");
    }
}

#[test]
fn items_that_stand_there_twice_are_all_read() {
    let text = r#"{"kind":"List","items":[{"name":"a"}],"items":null,"items":[{"name":"b"},{"name":"c"}]}"#;
    let names: Vec<_> =
        read(text.as_bytes(), Parser::Fast).into_iter().map(|it| it.value.map(|node| node.name)).collect();
    assert_eq!(names, ["a", "b", "c"].map(|name| Some(name.to_owned())));
}

#[test]
fn a_broken_item_leaves_the_others_alone() {
    let text = "kind: List\nitems:\n- name: a\n- name: &x b\n- name: *x\n- name: 'c\n- name: d\n";
    let readings = read(text.as_bytes(), Parser::Fast);
    let names: Vec<_> = readings.iter().map(|r| r.value.as_ref().map(|n| n.name.as_str())).collect();
    assert_eq!(names, [Some("a"), Some("b"), None, None, Some("d")]);
    let problems: Vec<_> = readings.iter().map(|r| r.problems.len()).collect();
    assert_eq!(problems, [0, 0, 1, 1, 0]);
    assert_eq!(readings[2].problems[0].line, Some(5));
}

#[test]
fn the_beginning_of_a_truncated_object_is_kept() {
    let reading = &read(b"name: a\ngeneration: 3\nconditions:\n- type: Rea\n  status: \"Tr", Parser::Fast)[0];
    let value = reading.value.as_ref().map(|node| (node.name.as_str(), node.generation));
    assert_eq!(value, Some(("a", 3)));
    assert!(!reading.problems.is_empty());
}

#[test]
fn bytes_that_are_not_utf8_are_replaced_and_named() {
    for text in [&b"name: a\xff\n"[..], b"{\"name\": \"a\xff\"}"] {
        let reading = &read(text, Parser::Fast)[0];
        assert_eq!(reading.value.as_ref().map(|node| node.name.as_str()), Some("a\u{fffd}"));
        assert_eq!(reading.problems.len(), 1);
    }
}

#[test]
fn hostile_texts_end_soon() {
    let bomb = {
        let mut text = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for (name, of) in ('b'..='z').zip('a'..) {
            text.push_str(&format!("{name}: &{name} [*{of}, *{of}, *{of}, *{of}, *{of}, *{of}, *{of}, *{of}]\n"));
        }
        text
    };
    let deep = (0..20_000).map(|_| "- ").collect::<String>();
    let texts = [
        bomb,
        deep.clone(),
        format!("name: a\nx: {deep}\n"),
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!("name: {}\n", "x".repeat(2_000_000)),
        format!("name: \"{}\n", "x\\n".repeat(500_000)),
        "- ".to_owned() + &"a: b\n- ".repeat(20_000),
        "---\n".repeat(50_000),
        "\n".repeat(1_000_000),
        "name: x\n".repeat(5_000),
        format!("conditions:\n{}", "- 5\n".repeat(5_000)),
        "\0".repeat(100_000),
        "\r".repeat(100_000),
        "\t".repeat(100_000),
    ];
    for text in texts {
        let start = Instant::now();
        for object in split(text.as_bytes(), Parser::Fast).flatten() {
            let _ = object.read::<Node>();
            let _ = object.read::<serde_json::Value>();
        }
        // Generous, for an unoptimised build on a busy machine.
        let took = start.elapsed();
        let told = text.get(..40).unwrap_or(&text);
        assert!(took < Duration::from_secs(20), "{took:?} for {told:?}");
    }
}
