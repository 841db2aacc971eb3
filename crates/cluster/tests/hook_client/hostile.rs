//! Extensions that answer late, never, too much, or nonsense; each beside a good one, which must not feel it.

use std::sync::OnceLock;
use std::time::Duration;

use futures::future::join;
use headway_core::hook::Settled;
use tokio::net::TcpListener;

use super::certificates::{Authority, Leaf, Offer, server_tls};
use super::extension::{Extension, Reply, discovery};
use super::world::{World, chain, config, config_at, success};

/// A client, a good extension for `team=good`, and another for `team=bad` with the handlers `fail` and, for
/// `BeforeClusterDelete`, `ignore`.
struct Both {
    world: World,
    good: Extension,
    bad: Extension,
}

impl Both {
    async fn start() -> Self {
        Self::start_within(20).await
    }

    /// The bad one has so many seconds.
    async fn start_within(seconds: u32) -> Self {
        let authority = Authority::new("ours");
        let world = World::new();
        let good = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
        good.serves(&["gate:BeforeClusterUpgrade"]);
        good.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, "good"))]);
        let bad = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
        bad.serves_within(seconds, &["fail:BeforeClusterUpgrade", "ignore:BeforeClusterDelete?"]);
        let troubles = world.client.warm_up(vec![config("good", &good, &authority), config("bad", &bad, &authority)]);
        assert_eq!(troubles.await, []);
        Self { world, good, bad }
    }

    /// What a reply of the bad one comes to, for a handler that fails, while the good one is asked as well; and who of
    /// the two is done first.
    async fn check(&self, reply: Reply, expect: &str) -> &'static str {
        self.bad.answers("BeforeClusterUpgrade", vec![reply.clone()]);
        let first = OnceLock::new();
        let bad = async {
            let told = self.world.ask("cluster-bad", "team=bad").await;
            first.get_or_init(|| "bad");
            told
        };
        let good = async {
            let told = self.world.ask("cluster-good", "team=good").await;
            first.get_or_init(|| "good");
            told
        };
        let (told, good) = join(bad, good).await;
        assert_eq!(told, format!("! BeforeClusterUpgrade of fail.bad failed: {expect}"), "{reply:?}");
        assert_eq!(good, "go good", "{reply:?}");
        first.into_inner().unwrap()
    }

    /// What it comes to for a handler whose failures are passed over.
    async fn check_ignored(&self, reply: Reply, expect: &str) {
        use headway_api::hooks::LifecycleCall::BeforeClusterDelete;
        self.bad.answers("BeforeClusterDelete", vec![reply.clone()]);
        let told = self.world.ask_call("cluster-bad", "team=bad", &BeforeClusterDelete).await;
        assert_eq!(told, expect, "{reply:?}");
    }
}

fn text(text: &str) -> Reply {
    Reply::Text(text.into())
}

#[tokio::test]
async fn ch_5_late_and_never() {
    let both = Both::start_within(1).await;
    let late = Reply::Late(Duration::from_secs(30), success(0, ""));
    // Time is that of the whole call: a byte now and then does not make it longer.
    for reply in [late, Reply::Never, Reply::Trickle] {
        assert_eq!(both.check(reply, "no answer within 1s").await, "good");
    }
    // And it is heard again once it is well.
    both.bad.answers("BeforeClusterUpgrade", vec![text(&success(0, "well"))]);
    assert_eq!(both.world.ask("cluster-bad", "team=bad").await, "go well");
}

