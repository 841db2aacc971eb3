//! What kubectl shows: tables, explanations, and waiting.
//!
//! The tables are compared without their ages, which are those of the wall.

use std::fs;

use serde_json::json;

use super::published::publish;
use super::recording::{example, root, writer};
use super::server::{Server, server};

use headway_core::memory::Memory;
use headway_core::publish::{self, Insights, Nodes, Source};

/// Set to 1, it makes the tests write what is shown instead of comparing it.
const UPDATE: &str = "HEADWAY_UPDATE";

/// Compares with a file beside this one.
pub(super) fn check(file: &str, shown: &str) {
    let path = root().join("crates/operator/tests/kinds").join(file);
    if std::env::var_os(UPDATE).is_some_and(|value| value == "1") {
        fs::write(&path, shown).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        shown, expected,
        "{file}; if it is right: {UPDATE}=1 cargo test -p headway-operator --test kinds -- --ignored shown"
    );
}

/// A table as kubectl prints it, without the columns of these names and what is under them.
pub(super) fn table(server: &Server, arguments: &[&str], without: &[&str]) -> String {
    let text = server.plane.kubectl_text(arguments).unwrap();
    let header = text.lines().next().unwrap().to_owned();
    // A column begins where its title does, and ends where the next one begins.
    let mut starts: Vec<usize> = Vec::new();
    for (at, _) in header.char_indices() {
        let begins = at == 0 || (header[..at].ends_with("  ") && !header[at..].starts_with(' '));
        if begins {
            starts.push(at);
        }
    }
    let titles: Vec<&str> =
        starts.iter().enumerate().map(|(at, start)| cell(&header, *start, starts.get(at + 1))).collect();
    let mut out = String::new();
    for line in text.lines() {
        let cells: Vec<&str> = starts
            .iter()
            .enumerate()
            .filter(|(at, _)| !without.contains(&titles[*at].trim()))
            .map(|(at, start)| cell(line, *start, starts.get(at + 1)))
            .collect();
        out.push_str(cells.concat().trim_end());
        out.push('\n');
    }
    out
}

fn cell<'l>(line: &'l str, start: usize, end: Option<&usize>) -> &'l str {
    let end = end.map_or(line.len(), |end| (*end).min(line.len()));
    line.get(start.min(end)..end).unwrap_or_default()
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn shown_tables_are_what_a_user_expects() {
    let server = server();
    server.clear();
    let report = example(&root().join("examples/drain-blocked"));
    publish(&server, &report);
    let (memory, writer) = (Memory::default(), writer());
    let source = Source { report: &report, memory: &memory, writer: &writer, past: None };
    let insights = publish::insights(source, Nodes::All, &Insights::default());
    fn keep<T: serde::Serialize>(server: &Server, kind: &str, all: &[(String, T)]) {
        server.keep(kind, &all.iter().map(|(name, status)| (name.as_str(), json!(status))).collect::<Vec<_>>());
    }
    keep(&server, "HealthInsight", &insights.health);
    keep(&server, "NodeProgressInsight", &insights.nodes);
    keep(&server, "ClusterOperatorProgressInsight", &insights.cluster_operators[..3]);
    keep(&server, "MachineConfigPoolProgressInsight", &insights.pools);
    keep(&server, "ClusterVersionProgressInsight", &insights.cluster_version);
    let mut shown = String::new();
    for (arguments, without) in [
        (vec!["get", "updatestatus"], vec!["AGE"]),
        (vec!["get", "us", "-o", "wide"], vec!["AGE"]),
        (vec!["get", "poolupdatestatuses"], vec!["AGE"]),
        (vec!["get", "healthinsights"], vec!["AGE", "SINCE"]),
        (vec!["get", "hi", "--field-selector", "status.impact.level=Error"], vec!["AGE", "SINCE"]),
        (vec!["get", "cvpi"], vec!["AGE", "STARTED"]),
        (vec!["get", "copi"], vec!["AGE", "SINCE"]),
        (vec!["get", "mcppi"], vec!["AGE"]),
        (vec!["get", "npi"], vec!["AGE", "SINCE"]),
    ] {
        shown.push_str(&format!("$ kubectl {}\n{}\n", arguments.join(" "), table(&server, &arguments, &without)));
    }
    check("tables.txt", &shown);
    // All of it is found by its category.
    let all = server.plane.kubectl_text(&["get", "update", "-o", "name"]).unwrap();
    assert!(
        all.contains("updatestatus.update.openshift.io/cluster") && all.contains("healthinsight.update.openshift.io/")
    );
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn shown_fields_are_explained() {
    let server = server();
    let mut shown = String::new();
    for path in
        ["updatestatus.status", "updatestatus.status.summary", "healthinsight.status.impact", "clusterupdatestatus"]
    {
        let text = server.plane.kubectl_text(&["explain", path]).unwrap();
        shown.push_str(&format!("$ kubectl explain {path}\n{text}\n"));
    }
    check("explained.txt", &shown);
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn shown_conditions_can_be_waited_for() {
    let server = server();
    server.clear();
    let wait = |condition: &str| {
        let condition = format!("--for=condition={condition}");
        let arguments = ["wait", condition.as_str(), "updatestatus/cluster", "--timeout=1s"];
        server.plane.kubectl(&arguments).unwrap().status.success()
    };
    server.create("UpdateStatus", "cluster");
    assert!(!wait("Updating=False"), "before anything is told there is nothing to wait for");
    publish(&server, &example(&root().join("examples/drain-blocked")));
    assert!(wait("Updating=True") && wait("Healthy=False") && wait("Available=True") && wait("Truncated=False"));
    assert!(wait("Ready=False") && wait("Stalled=True") && wait("Reconciling=False"));
    assert!(!wait("Updating=False"));
    publish(&server, &example(&root().join("examples/idle")));
    assert!(wait("Updating=False") && wait("Healthy=True"));
    assert!(wait("Ready") && wait("Stalled=False") && wait("Reconciling=False"));
    server.clear();
}
