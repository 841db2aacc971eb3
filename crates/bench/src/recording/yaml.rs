//! Prints an object as `kubectl get -o yaml` would: keys sorted, lists flush with their key, long lines unbroken.
//!
//! Only for making test data. How a single value is quoted is the business of [`scalar`].

use serde_json::{Map, Value};

mod scalar;

/// One object as a whole document.
pub(crate) fn document(object: &Value) -> String {
    let mut out = String::new();
    block(&mut out, object, 0);
    out
}

/// One object as an item of a list that is flush with the left margin.
pub(crate) fn list_item(object: &Value) -> String {
    let mut out = String::from("- ");
    block(&mut out, object, 2);
    out
}

/// A value whose first character goes where the text stands; following lines start at `column`.
fn block(out: &mut String, value: &Value, column: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => mapping(out, fields, column),
        Value::Array(items) if !items.is_empty() => sequence(out, items, column),
        // Text of several lines is indented from what holds it, which is two columns to the left.
        single => scalar::write(out, single, column.saturating_sub(2)),
    }
}

fn mapping(out: &mut String, fields: &Map<String, Value>, column: usize) {
    // Sorted here, because another crate of the build may turn on serde_json's `preserve_order`.
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_key(|(name, _)| *name);
    for (index, (name, value)) in fields.into_iter().enumerate() {
        if index > 0 {
            indent(out, column);
        }
        scalar::write_key(out, name);
        out.push(':');
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                out.push('\n');
                indent(out, column + 2);
                mapping(out, inner, column + 2);
            }
            Value::Array(items) if !items.is_empty() => {
                out.push('\n');
                indent(out, column);
                sequence(out, items, column);
            }
            single => {
                out.push(' ');
                scalar::write(out, single, column);
            }
        }
    }
}

fn sequence(out: &mut String, items: &[Value], column: usize) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            indent(out, column);
        }
        out.push_str("- ");
        block(out, item, column + 2);
    }
}

fn indent(out: &mut String, column: usize) {
    out.extend(std::iter::repeat_n(' ', column));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{document, list_item};

    /// Printed as expected, and read back as the same value by a parser that is not ours.
    fn check(value: &Value, expect: &str) {
        assert_eq!(document(value), expect);
        read_back(value);
    }

    fn read_back(value: &Value) {
        let text = document(value);
        let read: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(&read, value, "{text}");
    }

    #[test]
    fn collections() {
        check(&json!({"b": [], "a": {}, "c": null}), "a: {}\nb: []\nc: null\n");
        check(&json!({"a": {"z": 1, "b": true}}), "a:\n  b: true\n  z: 1\n");
        check(&json!({"a": [{"c": "x", "b": [1, 2]}, "d"]}), "a:\n- b:\n  - 1\n  - 2\n  c: x\n- d\n");
        check(&json!({"a": [[1, [2]], []]}), "a:\n- - 1\n  - - 2\n- []\n");
        assert_eq!(list_item(&json!({"b": [1], "a": "x"})), "- a: x\n  b:\n  - 1\n");
    }

    #[test]
    fn text_that_needs_no_quotes() {
        for plain in [
            "x",
            "a b",
            "rendered-worker-0f",
            "10.0.0.1",
            "a:b",
            "a#b",
            "7500m",
            "-x",
            "?x",
            "quay.io/a@sha256:0:<none>",
            "v1.33.4+ab",
            "it's",
            "1.2.3",
        ] {
            check(&json!({"k": plain}), &format!("k: {plain}\n"));
        }
        check(
            &json!({"k:{\"type\":\"Ready\"}": {".": {}, "f:status": {}}}),
            "k:{\"type\":\"Ready\"}:\n  .: {}\n  f:status: {}\n",
        );
    }

    #[test]
    fn text_that_would_read_as_something_else() {
        for quoted in [
            "",
            "True",
            "true",
            "no",
            "on",
            "y",
            "null",
            "~",
            "12",
            "-3",
            "1_000",
            "0x1f",
            "0o17",
            "1e5",
            "1e30755",
            ".5",
            "5.",
            "12:30",
            "2026-05-04",
            "2026-05-04T08:44:51Z",
            ".inf",
            "-.INF",
            ".nan",
            "<<",
            "+7",
        ] {
            check(&json!({"k": quoted}), &format!("k: \"{quoted}\"\n"));
        }
    }

    #[test]
    fn text_with_indicators() {
        for (text, printed) in [
            ("a: b", "'a: b'"),
            ("a:", "'a:'"),
            ("a #b", "'a #b'"),
            ("- a", "'- a'"),
            ("[a]", "'[a]'"),
            ("{\"ip\":\"it's\"}", "'{\"ip\":\"it''s\"}'"),
            ("*a", "'*a'"),
            ("&a", "'&a'"),
            ("!a", "'!a'"),
            ("%a", "'%a'"),
            ("@a", "'@a'"),
            ("`a", "'`a'"),
            (" a", "' a'"),
            ("a ", "'a '"),
            ("---", "'---'"),
            ("a\tb", "\"a\\tb\""),
            ("a\u{2028}b", "\"a\\Lb\""),
            ("a\u{85}b", "\"a\\Nb\""),
            ("\u{feff}a", "\"\\uFEFFa\""),
            ("caf\u{e9}", "caf\u{e9}"),
        ] {
            check(&json!({"k": text}), &format!("k: {printed}\n"));
        }
    }

    #[test]
    fn text_of_several_lines() {
        check(&json!({"a": {"k": "one\ntwo\n"}}), "a:\n  k: |\n    one\n    two\n");
        check(&json!({"k": "one\n\n  two"}), "k: |-\n  one\n\n    two\n");
        check(&json!({"k": "one\n\n"}), "k: |+\n  one\n\n");
        check(&json!({"k": "  one\ntwo\n"}), "k: |2\n    one\n  two\n");
        check(&json!({"k": ["one\ntwo", {"a": "x\ny\n"}]}), "k:\n- |-\n  one\n  two\n- a: |\n    x\n    y\n");
        check(&json!({"k": "one \ntwo"}), "k: \"one \\ntwo\"\n");
    }

    #[test]
    fn every_short_text_out_of_awkward_characters_reads_back() {
        const AWKWARD: [char; 24] = [
            'a',
            '1',
            'e',
            '.',
            '-',
            '+',
            '_',
            ':',
            ' ',
            '#',
            '\'',
            '"',
            '\\',
            '\n',
            '\t',
            '\r',
            '{',
            ']',
            '|',
            '&',
            '~',
            '\u{85}',
            '\u{1F680}',
            '?',
        ];
        for first in AWKWARD {
            for second in AWKWARD {
                let texts = AWKWARD.map(|third| String::from_iter([first, second, third]));
                read_back(&json!({"k": texts, "a": {"b": texts[0], "c": [{"d": texts[1]}]}}));
            }
        }
    }
}
