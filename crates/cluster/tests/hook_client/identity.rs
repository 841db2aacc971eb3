//! Extensions that ask who we are.

use std::fs;

use headway_cluster::hook_client::IdentityFiles;
use rcgen::ExtendedKeyUsagePurpose;

use super::certificates::{Authority, Leaf, Offer, server_tls};
use super::extension::{Extension, Reply};
use super::world::{World, chain, config, success};

fn client_leaf(authority: &Authority) -> Leaf {
    authority.leaf_with("headway", |params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth])
}

#[tokio::test]
async fn ch_5_5_our_certificate_is_shown_and_read_anew() {
    let (servers, clients) = (Authority::new("servers"), Authority::new("clients"));
    let folder = tempfile::tempdir().unwrap();
    let files = IdentityFiles { certificate: folder.path().join("tls.crt"), key: folder.path().join("tls.key") };
    let write = |leaf: &Leaf| {
        fs::write(&files.certificate, &leaf.certificate).unwrap();
        fs::write(&files.key, &leaf.key).unwrap();
    };
    let extension = Extension::start(server_tls(&servers.leaf(), Some(&clients), Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, "known"))]);
    let config = config("ext", &extension, &servers);

    // Without one, it does not talk to us.
    let told = chain(&World::new().client.discover(config.clone()).await.found.unwrap_err());
    assert!(told.starts_with("! Discovery of ext failed: it cannot be reached: "), "{told}");
    assert!(told.to_lowercase().contains("certificate"), "{told}");

    // Files that are not there: our fault, and it says which.
    let world = World::with_identity(files.clone());
    let told = chain(&world.client.discover(config.clone()).await.found.unwrap_err());
    let path = files.certificate.display();
    let expect = format!("our client certificate cannot be used: cannot read {path}: no such file or directory");
    assert_eq!(told, format!("! Discovery of ext failed: {expect}"));

    write(&client_leaf(&clients));
    assert_eq!(world.client.warm_up(vec![config.clone()]).await, []);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go known");
    // Renewed, it is shown from the next call on.
    write(&client_leaf(&clients));
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go known");
    let shown: Vec<_> = extension.asked("BeforeClusterUpgrade").into_iter().map(|asked| asked.certificate).collect();
    let [Some(first), Some(second)] = shown.as_slice() else { panic!("{shown:?}") };
    assert_ne!(first, second);

    // A file that was written half: the call fails for that reason, whatever the extension's failurePolicy.
    fs::write(&files.key, "-----BEGIN PRIVATE KEY-----\n").unwrap();
    let told = world.ask("cluster-1", "team=ext").await;
    let start = "! BeforeClusterUpgrade of gate.ext failed: our client certificate cannot be used: its key: ";
    assert!(told.starts_with(start), "{told}");
}
