//! Text of strangers: names and messages in a recording do nothing to the terminal and break no table.

use serde_json::{Value, json};

use super::command::{Ran, status};
use super::recording::{Recording, State, of_text, text};

/// What would move the cursor, clear the screen, colour, ring, turn the direction of writing, or break a line.
fn nasty() -> String {
    let breaks = "\n".repeat(2_048);
    format!("evil\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}31m\r\u{b}\u{c}\u{8}\t\u{0}\u{85}\u{2028}\u{2029}\u{202e}{breaks}end")
}

/// Characters that must never reach a terminal out of a recording.
fn is_harmful(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The cluster with every text of it replaced that matches: texts are matched by the path of their fields.
fn tampered(hits: &dyn Fn(&[&str], &str) -> bool) -> Recording {
    let documents = text(State::NeedsAttention);
    let mut items: Vec<Value> =
        documents.split("---\n").map(|document| serde_saphyr::from_str(document).unwrap()).collect();
    let mut alerts = json!({"status": "success", "data": {"alerts": [{"state": "firing",
        "activeAt": "2026-05-04T08:10:00Z", "labels": {"alertname": "PodDisruptionBudgetAtLimit",
        "namespace": "shop", "poddisruptionbudget": "cart", "severity": "critical"},
        "annotations": {"summary": "At limit", "description": "Much more", "runbook_url": "https://example.com/x"}}]}});
    for item in items.iter_mut().chain([&mut alerts]) {
        replace(item, &mut Vec::new(), hits);
    }
    let recording = of_text("all.json", json!({"kind": "List", "items": items}).to_string().as_bytes());
    super::recording::write(&recording.folder.path().join("alerts.json"), alerts.to_string().as_bytes());
    recording
}

fn replace(value: &mut Value, path: &mut Vec<String>, hits: &dyn Fn(&[&str], &str) -> bool) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                path.push(key.clone());
                replace(value, path, hits);
                path.pop();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, path, hits)),
        Value::String(text) => {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            if hits(&names, text) {
                *text = format!("{text}{}", nasty());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn assert_harmless(ran: &Ran, what: &str) {
    for (stream, text) in [("standard output", &ran.out), ("standard error", &ran.err)] {
        if let Some(c) = text.chars().find(|c| is_harmful(*c)) {
            let at = text.find(c).unwrap();
            let around: String = text[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
            panic!("{what}: {c:?} on {stream} behind {around:?}");
        }
        assert!(text.lines().count() < 200, "{what}: {} lines on {stream}", text.lines().count());
        assert!(!text.contains("\n\n\n"), "{what}: blank lines on {stream}");
    }
}

#[test]
fn strange_texts_do_nothing_to_the_terminal() {
    let looks: [&[&str]; 4] = [&[], &["--details", "all"], &["-o", "wide"], &["-o", "wide", "--details", "all"]];
    let check = |what: &str, code: i32, hits: &dyn Fn(&[&str], &str) -> bool| {
        let recording = tampered(hits);
        for look in looks {
            let ran = status(recording.folder.path(), look);
            assert_eq!(ran.code, Some(code), "{what}: {}", ran.err);
            assert_harmless(&ran, &format!("{what} {look:?}"));
        }
    };
    let is = |path: &[&str], names: &[&str]| path.last().is_some_and(|last| names.contains(last));
    check("messages", 0, &|path, _| is(path, &["message", "reason", "summary", "description", "runbook_url"]));
    check("names", 0, &|path, _| is(path, &["name", "namespace", "poddisruptionbudget", "alertname"]));
    check("versions", 0, &|path, _| is(path, &["version", "image"]));
    check("annotations", 0, &|path, _| path.len() > 2 && path[path.len() - 2] == "annotations");
    check("types and states", 0, &|path, _| is(path, &["type", "state", "status"]));
    check("times", 0, &|path, _| is(path, &["lastTransitionTime", "startedTime", "completionTime", "activeAt"]));
    check("versions of the API", 0, &|path, _| is(path, &["apiVersion"]));
    // Nothing is left to tell of; the error is as harmless.
    check("kinds", 1, &|path, _| is(path, &["kind"]));
}

#[test]
fn strange_texts_are_kept_in_json_and_yaml() {
    let recording = tampered(&|path, _| path.last() == Some(&"message"));
    let json = status(recording.folder.path(), &["-o", "json"]);
    let yaml = status(recording.folder.path(), &["-o", "yaml"]);
    assert!(!json.out.contains('\u{1b}') && !yaml.out.contains('\u{1b}'), "no escape sequence, written out or not");
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let yaml: Value = serde_saphyr::from_str(&yaml.out).unwrap();
    assert_eq!(json, yaml);
    assert!(json.to_string().contains("evil\\u001b[2J"), "{json:#}");
}
