//! The chart's policy on approvals: who may change them, in whose name, and that nothing else is held up by it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Server, server};

/// What it is about, what was there, who asks, in which namespace, of which object, for what, and what is said.
type Case = (&'static str, Value, &'static str, &'static str, &'static str, Value, Result<(), &'static str>);

const FLEET: &str = "approvals";
const OTHER: &str = "approvals-other";

/// Renders the chart's roles and policy, and gives people rights by them: alice and dave approve in one namespace, carol
/// only one object, bob edits. All of them edit in both.
fn install(server: &Server) {
    let chart = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/headway"));
    let of = |file: &'static str| ["--show-only", file];
    let command = ["template", "headway", chart.to_str().unwrap(), "--set", "roles.drive.enabled=true"];
    let shown = [of("templates/drive/approval.yaml"), of("templates/drive/edit.yaml")].concat();
    let rendered = server.plane.helm_text(&[&command[..], &shown].concat()).unwrap();
    server.plane.apply(&rendered).unwrap();
    server.namespace(FLEET);
    server.namespace(OTHER);
    let binding = |namespace: &str, role: &str, users: &[&str]| {
        let subjects: Vec<Value> = users
            .iter()
            .map(|user| json!({"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user}))
            .collect();
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
            "metadata": {"name": role, "namespace": namespace}, "subjects": subjects,
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
        })
    };
    let one = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "approve-c1"},
        "rules": [{
            "apiGroups": ["headway.dev"], "resources": ["clusterupgrades"], "resourceNames": ["c1"],
            "verbs": ["approve"],
        }],
    });
    let everybody = ["alice", "bob", "carol", "dave", &long()];
    let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
        one,
        binding(FLEET, "headway-approver", &["alice", "dave", &long()]),
        binding(FLEET, "approve-c1", &["carol"]),
        binding(FLEET, "headway-edit", &everybody),
        binding(OTHER, "headway-edit", &everybody),
    ]});
    server.kubectl(&["apply", "--server-side", "-f", "-"], &objects).unwrap();
    // The policy counts as soon as the API server has compiled it.
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let refused =
            create(server, "bob", FLEET, "probe", json!([entry("workers/v1.31.0", "bob")]), "--dry-run=server");
        if refused.is_err_and(|error| error.contains("cannot approve")) {
            break;
        }
        assert!(Instant::now() < until, "the policy does not come to count");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A user whose name is as long as an entry takes.
fn long() -> String {
    "x".repeat(512)
}

fn entry(step: &str, by: &str) -> Value {
    json!({"step": step, "by": by, "at": "2026-11-30T12:00:00Z"})
}

fn create(
    server: &Server,
    user: &str,
    namespace: &str,
    name: &str,
    approvals: Value,
    more: &str,
) -> Result<String, String> {
    let object = json!({
        "apiVersion": "headway.dev/v1alpha1", "kind": "ClusterUpgrade",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "clusterName": "c1", "version": "v1.33.0", "gates": {"approval": "PerStep"}, "approvals": approvals,
        },
    });
    server.kubectl(&["--as", user, "create", more, "-f", "-"], &object)
}

fn patch(server: &Server, user: &str, namespace: &str, name: &str, spec: &Value) -> Result<String, String> {
    // From standard input, since a full list is more than an argument may be.
    let from = "--patch-file=/dev/stdin";
    let arguments = ["--as", user, "-n", namespace, "patch", "clusterupgrade", name, "--type=merge", from];
    server.kubectl(&arguments, &json!({"spec": spec}))
}

/// Puts the objects away and makes these anew, as who may do everything.
fn begin(server: &Server, approvals: &Value) {
    for namespace in [FLEET, OTHER] {
        server.plane.kubectl_text(&["delete", "clusterupgrades", "--all", "-n", namespace]).unwrap();
        for name in ["c1", "c2"] {
            create(server, "bob", namespace, name, json!([]), "--validate=true").unwrap();
        }
    }
    if *approvals != json!([]) {
        patch(server, "alice", FLEET, "c1", &json!({"approvals": approvals})).unwrap();
    }
}

