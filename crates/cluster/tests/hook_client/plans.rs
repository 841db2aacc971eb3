//! Extensions that plan (2.4, 10-14).

use headway_api::plan::Plan;
use headway_cluster::hook_client::About;
use headway_core::plan::{Facts, PlanError, Situation};
use serde_json::json;

use super::certificates::{Authority, Offer, server_tls};
use super::extension::{Extension, Reply};
use super::world::{World, cluster, config, labels};

async fn planner(authority: &Authority) -> (World, Extension) {
    let world = World::new();
    let extension = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
    extension.serves(&["plan:GenerateUpgradePlan?"]);
    assert_eq!(world.client.warm_up(vec![config("ext", &extension, authority)]).await, []);
    (world, extension)
}

fn answer(versions: &str) -> Reply {
    let steps: Vec<_> = versions.split_whitespace().map(|version| json!({"version": version})).collect();
    Reply::Text(json!({"status": "Success", "controlPlaneUpgrades": steps}).to_string())
}

async fn made(world: &World, name: &str, uid: &str, from: &str) -> Result<Plan, PlanError> {
    let (target, control_plane) = ("v1.33.0".to_owned(), Some(from.to_owned()));
    let situation = Situation::read(&Facts { target, control_plane, groups: Vec::new() }).unwrap();
    let (cluster, namespace) = (cluster(uid), labels("team=ext"));
    world.client.plan(name, About { cluster: &cluster, namespace: &namespace }, &situation).await
}

async fn told(world: &World, from: &str) -> String {
    match made(world, "plan.ext", "cluster-1", from).await {
        Ok(plan) => plan.control_plane.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Err(error) => error.rule().to_string(),
    }
}

#[tokio::test]
async fn ch_2_4_a_plan_is_asked_for_once_in_ten_minutes() {
    let authority = Authority::new("ours");
    let (world, extension) = planner(&authority).await;
    let count = || extension.asked("GenerateUpgradePlan").len();
    extension.answers("GenerateUpgradePlan", vec![answer("v1.32.0 v1.33.0")]);
    for _ in 0..3 {
        assert_eq!(told(&world, "v1.31.0").await, "v1.32.0 v1.33.0");
        world.pass(199);
    }
    assert_eq!(count(), 1);
    let sent = extension.asked("GenerateUpgradePlan").remove(0).body;
    assert_eq!(sent["fromControlPlaneKubernetesVersion"], "v1.31.0");
    assert_eq!(sent["toKubernetesVersion"], "v1.33.0");
    assert_eq!(sent["cluster"]["status"], json!(null));
    world.pass(3);
    assert_eq!(told(&world, "v1.31.0").await, "v1.32.0 v1.33.0");
    assert_eq!(count(), 2);
    // Another question, another cluster, another configuration.
    extension.answers("GenerateUpgradePlan", vec![answer("v1.33.0")]);
    assert_eq!(told(&world, "v1.32.0").await, "v1.33.0");
    assert_eq!(count(), 3);
    assert!(made(&world, "plan.ext", "cluster-2", "v1.32.0").await.is_ok());
    assert_eq!(count(), 4);
    let mut changed = config("ext", &extension, &authority);
    changed.metadata.generation = Some(2);
    assert!(world.client.discover(changed).await.found.is_ok());
    assert_eq!(told(&world, "v1.32.0").await, "v1.33.0");
    assert_eq!(count(), 5);
    // At the target nobody is asked.
    assert_eq!(told(&world, "v1.33.0").await, "");
    assert_eq!(count(), 5);
}

#[tokio::test]
async fn ch_b14_what_is_no_plan_is_asked_for_again() {
    let authority = Authority::new("ours");
    let (world, extension) = planner(&authority).await;
    let check = async |reply: Reply, expect: &str| {
        extension.answers("GenerateUpgradePlan", vec![reply.clone()]);
        let before = extension.asked("GenerateUpgradePlan").len();
        for _ in 0..2 {
            assert_eq!(told(&world, "v1.31.0").await, expect, "{reply:?}");
        }
        assert_eq!(extension.asked("GenerateUpgradePlan").len(), before + 2, "{reply:?}");
    };
    check(answer(""), "C4").await;
    check(answer("v1.33.0"), "C3").await;
    check(answer("1.32.0 1.33.0"), "X1").await;
    check(answer("v1.32.0 v1.32.0 v1.33.0"), "C2").await;
    check(answer("v1.32.0 v1.31.0 v1.32.0 v1.33.0"), "C2").await;
    check(answer("v1.32.0 <html> v1.33.0"), "C1").await;
    check(answer("v1.32.0 v1.33.0 v1.34.0"), "C4").await;
    // An outage is no plan, whatever the failurePolicy, which is Ignore here.
    check(Reply::Status(500, ""), "X2").await;
    check(Reply::Text("<html>".into()), "X2").await;
    check(Reply::Text(json!({"status": "Failure", "message": "no"}).to_string()), "X2").await;
    check(Reply::Text(json!({"status": "Success", "controlPlaneUpgrades": [{}]}).to_string()), "X2").await;
    // Mended, it is heard at once, and then kept.
    extension.answers("GenerateUpgradePlan", vec![answer("v1.32.0 v1.33.0")]);
    let before = extension.asked("GenerateUpgradePlan").len();
    for _ in 0..2 {
        assert_eq!(told(&world, "v1.31.0").await, "v1.32.0 v1.33.0");
    }
    assert_eq!(extension.asked("GenerateUpgradePlan").len(), before + 1);
}

#[tokio::test]
async fn ch_2_4_who_was_named_must_be_there() {
    let authority = Authority::new("ours");
    let (world, extension) = planner(&authority).await;
    extension.answers("GenerateUpgradePlan", vec![Reply::Status(500, "boom")]);
    let check = async |name: &str, expect: &str| {
        assert_eq!(made(&world, name, "cluster-1", "v1.31.0").await.unwrap_err().to_string(), expect);
    };
    check("plan.ext", "no plan from extension plan.ext: \"it answered 500, which begins with \\\"boom\\\"\" (rule X2)")
        .await;
    check("plan.gone", "no plan from extension plan.gone: \"no extension has a handler plan.gone\" (rule X2)").await;
}
