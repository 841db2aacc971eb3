//! A cluster without a topology that Headway drives itself: the role `drive` writes the versions, the managers of Cluster
//! API do the work.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use headway_api::hooks::{Hook, Lifecycle};
use headway_api::version::KubeVersion;
use serde_json::{Value, json};

use super::extension::{Answer, Call, Extension, hook};
use super::objects::{NAMESPACE, extension, plain, upgrade};
use super::program::Operator;
use super::story::{World, is};

/// The versions on the way.
const WAY: [&str; 4] = ["v1.31.0", "v1.32.4", "v1.33.7", "v1.34.0"];

/// An extension of all hooks that has nothing against anything.
fn agreeing() -> Box<Answer> {
    Box::new(move |path, _| {
        let hook = hook(path);
        let version = "hooks.runtime.cluster.x-k8s.io/v1alpha1";
        let mut response = json!({"apiVersion": version, "kind": format!("{hook}Response"), "status": "Success"});
        if hook == "Discovery" {
            let handler = |hook: Lifecycle| json!({"name": hook.name().to_lowercase(), "requestHook": {"apiVersion": version, "hook": hook.name()}});
            response["handlers"] = Lifecycle::OF_UPGRADE.into_iter().map(handler).collect();
        }
        response.to_string().into_bytes()
    })
}

/// What was seen of the cluster while it moved.
#[derive(Debug, Default)]
struct Seen {
    control_plane: Vec<String>,
    groups: BTreeMap<String, Vec<String>>,
    /// What stood beside what against the rules of skew.
    skewed: Vec<String>,
    waits: Vec<String>,
    /// What `headway status` said of it when the control plane had been told another version: the version, and whether
    /// it is being updated.
    told: Vec<(String, String)>,
}

impl Seen {
    /// Looks once, and gives what is asked for as it is now.
    fn look(&mut self, world: &World, cluster: &str) -> Value {
        let minor = |text: &str| KubeVersion::parse(text).ok().map(|version| version.minor().minor);
        let steps = self.control_plane.len();
        for it in world.of("controlplane.cluster.x-k8s.io", "kubeadmcontrolplanes", cluster) {
            note(&mut self.control_plane, it["spec"]["version"].as_str());
        }
        if self.control_plane.len() > steps {
            self.told.push(told(world, cluster));
        }
        for it in world.of("cluster.x-k8s.io", "machinedeployments", cluster) {
            let name = it["metadata"]["name"].as_str().unwrap().to_owned();
            note(self.groups.entry(name).or_default(), it["spec"]["template"]["spec"]["version"].as_str());
        }
        let machines = world.of("cluster.x-k8s.io", "machines", cluster);
        let serves = |it: &&Value| it["metadata"]["labels"].get("cluster.x-k8s.io/control-plane").is_some();
        let runs = |it: &Value| it["status"]["nodeInfo"]["kubeletVersion"].as_str().and_then(minor);
        let (oldest, newest) = {
            let all = machines.iter().filter(serves).filter_map(runs);
            (all.clone().min(), all.max())
        };
        for worker in machines.iter().filter(|it| !serves(it)).filter_map(runs) {
            let fits = oldest.is_none_or(|oldest| worker <= oldest) && newest.is_none_or(|newest| newest - worker <= 3);
            if !fits {
                self.skewed.push(format!("a worker of 1.{worker} beside 1.{oldest:?} to 1.{newest:?}"));
            }
        }
        let now = world.get(&format!("/apis/headway.dev/v1alpha1/namespaces/{NAMESPACE}/clusterupgrades/{cluster}"));
        note(&mut self.waits, now["status"]["waitingOn"][0]["reason"].as_str());
        now
    }
}

/// What `headway status` says of a cluster: where it goes, and whether it is being updated.
fn told(world: &World, cluster: &str) -> (String, String) {
    // Built beside the operator: the tests of the whole workspace are.
    let headway = Path::new(env!("CARGO_BIN_EXE_headway-operator")).with_file_name("headway");
    let output = Command::new(headway)
        .args(["status", cluster, "--namespace", NAMESPACE, "--output", "json", "--kubeconfig"])
        .arg(world.plane.kubeconfig())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    (word(&report["cluster"]["versions"]["target"]), word(&report["activity"]))
}

