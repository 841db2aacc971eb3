//! Objects that are lost to damage leave a gap that names file, object and field, however they are lost.

use headway_api::gap::GapKind;
use headway_cluster::gather::Gathered;
use tempfile::tempdir;

use super::cluster::{cluster, file, node};
use super::reading::{assert_gap, gathered, nodes};
use super::yaml;

/// A cluster in one file and its nodes in another one.
fn with_nodes(name: &str, text: impl AsRef<[u8]>) -> Gathered {
    let folder = tempdir().unwrap();
    file(folder.path(), "cv.yaml", cluster().remove(0).yaml());
    file(folder.path(), name, text);
    gathered(folder.path())
}

fn list() -> String {
    let all = [node("a", "worker", "old"), node("b", "worker", "old"), node("c", "worker", "old")];
    yaml::list("List", &all.iter().map(|node| &node.value).collect::<Vec<_>>())
}

#[test]
fn lost_objects_are_told() {
    let check = |text: &str, expect: &[&str], says: &[&str]| {
        let found = with_nodes("n.yaml", text);
        assert_eq!(nodes(&found), expect, "{says:?}\n{text}");
        assert_gap(&found.snapshot.gaps, GapKind::Unreadable, says);
    };
    let whole = list();
    assert_eq!(with_nodes("n.yaml", &whole).snapshot.gaps, Vec::new());
    // Cut off between two items: every line that is left is well.
    let second = whole.match_indices("\n- ").nth(2).unwrap().0 + 1;
    check(&whole[..second], &["a", "b"], &["n.yaml", "the list has no kind", "cut off"]);
    let end = whole.find("kind: List").unwrap();
    check(&whole[..end], &["a", "b", "c"], &["n.yaml", "cut off"]);
    check(&whole[..end + 8], &[], &["n.yaml", "cut off"]);
    // An object without a kind among others.
    let unkind = whole.replacen("kind: \"Node\"\n", "x: \"Node\"\n", 1);
    check(&unkind, &["b", "c"], &["n.yaml:3", "kind: there is none"]);
    let nameless = whole.replacen("    name: \"b\"", "    x: \"b\"", 1);
    check(&nameless, &["a", "c"], &["n.yaml", "Node", "metadata.name", "there is none"]);
    // Lists whose items are none.
    for items in ["items: 5", "items: {}", "items: none", "items:\n  a: b", "item: []"] {
        let text = format!("apiVersion: v1\nkind: NodeList\n{items}\n");
        check(&text, &[], &["n.yaml", "NodeList", "items"]);
    }
    check("apiVersion: v1\nkind: List\nmetadata: {}\n", &[], &["n.yaml", "List", "items"]);
}

#[test]
fn lost_objects_in_json_are_told() {
    let check = |text: &str, says: &[&str]| {
        let found = with_nodes("n.json", text);
        assert_eq!(nodes(&found), Vec::<&str>::new(), "{text}");
        assert_gap(&found.snapshot.gaps, GapKind::Unreadable, says);
    };
    check(r#"{"apiVersion": "v1", "kind": "NodeList", "items": 5}"#, &["n.json:1", "NodeList", "items"]);
    check(r#"{"apiVersion": "v1", "kind": "NodeList", "items": {"a": 1}}"#, &["n.json:1", "NodeList", "items"]);
    check(r#"{"apiVersion": "v1", "kind": "List"}"#, &["n.json:1", "List", "items"]);
    check(r#"{"apiVersion": "v1", "kind": 5, "metadata": {"name": "a"}}"#, &["n.json:1", "kind"]);
    check(r#"{"kind": "List", "items": [7]}"#, &["n.json", "a number"]);
    check(r#"{"kind": "List", "items": [{"metadata": {"name": "x"}}]}"#, &["n.json:1", "kind"]);
    check("", &["n.json", "empty"]);
    check("{", &["n.json", "JSON"]);
}

#[test]
fn lost_fields_are_told() {
    let check = |find: &str, replace: &str, says: &[&str]| {
        let text = list();
        assert!(text.contains(find), "{find}");
        let found = with_nodes("n.yaml", text.replacen(find, replace, 1));
        assert_eq!(nodes(&found), ["a", "b", "c"], "{says:?}");
        assert_gap(&found.snapshot.gaps, GapKind::Field, says);
    };
    check(
        "lastTransitionTime: \"2026-05-04T08:15:00Z\"",
        "lastTransitionTime: soon",
        &["n.yaml:", "Node/a", "status.conditions[0].lastTransitionTime", "left out"],
    );
    check("    labels:\n", "    labels: 7\n    x:\n", &["n.yaml:", "Node/a", "metadata.labels"]);
    check("    annotations:\n", "    annotations: []\n    x:\n", &["n.yaml:", "Node/a", "metadata.annotations"]);
    check("apiVersion: \"v1\"\n", "apiVersion: \"v9\"\n", &["n.yaml:", "Node/a", "apiVersion", "v9"]);
}