fn check(what: &str, outcome: Result<String, String>, expect: Result<(), &str>) {
    match (outcome, expect) {
        (Ok(_), Ok(())) => {}
        (Err(error), Err(part)) => assert!(error.contains(part), "{what}: {error}"),
        (Ok(_), Err(_)) => panic!("{what}: it was let in"),
        (Err(error), Ok(())) => panic!("{what}: {error}"),
    }
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn only_who_may_approve_changes_approvals_and_signs_for_themselves() {
    let server = server();
    install(&server);
    let step = "control-plane/v1.31.0";
    let by = |user: &str| json!([entry(step, user)]);
    let mine = |at: &str| json!([{"step": step, "by": "alice", "at": at}]);

    let cases: [Case; 17] = [
        ("who may approve does", json!([]), "alice", FLEET, "c1", by("alice"), Ok(())),
        (
            "who may not does not",
            json!([]),
            "bob",
            FLEET,
            "c1",
            by("bob"),
            Err("user \"bob\" cannot approve clusterupgrades.headway.dev \"c1\" in the namespace \"approvals\""),
        ),
        ("nor in the name of who may", json!([]), "bob", FLEET, "c1", by("alice"), Err("user \"bob\" cannot approve")),
        (
            "nobody signs for another",
            json!([]),
            "alice",
            FLEET,
            "c1",
            by("dave"),
            Err("user \"alice\" cannot approve control-plane/v1.31.0 in the name of \"dave\""),
        ),
        ("nor for nobody", json!([]), "alice", FLEET, "c1", by(""), Err("spec.approvals[0].by")),
        (
            "nor beside themselves",
            json!([]),
            "alice",
            FLEET,
            "c1",
            json!([entry(step, "alice"), entry("workers/v1.31.0", "bob")]),
            Err("workers/v1.31.0 in the name of \"bob\""),
        ),
        ("of one object", json!([]), "carol", FLEET, "c1", by("carol"), Ok(())),
        (
            "and of no other",
            json!([]),
            "carol",
            FLEET,
            "c2",
            by("carol"),
            Err("user \"carol\" cannot approve clusterupgrades.headway.dev \"c2\""),
        ),
        (
            "in one namespace and no other",
            json!([]),
            "alice",
            OTHER,
            "c1",
            by("alice"),
            Err("in the namespace \"approvals-other\""),
        ),
        (
            "another adds theirs",
            by("alice"),
            "dave",
            FLEET,
            "c1",
            json!([entry(step, "alice"), entry("workers/v1.31.0", "dave")]),
            Ok(()),
        ),
        (
            "nobody takes over an entry",
            by("alice"),
            "dave",
            FLEET,
            "c1",
            by("dave"),
            Err("the approval of control-plane/v1.31.0 cannot be changed"),
        ),
        (
            "nobody changes their own",
            by("alice"),
            "alice",
            FLEET,
            "c1",
            mine("2027-01-01T00:00:00Z"),
            Err("the approval of control-plane/v1.31.0 cannot be changed"),
        ),
        (
            "nor that of another",
            by("alice"),
            "dave",
            FLEET,
            "c1",
            mine("2027-01-01T00:00:00Z"),
            Err("cannot be changed"),
        ),
        ("who may approve takes back", by("alice"), "dave", FLEET, "c1", json!([]), Ok(())),
        (
            "who may not does not take back",
            by("alice"),
            "bob",
            FLEET,
            "c1",
            json!([]),
            Err("user \"bob\" cannot approve"),
        ),
        (
            "nor by leaving the field out",
            by("alice"),
            "bob",
            FLEET,
            "c1",
            Value::Null,
            Err("user \"bob\" cannot approve"),
        ),
        ("the same again is no change", by("alice"), "bob", FLEET, "c1", by("alice"), Ok(())),
    ];
    for (what, before, user, namespace, name, after, expect) in cases {
        begin(&server, &before);
        check(what, patch(&server, user, namespace, name, &json!({"approvals": after})), expect);
    }

    // Whoever may not approve changes all else, beside what others approved.
    begin(&server, &by("alice"));
    check("pause", patch(&server, "bob", FLEET, "c1", &json!({"paused": true})), Ok(()));
    check("version", patch(&server, "bob", FLEET, "c1", &json!({"version": "v1.34.0", "stop": true})), Ok(()));
    let status = json!({"status": {"conditions": []}}).to_string();
    let arguments =
        ["-n", FLEET, "patch", "clusterupgrade", "c1", "--subresource=status", "--type=merge", "-p", &status];
    server.plane.kubectl_text(&arguments).unwrap();
    check(
        "both at once",
        patch(&server, "bob", FLEET, "c1", &json!({"paused": false, "approvals": []})),
        Err("user \"bob\" cannot approve"),
    );

    // The same where objects are made.
    let made =
        |user: &str, name: &str, approvals: Value| create(&server, user, FLEET, name, approvals, "--validate=true");
    check("made without", made("bob", "n1", json!([])), Ok(()));
    check("made with one's own", made("alice", "n2", by("alice")), Ok(()));
    check("made without the right", made("bob", "n3", by("bob")), Err("user \"bob\" cannot approve"));
    check("made in another's name", made("alice", "n4", by("bob")), Err("in the name of \"bob\""));
    check(
        "made under a name that is not theirs",
        made("carol", "n5", by("carol")),
        Err("user \"carol\" cannot approve"),
    );

    full(&server);
    server.plane.kubectl_text(&["delete", "clusterupgrades", "--all", "-n", FLEET]).unwrap();
    server.plane.kubectl_text(&["delete", "clusterupgrades", "--all", "-n", OTHER]).unwrap();
}

/// A list as long as it may be, of entries as long as they may be, is judged too: an API server gives up on what takes
/// long, and then nobody could approve any more.
fn full(server: &Server) {
    begin(server, &json!([]));
    let user = long();
    let entries = |count: usize| -> Value {
        (0..count).map(|at| entry(&format!("{:0>300}", at), &user)).collect::<Vec<_>>().into()
    };
    check("all but one", patch(server, &user, FLEET, "c1", &json!({"approvals": entries(255)})), Ok(()));
    check("the last", patch(server, &user, FLEET, "c1", &json!({"approvals": entries(256)})), Ok(()));
    check(
        "one too many",
        patch(server, &user, FLEET, "c1", &json!({"approvals": entries(257)})),
        Err("must have at most 256 items"),
    );
    check(
        "not by another",
        patch(server, "bob", FLEET, "c1", &json!({"approvals": []})),
        Err("user \"bob\" cannot approve"),
    );
    check("all away", patch(server, &user, FLEET, "c1", &json!({"approvals": []})), Ok(()));
}
