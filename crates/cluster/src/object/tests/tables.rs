//! A row for each feature of the dialect and for each refusal.

use crate::object::fast::{self, Root};
use crate::object::{Parser, library, split};
use serde_json::{Value, json};
use std::marker::PhantomData;

/// Both readers read `text` as `expect`.
#[track_caller]
fn check(text: &str, expect: Value) {
    let fast = fast::read(text, Root::Document, PhantomData::<Value>);
    let fast = fast.unwrap_or_else(|fault| panic!("{fault} at {:?} in {text:?}", fault.offset()));
    assert_eq!(fast, expect, "the fast reader, of {text:?}");
    let library = library::read(text, Root::Document, PhantomData::<Value>);
    let library = library.unwrap_or_else(|error| panic!("{error} in {text:?}"));
    assert_eq!(library, expect, "the library, of {text:?}");
}

/// The fast reader does not want `text`.
#[track_caller]
fn check_refused(text: &str, reason: &str) {
    match fast::read(text, Root::Document, PhantomData::<Value>) {
        Err(fault) if fault.is_outside() => assert_eq!(fault.to_string(), reason, "of {text:?}"),
        other => panic!("{other:?} of {text:?}"),
    }
}

#[test]
fn plain_scalars_mean_what_the_library_says() {
    let rows = [
        ("", json!(null)),
        ("~", json!(null)),
        ("null", json!(null)),
        ("NULL", json!(null)),
        ("nUll", json!("nUll")),
        ("true", json!(true)),
        ("Yes", json!(true)),
        ("off", json!(false)),
        ("y", json!(true)),
        ("yess", json!("yess")),
        ("0", json!(0)),
        ("-0", json!(0)),
        ("+7", json!(7)),
        ("-7", json!(-7)),
        ("007", json!(7.0)),
        ("1_000", json!(1000)),
        ("1__0", json!("1__0")),
        ("0x1F", json!(31)),
        ("-0x10", json!(-16)),
        ("0X1F", json!("0X1F")),
        ("0o17", json!(15)),
        ("0b101", json!(5)),
        ("1.5", json!(1.5)),
        (".5", json!(0.5)),
        ("5.", json!(5.0)),
        ("1e3", json!(1000.0)),
        ("18446744073709551615", json!(u64::MAX)),
        ("18446744073709551616", json!(18446744073709551616.0)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("inf", json!("inf")),
        ("nan", json!("nan")),
        ("4.14.1", json!("4.14.1")),
        ("10Gi", json!("10Gi")),
        ("2026-11-29", json!("2026-11-29")),
        ("+-5", json!("+-5")),
        ("a:b", json!("a:b")),
        ("a#b", json!("a#b")),
        ("-a", json!("-a")),
        ("a - b", json!("a - b")),
        ("\"5\"", json!("5")),
        ("'yes'", json!("yes")),
    ];
    for (text, expect) in rows {
        check(&format!("a: {text}\n"), json!({ "a": expect }));
        check(&format!("- {text}\n"), json!([expect]));
    }
}

#[test]
fn scalars_in_every_style() {
    let rows = [
        ("a: b c \n", json!("b c")),
        ("a: b # c\n", json!("b")),
        ("a: b  #\n", json!("b")),
        ("a:\n  b\n  c\n", json!("b c")),
        ("a: b\n  c\n\n  d\n", json!("b c\nd")),
        ("a: b\n  - c\n", json!("b - c")),
        ("a: 'b''c'\n", json!("b'c")),
        ("a: 'b\n  c\n\n  d'\n", json!("b c\nd")),
        ("a: \"b\\n\\t\\\"\\u00e9\\x41\"\n", json!("b\n\t\"éA")),
        ("a: \"b \n  c\"\n", json!("b c")),
        ("a: \"b\\\n  c\"\n", json!("bc")),
        ("a: \"b\\\n  \\ c\"\n", json!("b c")),
        ("a: \"b\n\n\n  c\"\n", json!("b\n\nc")),
        ("a: \"# b: - c\" # d\n", json!("# b: - c")),
        ("a: |\n  b\n  c\n", json!("b\nc\n")),
        ("a: |-\n  b\n\n", json!("b")),
        ("a: |+\n  b\n\n", json!("b\n\n")),
        ("a: |\n\n  b\n   c\n", json!("\nb\n c\n")),
        ("a: |2-\n   b\n", json!(" b")),
        ("a: |-2\n   b\n", json!(" b")),
        ("a: | # c\n  # b\n", json!("# b\n")),
        ("a: >\n  b\n  c\n\n  d\n", json!("b c\nd\n")),
        ("a: >-\n  b\n    c\n  d\n", json!("b\n  c\nd")),
        ("a: >+\n  b\n\n\n", json!("b\n\n\n")),
        ("a: |\n# c\n", json!("")),
        ("a: |\n  b\n# c\n", json!("b\n")),
        ("a: |-\r\n  b\r\n  c\r\n", json!("b\nc")),
        ("a: b\r\n  c\r\n", json!("b c")),
        ("a: |\n  \tb\n", json!("\tb\n")),
        ("a: \"\tb\"\n", json!("\tb")),
        ("a: 'é 🦀'\n", json!("é 🦀")),
    ];
    for (text, expect) in rows {
        check(text, json!({ "a": expect }));
    }
}

#[test]
fn collections_in_every_form() {
    let rows = [
        ("a: {}\nb: []\n", json!({"a": {}, "b": []})),
        ("a: {} # c\n", json!({"a": {}})),
        ("a:\n- b\n- c\nd: e\n", json!({"a": ["b", "c"], "d": "e"})),
        ("a:\n  - b\n  - c\nd: e\n", json!({"a": ["b", "c"], "d": "e"})),
        ("a:\n- b: 1\n  c: 2\n- d: 3\n", json!({"a": [{"b": 1, "c": 2}, {"d": 3}]})),
        ("a:\n-   b: 1\n    c: 2\n", json!({"a": [{"b": 1, "c": 2}]})),
        ("a:\n-\n  b: 1\n", json!({"a": [{"b": 1}]})),
        ("a:\n- - b\n  - c\n- d\n", json!({"a": [["b", "c"], "d"]})),
        ("a:\n-\n- ~\n", json!({"a": [null, null]})),
        ("a: # c\n  b: 1\n", json!({"a": {"b": 1}})),
        ("# c\n\na: 1\n\n  # c\nb: 2\n# c", json!({"a": 1, "b": 2})),
        ("a:\n# c\n  b: 1\n", json!({"a": {"b": 1}})),
        ("  a: 1\n  b: 2\n", json!({"a": 1, "b": 2})),
        ("'a b': 1\n\"c\\\"\": 2\n", json!({"a b": 1, "c\"": 2})),
        ("a.b/c-d: 1\n5: 2\n", json!({"a.b/c-d": 1, "5": 2})),
        ("a:\nb:\n", json!({"a": null, "b": null})),
        ("a: 1", json!({"a": 1})),
        ("a:\r\n- b\r\n", json!({"a": ["b"]})),
    ];
    for (text, expect) in rows {
        check(text, expect);
    }
}

#[test]
fn what_is_not_certain_is_refused() {
    let indicator = "an anchor, alias, tag or other indicator";
    let deep = (0..70).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect::<String>();
    let rows = [
        ("a: &b c\n", indicator),
        ("a: *b\n", indicator),
        ("a: !!str 5\n", indicator),
        ("a: %b\n", indicator),
        ("a: @b\n", indicator),
        ("a: [b]\n", "a flow collection"),
        ("a: {b: c}\n", "a flow collection"),
        ("? a\n: b\n", indicator),
        ("<<: *a\n", "an unusual key"),
        ("a:\n\tb: c\n", "a tab in the indentation"),
        ("a:\tb\n", "a tab between words"),
        ("a: b\tc\n", "a tab in a plain text"),
        ("a: b\u{85}c\n", "a control character"),
        ("a: \"b\u{2028}c\"\n", "a line or paragraph separator"),
        ("a: b\rc\n", "a control character"),
        ("a: b\u{feff}\n", "a byte order mark inside"),
        ("a: \0\n", "a control character"),
        ("a: 1e30755\n", "a number too large"),
        ("a: .inf\n", "a number that is not finite"),
        ("a: b: c\n", "a colon in a plain text"),
        ("a: b # c\n  d\n", "a comment within a text"),
        ("a: \"b\nc\"\n", "a text that is not indented"),
        ("a: 'b\nc'\n", "a text that is not indented"),
        ("a: \"b\n", "an unfinished text"),
        ("a: \"\\q\"\n", "an unknown escape sequence"),
        ("a: \"\\ud83e\\udd80\"\n", "an escape sequence that is no character"),
        ("a: \"b\" c\n", "text after a value"),
        ("a: - b\n", "a list on the line of its key"),
        ("a: |\n  b\n c\n", "a block text with an outdented line"),
        ("a: |\n  b", "a block text at the end, without a line break"),
        ("a: |+\n\n", "an empty block text that keeps its line breaks"),
        ("a: 1\n  b: 2\n", "a colon in a plain text"),
        ("a:\n    b: 1\n  c: 2\n", "a line too deep"),
        ("null: 1\n", "a special key"),
        ("~: 1\n", "an unusual key"),
        ("a: 1\n---\nb: 2\n", "a document marker inside"),
        ("", "no content"),
        ("a : b\n", "a colon in a plain text"),
        ("a: 1\nb\n", "a line that is not `key: value`"),
        (deep.as_str(), "nested too deep"),
    ];
    for (text, reason) in rows {
        check_refused(text, reason);
    }
    let long = format!("{}: 1\n", "k".repeat(1100));
    check_refused(&long, "a very long key");
}

/// The objects that `text` splits into: kind, apiVersion, line, position in the list.
#[track_caller]
fn check_split(text: &str, expect: &[&str]) {
    for parser in [Parser::Fast, Parser::Library] {
        let found: Vec<String> = split(text.as_bytes(), parser)
            .map(|object| match object {
                Err(problem) => problem.to_string(),
                Ok(object) => format!(
                    "{} {} line {} {}",
                    object.kind.as_deref().unwrap_or("-"),
                    object.api_version.as_deref().unwrap_or("-"),
                    object.line,
                    object.index.map_or("alone".to_owned(), |index| format!("item {index}")),
                ),
            })
            .collect();
        assert_eq!(found, expect, "of {text}");
    }
}

#[test]
fn yaml_is_split_into_objects() {
    check_split("kind: Node\napiVersion: v1\n", &["Node v1 line 1 alone"]);
    check_split("\u{feff}---\r\nkind: Node\r\n", &["Node - line 2 alone"]);
    check_split("", &[]);
    check_split("# nothing\n---\n\n...\n", &[]);
    check_split(
        "kind: A\n---\nkind: B # c\n--- # c\n'kind': \"C\"\n...\nkind: D\n",
        &["A - line 1 alone", "B - line 3 alone", "C - line 5 alone", "D - line 7 alone"],
    );
    check_split(
        "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n- kind: B\n  metadata:\n    kind: X\nkind: List\n",
        &["A v1 line 3 item 0", "B - line 5 item 1"],
    );
    check_split(
        "apiVersion: apps/v1\nitems:\n  # c\n  -\n    metadata:\n      name: a\n\n  - kind: Own\nkind: DeploymentList\nmetadata: {}\n",
        &["Deployment apps/v1 line 4 item 0", "Own - line 8 item 1"],
    );
    check_split("items: []\nkind: NodeList\n", &[]);
    check_split("items:\nkind: NodeList\n", &[]);
    check_split("kind: Recipe\nitems:\n- a\n", &["Recipe - line 1 alone"]);
    check_split("- kind: A\n- kind: B\n", &["A - line 1 item 0", "B - line 2 item 1"]);
    check_split("kind: >-\n  A\napiVersion: !!str v1\n", &["A v1 line 1 alone"]);
    check_split("items: [{kind: A}, {kind: B}]\nkind: List\n", &["A - line 1 item 0", "B - line 1 item 1"]);
    check_split("items: [{name: a}]\nkind: PodList\napiVersion: v1\n", &["Pod v1 line 1 item 0"]);
    check_split("{kind: A, apiVersion: v1}\n", &["A v1 line 1 alone"]);
    check_split("%YAML 1.2\n---\nkind: A\n", &["A - line 1 alone"]);
    check_split("items :\n- kind: A\n\"kind\" : List\n", &["A - line 2 item 0"]);
    check_split("\n\u{feff}- kind: A\n", &["A - line 1 item 0"]);
    check_split("just text\n", &["line 1: a text where an object was expected"]);
}

#[test]
fn json_is_split_into_objects() {
    check_split("{\"kind\": \"A\", \"apiVersion\": \"v1\"}", &["A v1 line 1 alone"]);
    check_split("\n {\"kind\": \"A\"}\n{\"kind\": \"B\"}", &["A - line 2 alone", "B - line 3 alone"]);
    check_split(
        "{\"items\": [\n{\"kind\": \"A\", \"x\": {\"kind\": \"X\"}},\n{},\nnull], \"kind\": \"NodeList\", \"apiVersion\": \"v1\"}",
        &["A - line 2 item 0", "Node v1 line 3 item 1", "line 4: null where an object was expected"],
    );
    check_split("[{\"kind\": \"A\"}, {\"kind\": \"B\"}]", &["A - line 1 item 0", "B - line 1 item 1"]);
    check_split("{\"items\": [], \"kind\": \"List\"}", &[]);
    check_split("{\"items\": [1], \"kind\": \"Recipe\"}", &["Recipe - line 1 alone"]);
    check_split("{\"kind\": \"A\"} trailing", &["A - line 1 alone", "line 1: cannot be read as JSON: expected ident"]);
    check_split(
        "{\"items\": [\n{\"kind\": \"A\"},\n{\"kind\": \"B",
        &["A - line 2 item 0", "line 3: cannot be read as JSON: EOF while parsing a string"],
    );
}
