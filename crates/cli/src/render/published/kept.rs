//! The clusters of a fleet: what is known of each comes back from the object that it is published as, but for what
//! [`LOST`] names.

use std::fs;
use std::path::Path;

use headway_api::preview::Clock;
use headway_api::report::Report;
use headway_api::update::status::Status;
use headway_cluster::gather::Limits;
use headway_cluster::gather::inventory::{self, About};
use headway_core::fleet;
use headway_core::memory::Memory;
use headway_core::preview::{Inventory, Moment};
use headway_core::publish::{self, Level};
use serde_json::Value;

use super::writer;

/// What an object does not hold, and why. Nodes are told in groups (5.3), so that of one node is left what it has in
/// common with its group; of the clusters of a fleet there are no details, which would hold the rest.
const LOST: [(&str, &str); 8] = [
    ("since", "a group has the time when a node last joined or left it"),
    ("remaining", "it follows from the phase and the strategy, and a group tells neither"),
    ("message", "a group has that of its first node"),
    ("node", "a group names its machines"),
    ("currentConfig", "details hold it"),
    ("desiredConfig", "details hold it"),
    ("blockedBy", "the finding on the drain names them"),
    ("inService", "a group tells whether it is available"),
];

/// The report that comes back from the object, as its store gives it back.
fn through_the_api(report: &Report) -> Report {
    let (memory, writer) = (Memory::default(), writer());
    let source = publish::Source { report, memory: &memory, writer: &writer, past: None };
    let published = publish::status(source, Level::FULL);
    assert_eq!((published.level, published.dropped), (Level::FULL, publish::Dropped::default()));
    let json = serde_json::to_string(&published.status).expect("a status is JSON");
    let status: Status = serde_json::from_str(&json).expect("what was written can be read");
    publish::read("ClusterUpdateStatus", &status, &[]).expect("it was written")
}

/// The nodes of a report without what is lost of them, in the order of their names.
fn units(report: &Value) -> Vec<Value> {
    let mut all = report["units"].as_array().cloned().unwrap_or_default();
    for unit in &mut all {
        let fields = unit.as_object_mut().expect("a node is an object");
        for (lost, _) in LOST {
            fields.remove(lost);
        }
        for condition in ["available", "degraded"] {
            // The reason and the message are the group's.
            fields[condition] = fields[condition]["status"].clone();
        }
    }
    all.sort_by_key(|unit| unit["name"].to_string());
    all
}

/// Takes times away that only the object has: its conditions have one each, by whoever first saw them.
fn undate(report: &Value, back: &mut Value) {
    match (report, back) {
        (Value::Object(report), Value::Object(back)) => {
            if back.contains_key("status") && back.contains_key("reason") && !report.contains_key("since") {
                back.remove("since");
            }
            for (name, inner) in back {
                undate(report.get(name).unwrap_or(&Value::Null), inner);
            }
        }
        (Value::Array(report), Value::Array(back)) => {
            for (at, inner) in back.iter_mut().enumerate() {
                undate(report.get(at).unwrap_or(&Value::Null), inner);
            }
        }
        _ => {}
    }
}

fn check(name: &str, report: &Report) {
    let mut told = serde_json::to_value(report).expect("a report is JSON");
    let mut back = serde_json::to_value(through_the_api(report)).expect("a report is JSON");
    assert_eq!(units(&back), units(&told), "{name}: nodes");
    for value in [&mut told, &mut back] {
        value["units"] = Value::Null;
    }
    undate(&told, &mut back);
    for (field, expect) in told.as_object().expect("a report is an object") {
        assert_eq!(back.get(field), Some(expect), "{name}: {field}");
    }
    assert_eq!(back.as_object().map(serde_json::Map::len), told.as_object().map(serde_json::Map::len), "{name}");
}

/// All clusters of a recorded management cluster.
fn check_all(folder: &Path, at: Option<jiff::Timestamp>) -> usize {
    let inventory =
        inventory::files(&[folder.to_path_buf()], About::Member, &Limits::default()).expect("it can be read");
    let moment = at.map_or(inventory.newest(), |at| Moment { at, clock: Clock::Given });
    let inventory = Inventory { moment, ..inventory };
    let members = fleet::members(&inventory);
    for member in &members {
        check(&format!("{}: {}", folder.display(), member.told()), &fleet::report(&inventory, member));
    }
    members.len()
}

#[test]
fn us_d11_clusters_of_fleets_come_back_through_the_api() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/management");
    let mut seen = 0;
    for entry in fs::read_dir(root).expect("the repository has examples of management clusters") {
        let folder = entry.expect("a folder that can be listed").path();
        let args = fs::read_to_string(folder.join("args")).unwrap_or_default();
        let words: Vec<&str> = args.lines().collect();
        let at = words.windows(2).find(|pair| pair[0] == "--at").map(|pair| pair[1].parse().expect("a time"));
        seen += check_all(&folder.join("input"), at);
    }
    assert!(seen >= 10, "{seen} clusters");
}