fn note(seen: &mut Vec<String>, value: Option<&str>) {
    if let Some(value) = value
        && seen.last().is_none_or(|last| last != value)
    {
        seen.push(value.to_owned());
    }
}

#[test]
#[ignore = "ring 3: needs the managers of Cluster API, run by cargo xtask e2e"]
fn e2e_a_plain_cluster_is_driven_over_three_minors_and_a_death() {
    let begun = Instant::now();
    let world = World::start();
    let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/crds/clusterupgrades.headway.dev.yaml");
    world.plane.kubectl_text(&["apply", "--server-side", "-f", crds]).unwrap();
    let serving = world.plane.serving();
    let agreeing = Extension::start(serving, agreeing());
    world.register(&extension("agreeing", &agreeing.url(), &serving.bundle, &json!({})));
    world.create("the cluster is made", &plain("bare", WAY[0], &["bare-a", "bare-b"]));
    world.until("the cluster is there", 240, || {
        let now = world.cluster("bare");
        is(&now, "Available", "True") && is(&now, "RollingOut", "False")
    });
    world.apply("the upgrade", &upgrade("bare", WAY[3], &WAY));

    let mut seen = Seen::default();
    let operator = Operator::drive(&world.plane);
    world.until("the first step", 120, || {
        seen.look(&world, "bare");
        seen.control_plane.len() > 1
    });
    // It dies in the middle of a step, and another takes over.
    operator.kill();
    let _operator = Operator::drive(&world.plane);
    world.until("the cluster is upgraded", 420, || {
        let now = seen.look(&world, "bare");
        is(&now, "Ready", "True")
    });
    eprintln!("all of it: {:.0} s", begun.elapsed().as_secs_f64());

    assert_eq!(seen.control_plane, WAY, "{seen:#?}");
    for group in ["bare-a", "bare-b"] {
        assert_eq!(seen.groups[group], [WAY[0], WAY[3]], "{seen:#?}");
    }
    assert!(seen.skewed.is_empty(), "{:#?}", seen.skewed);
    let machines = world.of("cluster.x-k8s.io", "machines", "bare");
    assert_eq!(machines.len(), 3);
    for machine in machines {
        assert_eq!(machine["status"]["nodeInfo"]["kubeletVersion"], WAY[3], "done means that the nodes run it");
    }
    asked_in_order(&agreeing.calls());
    // Where it stands is told at each step, and at the end that nothing is under way.
    let going: Vec<(String, String)> = WAY[1..].iter().map(|to| ((*to).to_owned(), "Updating".to_owned())).collect();
    assert_eq!(seen.told[1..], going, "{:?}", seen.told);
    assert_eq!(told(&world, "bare"), (WAY[3].to_owned(), "NotUpdating".to_owned()));
    let done = seen.look(&world, "bare");
    let steps: Vec<&str> = done["status"]["history"][0]["steps"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|step| step["name"].as_str())
        .collect();
    assert_eq!(
        steps,
        ["control-plane/v1.32.4", "control-plane/v1.33.7", "control-plane/v1.34.0", "workers/v1.34.0"],
        "{done:#}"
    );
    for reason in ["ControlPlaneRollingOut", "WorkersRollingOut"] {
        assert!(seen.waits.iter().any(|wait| wait == reason), "{:?}", seen.waits);
    }
}

/// The moments of the upgrade came in their order, each for its version. Who died may have asked one twice.
fn asked_in_order(calls: &[Call]) {
    let mut expect = vec![format!("BeforeClusterUpgrade {}", WAY[3])];
    for version in &WAY[1..] {
        expect.push(format!("BeforeControlPlaneUpgrade {version}"));
        expect.push(format!("AfterControlPlaneUpgrade {version}"));
    }
    for hook in ["BeforeWorkersUpgrade", "AfterWorkersUpgrade", "AfterClusterUpgrade"] {
        expect.push(format!("{hook} {}", WAY[3]));
    }
    let of_upgrade = |call: &&Call| Lifecycle::OF_UPGRADE.iter().any(|hook| Hook::from(*hook).name() == call.hook);
    let mut order: Vec<String> = calls.iter().filter(of_upgrade).map(Call::about).collect();
    order.dedup();
    assert_eq!(order, expect);
}
