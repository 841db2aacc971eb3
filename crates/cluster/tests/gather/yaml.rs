//! Writing YAML in the block style of Kubernetes tools.

use serde_json::Value;

/// An object as a document.
pub(super) fn document(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

/// Objects as a list, its kind behind the items as kubectl writes it.
pub(super) fn list(kind: &str, items: &[&Value]) -> String {
    let mut out = String::from("apiVersion: v1\nitems:");
    out.push_str(if items.is_empty() { " []\n" } else { "\n" });
    for item in items {
        let mut text = String::new();
        write(item, 1, &mut text);
        out.push_str(&text.replacen("  ", "- ", 1));
    }
    out + &format!("kind: {kind}\nmetadata:\n  resourceVersion: \"\"\n")
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                out.push_str(&format!("{indent}{}:", key_text(key)));
                below(value, depth, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                let mut text = String::new();
                write(item, depth + 1, &mut text);
                out.push_str(&indent);
                out.push_str("- ");
                out.push_str(text.trim_start());
            }
        }
        scalar => out.push_str(&format!("{indent}{scalar}\n")),
    }
}

fn below(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(fields) if fields.is_empty() => out.push_str(" {}\n"),
        Value::Array(items) if items.is_empty() => out.push_str(" []\n"),
        Value::Object(_) | Value::Array(_) => {
            out.push('\n');
            write(value, depth + 1, out);
        }
        scalar => out.push_str(&format!(" {scalar}\n")),
    }
}

/// Keys stand bare, save those that would be something else.
fn key_text(key: &str) -> String {
    let bare = key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
    if bare && !key.is_empty() { key.to_owned() } else { Value::from(key).to_string() }
}
