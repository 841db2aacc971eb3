//! `--source`: what an operator has published, where there is something and it is fresh; the objects otherwise.

use headway_api::report::{ClockSource, Condition, Report, Truth};
use headway_api::update::GROUP;
use headway_cluster::gather::{self, Limits};
use headway_core::assess::{Rules, assess};
use headway_core::memory::Memory;
use headway_core::publish::{self, Level, Writer};
use headway_core::snapshot::{Moment, Snapshot};
use headway_testenv::Plane;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::command::{Ran, of_cluster, root, run};
use super::world::{World, client, send};

const EXAMPLE: &str = "examples/pool-left-behind/input";

fn judged(at: Timestamp) -> Report {
    let gathered = gather::files(&[root().join(EXAMPLE)], &Limits::default()).unwrap();
    let moment = Moment { at, source: ClockSource::Now };
    assess(&Snapshot { moment, ..gathered.snapshot }, Rules::Headway)
}

/// Publishes a report as an operator would.
fn publish(world: &World, report: &Report) {
    let well = |status: Truth| Condition { status, reason: "AsExpected".into(), message: String::new(), since: None };
    let writer = Writer {
        renderer: "headway-operator/test",
        generation: 1,
        available: well(Truth::True),
        degraded: well(Truth::False),
        informers: &[],
    };
    let memory = Memory::default();
    let source = publish::Source { report, memory: &memory, writer: &writer, past: None };
    let status = publish::status(source, Level::FULL).status;
    put(world, "updatestatuses/cluster", json!({"status": status}));
    for shard in publish::shards(source, |_| None) {
        create(world, "PoolUpdateStatus", "poolupdatestatuses", &shard.name);
        put(world, &format!("poolupdatestatuses/{}", shard.name), json!({"status": shard.status}));
    }
}

fn put(world: &World, place: &str, status: Value) {
    let path = format!("/apis/{GROUP}/v1alpha1/{place}/status");
    ask(world, "PATCH", &path, "application/merge-patch+json", &status);
}

fn create(world: &World, kind: &str, plural: &str, name: &str) {
    let object =
        json!({"apiVersion": format!("{GROUP}/v1alpha1"), "kind": kind, "metadata": {"name": name}, "spec": {}});
    // Server-side apply: it may be there already.
    let path = format!("/apis/{GROUP}/v1alpha1/{plural}/{name}?fieldManager=test&force=true");
    ask(world, "PATCH", &path, "application/apply-patch+yaml", &object);
}

fn ask(world: &World, method: &str, path: &str, content: &str, body: &Value) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { send(&client(world.plane.kubeconfig()).await, method, path, content, body).await });
}

/// Asserts what is said of where an answer comes from.
fn assert_told(ran: &Ran, says: &str) {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.lines().any(|line| line.starts_with(says)), "{says:?} is not in {:?}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn us_s55_the_answer_comes_from_what_is_published_or_from_the_objects() {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    let mut world = World::alone(plane);
    world.hold(&[root().join(EXAMPLE)]);
    let ask = |world: &World, more: &[&str]| of_cluster(world.plane.kubeconfig(), more);
    // Nobody has installed anything, then nobody has written anything.
    let nothing = |world: &World, why: &str| {
        let auto = ask(world, &[]);
        assert_told(&auto, &format!("Told from the objects of the cluster: {why}."));
        assert!(auto.out.contains("WORKER POOL"), "{}", auto.out);
        let api = ask(world, &["--source=api"]);
        assert_told(&api, &format!("Told from the ClusterVersion alone: {why}."));
        assert!(api.out.contains("4.21.6 (from 4.21.4)") && !api.out.contains("WORKER POOL"), "{}", api.out);
        assert_eq!(ask(world, &["--source=api", "--exit-code"]).code, Some(6));
    };
    nothing(&world, "no updatestatuses.update.openshift.io here");
    for name in ["updatestatuses", "poolupdatestatuses"] {
        let path = root().join(format!("deploy/crds/{name}.{GROUP}.yaml"));
        world.plane.apply_crds(&std::fs::read_to_string(path).unwrap()).unwrap();
    }
    nothing(&world, "no updatestatuses.update.openshift.io here");
    create(&world, "UpdateStatus", "updatestatuses", "cluster");
    nothing(&world, "UpdateStatus/cluster has no status yet");
    // Fresh: told as it was judged, not judged again.
    let at = Timestamp::now().round(jiff::Unit::Second).unwrap() - SignedDuration::from_mins(3);
    publish(&world, &judged(at));
    let more = ["--details=all"];
    let input = root().join(EXAMPLE);
    let files = run(&[&["--from", input.to_str().unwrap(), "--at", &at.to_string()], &more[..]].concat());
    for source in ["auto", "api"] {
        let told = ask(&world, &[&["--source", source], &more[..]].concat());
        assert_told(&told, "Told from the API: UpdateStatus/cluster was written 3m");
        assert_eq!(told.out, files.out, "{source}");
    }
    let objects = ask(&world, &["--source=objects"]);
    assert_told(&objects, "Judged as of ");
    // Whoever wants it judged as of some moment wants it judged.
    assert_told(&ask(&world, &["--at", &at.to_string()]), "Judged as of ");
    // Old: nobody keeps it.
    publish(&world, &judged(at - SignedDuration::from_mins(9)));
    let old = "UpdateStatus/cluster was written 12m";
    assert_told(&ask(&world, &[]), &format!("Told from the objects of the cluster: {old}"));
    assert_told(&ask(&world, &["--source=api"]), &format!("warning: {old}"));
}