#[tokio::test]
async fn ch_5_5_only_200_is_an_answer() {
    let both = Both::start().await;
    both.check(Reply::Status(500, "boom\n\u{1b}[31m"), "it answered 500, which begins with \"boom  [31m\"").await;
    both.check(Reply::Status(404, ""), "it answered 404").await;
    both.check(Reply::Status(204, ""), "it answered 204").await;
    both.check(
        Reply::Status(201, r#"{"status": "Success"}"#),
        "it answered 201, which begins with \"{\\\"status\\\": \\\"Success\\\"}\"",
    )
    .await;
    both.check(Reply::Break, &broken(&both).await).await;
}

/// Whatever the connection says when it breaks: the words are those of the layers below.
async fn broken(both: &Both) -> String {
    both.bad.answers("BeforeClusterUpgrade", vec![Reply::Break]);
    let told = both.world.ask("cluster-bad", "team=bad").await;
    let why = told.strip_prefix("! BeforeClusterUpgrade of fail.bad failed: ").unwrap();
    assert!(why.starts_with("it cannot be reached: ") && why.len() > 25, "{why}");
    why.to_owned()
}

#[tokio::test]
async fn ch_9_2_redirects_are_not_followed() {
    let both = Both::start().await;
    let before = both.good.asked("BeforeClusterUpgrade").len();
    let elsewhere = format!("{}/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/gate", both.good.url());
    for (round, code) in [301, 302, 303, 307, 308].into_iter().enumerate() {
        let expect = format!("it answered {code}, and a redirect to \"{}…\" is not followed", &elsewhere[..80]);
        both.check(Reply::Redirect(code, elsewhere.clone()), &expect).await;
        // The good one was asked for its own cluster only.
        assert_eq!(both.good.asked("BeforeClusterUpgrade").len(), before + round + 1);
    }
    // To itself, without an end: it is asked once.
    let asked = both.bad.asked("BeforeClusterUpgrade").len();
    both.check(Reply::Redirect(302, "/".into()), "it answered 302, and a redirect to \"/\" is not followed").await;
    assert_eq!(both.bad.asked("BeforeClusterUpgrade").len(), asked + 1);
}

#[tokio::test]
async fn ch_b16_no_answer_is_longer_than_20_mib() {
    let both = Both::start().await;
    let large = |code, mib, is_announced| Reply::Large { code, mib, is_announced };
    let hook = |reply| {
        both.bad.answers("BeforeClusterUpgrade", vec![reply]);
        both.world.ask("cluster-bad", "team=bad")
    };
    let failed = |why: &str| format!("! BeforeClusterUpgrade of fail.bad failed: {why}");
    assert_eq!(hook(large(200, 100_000, true)).await, failed("it answered more than 20 MiB"));
    // What is not announced is counted.
    assert_eq!(hook(large(200, 100_000, false)).await, failed("it answered more than 20 MiB"));
    assert_eq!(hook(large(200, 21, false)).await, failed("it answered more than 20 MiB"));
    let within = failed("BeforeClusterUpgradeResponse is empty");
    assert_eq!(hook(large(200, 20, false)).await, within);
    // Of what is no answer only the beginning is read: the whole would take longer than there is time.
    assert_eq!(hook(large(500, 100_000, false)).await, failed("it answered 500"));
}

#[tokio::test]
async fn ch_5_6_nonsense_is_no_answer() {
    let both = Both::start().await;
    let kind = "BeforeClusterUpgradeResponse";
    let html = "<html><body>proxy login</body></html>";
    both.check(
        text(html),
        &format!("{kind} is not JSON; it begins with \"{html}\": expected value at line 1 column 1"),
    )
    .await;
    both.check(
        text("{\"status\": \"Suc"),
        &format!(
            "{kind} is not JSON; it begins with \"{{\\\"status\\\": \\\"Suc\": EOF while parsing a string at line 1 column 15"
        ),
    )
    .await;
    both.check(text(""), &format!("{kind} is empty")).await;
    both.check(text("[]"), &format!("{kind} is a list, not an object")).await;
    both.check(text("{}"), &format!("{kind}: status is missing")).await;
    both.check(
        text(r#"{"kind": "AfterClusterUpgradeResponse", "status": "Success"}"#),
        &format!("{kind}: kind is \"AfterClusterUpgradeResponse\""),
    )
    .await;
    both.check(
        text(r#"{"apiVersion": "v1", "status": "Success"}"#),
        &format!("{kind}: apiVersion is \"v1\", not hooks.runtime.cluster.x-k8s.io/v1alpha1"),
    )
    .await;
    both.check(
        text(r#"{"status": "Success", "retryAfterSeconds": "soon"}"#),
        &format!("{kind}: retryAfterSeconds is a string, not a number"),
    )
    .await;
    both.check(
        text(r#"{"status": "Success", "retryAfterSeconds": 99999999999}"#),
        &format!("{kind}: retryAfterSeconds is 99999999999, not a whole number of 32 bits"),
    )
    .await;
    both.check(text(r#"{"status": "OK"}"#), &format!("{kind}: status is \"OK\", neither Success nor Failure")).await;
    both.check(
        text(r#"{"status": "Failure", "message": "the rack is on fire"}"#),
        "it answered with Failure: the rack is on fire",
    )
    .await;
}

#[tokio::test]
async fn ch_5_6_outages_are_passed_over_where_the_policy_says_so() {
    let both = Both::start().await;
    let passed =
        |why: &str| format!("go | BeforeClusterDelete of ignore.bad failed: {why}; its failurePolicy passes over that");
    both.check_ignored(Reply::Status(500, ""), &passed("it answered 500")).await;
    both.check_ignored(
        text("<html>"),
        &passed(
            "BeforeClusterDeleteResponse is not JSON; it begins with \"<html>\": expected value at line 1 column 1",
        ),
    )
    .await;
    let impatient = Both::start_within(1).await;
    impatient.check_ignored(Reply::Never, &passed("no answer within 1s")).await;
    // Nothing of a broken answer is kept, and what is said counts.
    both.check_ignored(
        text(r#"{"status": "Success", "retryAfterSeconds": 30, "message": {}}"#),
        &passed("BeforeClusterDeleteResponse: message is an object, not a string"),
    )
    .await;
    both.check_ignored(
        text(r#"{"status": "Failure", "message": "no"}"#),
        "! BeforeClusterDelete of ignore.bad failed: it answered with Failure: no",
    )
    .await;
    both.check_ignored(
        text("{}"),
        "! BeforeClusterDelete of ignore.bad failed: BeforeClusterDeleteResponse: status is missing",
    )
    .await;
}

#[tokio::test]
async fn ch_b17_negative_times_hold_up_for_a_second() {
    let both = Both::start().await;
    both.bad.answers("BeforeClusterUpgrade", vec![text(&success(-30, "odd"))]);
    assert_eq!(both.world.ask("cluster-bad", "team=bad").await, "wait 1 odd");
    assert_eq!(both.world.ask("cluster-bad", "team=bad").await, "wait 1 odd");
    assert_eq!(both.bad.asked("BeforeClusterUpgrade").len(), 1);
    both.world.pass(1);
    assert_eq!(both.world.ask("cluster-bad", "team=bad").await, "wait 1 odd");
    assert_eq!(both.bad.asked("BeforeClusterUpgrade").len(), 2);
}

/// What Discovery of an extension with that certificate comes to.
async fn discovered(leaf: &Leaf, trusted: &Authority) -> String {
    let extension = Extension::start(server_tls(leaf, None, Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    let discovered = World::new().client.discover(config("ext", &extension, trusted)).await;
    match discovered.found {
        Ok(handlers) => format!("{} handlers", handlers.len()),
        Err(error) => chain(&error),
    }
}

#[tokio::test]
async fn ch_5_5_certificates_that_are_refused() {
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let refused = |why: &str| format!("! Discovery of ext failed: its certificate is refused: {why}");
    assert_eq!(discovered(&ours.leaf(), &ours).await, "1 handlers");
    assert_eq!(discovered(&ours.expired_leaf(), &ours).await, refused("certificate has expired"));
    assert_eq!(discovered(&ours.early_leaf(), &ours).await, refused("certificate is not yet valid"));
    assert_eq!(discovered(&theirs.leaf(), &ours).await, refused("certificate signed by unknown authority"));
    // An authority that was made anew: its certificates bear the name of the old one.
    let again = refused("certificate signed by unknown authority, which has the name of a known one");
    assert_eq!(discovered(&Authority::new("ours").leaf(), &ours).await, again);
    let for_clients = ours.leaf_with("127.0.0.1", |params| {
        params.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::ClientAuth];
    });
    assert_eq!(discovered(&for_clients, &ours).await, refused("certificate is for another purpose"));
    let other_name = ours.leaf_with("ext.other.svc", |_| ());
    assert_eq!(discovered(&other_name, &ours).await, refused("certificate is valid for another name"));
}

#[tokio::test]
async fn ch_5_5_without_a_bundle_the_system_decides() {
    let ours = Authority::new("ours");
    let extension = Extension::start(server_tls(&ours.leaf(), None, Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    let mut config = config("ext", &extension, &ours);
    config.spec.client_config.ca_bundle.clear();
    let told = chain(&World::new().client.discover(config).await.found.unwrap_err());
    // A system without certificates trusts nobody either.
    let stranger = told.ends_with("its certificate is refused: certificate signed by unknown authority");
    assert!(stranger || told.contains("caBundle is empty, and no certificates of the system can be read"), "{told}");
    assert_eq!(extension.asked("discovery").len(), 0);
}

#[tokio::test]
async fn ch_5_1_bundles_that_are_none() {
    let ours = Authority::new("ours");
    let check = async |bundle: &str, why: &str| {
        let extension = Extension::start(server_tls(&ours.leaf(), None, Offer::Both)).await;
        let mut config = config("ext", &extension, &ours);
        config.spec.client_config.ca_bundle = bundle.into();
        let error = World::new().client.discover(config).await.found.unwrap_err();
        let expect = format!("! Discovery of ext failed: its clientConfig cannot be used: caBundle {why}");
        assert_eq!(chain(&error), expect, "{bundle}");
    };
    check("%%%", "is not base64").await;
    check("bm8gcGVt", "holds no certificate in PEM").await;
}

#[tokio::test]
async fn nobody_there_and_nobody_who_speaks_tls() {
    let ours = Authority::new("ours");
    let discovered = async |url: &str| {
        let found = World::new().client.discover(config_at("ext", url, &ours)).await.found;
        chain(&found.unwrap_err())
    };
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let told = discovered(&format!("https://{free}")).await;
    assert_eq!(told, "! Discovery of ext failed: it cannot be reached: connection refused");
    // A port that answers in plain HTTP.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let plain = listener.local_addr().unwrap();
    tokio::spawn(async move {
        use tokio::io::AsyncWriteExt;
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let told = discovered(&format!("https://{plain}")).await;
    assert!(told.starts_with("! Discovery of ext failed: it cannot be reached: "), "{told}");
    assert!(told.contains("corrupt message") || told.contains("reset"), "{told}");
    // A port that takes connections and says nothing.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let impatient = World::with(|options| options.timing.discovery = Duration::from_secs(1));
    let told = chain(&impatient.client.discover(config_at("ext", &url, &ours)).await.found.unwrap_err());
    assert_eq!(told, "! Discovery of ext failed: no answer within 1s");
    let told = discovered("http://127.0.0.1:80").await;
    assert!(told.ends_with("its clientConfig cannot be used: url \"http://127.0.0.1:80\" does not begin with https"));
}

#[tokio::test]
async fn ch_5_2_discoveries_that_cannot_be_registered() {
    let ours = Authority::new("ours");
    let extension = Extension::start(server_tls(&ours.leaf(), None, Offer::Both)).await;
    let world = World::new();
    world.client.list(Vec::new());
    let check = async |reply: Reply, why: &str| {
        extension.answers("discovery", vec![reply.clone()]);
        let discovered = world.client.discover(config("ext", &extension, &ours)).await;
        assert_eq!(discovered.settled, Settled::Taken);
        let told = chain(&discovered.found.unwrap_err());
        assert_eq!(told, format!("! Discovery of ext failed: {why}"), "{reply:?}");
        // Its clusters wait and say for whom, and no others do.
        let waits = world.ask("cluster-1", "team=ext").await;
        assert!(waits.starts_with("! BeforeClusterUpgrade cannot be asked: it is not known what these extensions"));
        assert!(waits.contains(&format!("ext: Discovery of ext failed: {why}")), "{waits}");
        assert_eq!(world.ask("cluster-2", "team=other").await, "go");
    };
    let rules = "the answer to Discovery cannot be registered: handlers";
    check(
        text(&discovery(&["gate:BeforeClusterUpgrade", "gate:AfterClusterUpgrade"])),
        &format!("{rules}[1]: \"gate\" is the name of handlers[0] already (rule D2)"),
    )
    .await;
    check(
        text(&discovery(&["Gate_1:BeforeClusterUpgrade"])),
        &format!("{rules}[0]: the name \"Gate_1\" is not a DNS label (rule D1)"),
    )
    .await;
    check(
        text(&discovery(&["gate:BeforeLunch"])),
        &format!(
            "{rules}[0] \"gate\": there is no hook \"BeforeLunch\" of \"hooks.runtime.cluster.x-k8s.io/v1alpha1\" \
             (rule D5)"
        ),
    )
    .await;
    check(text("{}"), "DiscoveryResponse: status is missing").await;
    check(text(r#"{"status": "Failure", "message": "not now"}"#), "it answered with Failure: not now").await;
    check(Reply::Status(503, "down"), "it answered 503, which begins with \"down\"").await;
    check(
        Reply::Redirect(302, extension.url()),
        &format!("it answered 302, and a redirect to \"{}\" is not followed", extension.url()),
    )
    .await;
    check(Reply::Large { code: 200, mib: 30, is_announced: true }, "it answered more than 20 MiB").await;
    let impatient = World::with(|options| options.timing.discovery = Duration::from_secs(1));
    extension.answers("discovery", vec![Reply::Never]);
    let told = impatient.client.discover(config("ext", &extension, &ours)).await.found.unwrap_err();
    assert_eq!(chain(&told), "! Discovery of ext failed: no answer within 1s");
    // Mended, it is registered.
    extension.serves(&["gate:AfterClusterUpgrade"]);
    assert!(world.client.discover(config("ext", &extension, &ours)).await.found.is_ok());
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go");
    assert_eq!(world.client.troubles(), []);
}
