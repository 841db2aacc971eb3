//! Archives of people who mean harm: what leads elsewhere is refused by name, what would fill the memory is bounded.

use flate2::Compression;
use flate2::write::GzEncoder;
use headway_api::gap::GapKind;
use headway_cluster::gather::Gathered;
use std::io::Write;
use tar::EntryType;
use tempfile::tempdir;

use super::archive::{gzip, of};
use super::cluster::{Files, cluster, file, must_gather, node, under};
use super::reading::{assert_gap, gather_bounded, nodes};

/// A name that leaves room in headers.
const IMAGE: &str = "m";

/// An entry whose name the library would not write.
fn entry(name: &str, kind: EntryType, link: &str, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(content.len().try_into().unwrap());
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// The files of a must-gather whose names fit into headers.
fn files() -> Files {
    let mut objects = cluster();
    objects.retain(|object| object.kind != "Deployment");
    under(IMAGE, must_gather(&objects))
}

/// The cluster's archive with other entries in the middle of it.
fn with(strange: &[u8]) -> Gathered {
    let mut bytes = Vec::new();
    for (at, (name, text)) in files().iter().enumerate() {
        bytes.extend(entry(name, EntryType::Regular, "", text));
        if at == 3 {
            bytes.extend_from_slice(strange);
        }
    }
    bytes.resize(bytes.len() + 1024, 0);
    of("a.tar.gz", &gzip(&bytes)).unwrap()
}

#[test]
fn what_leads_elsewhere_is_refused_by_name() {
    let evil = node("evil", "worker", "old").yaml().into_bytes();
    let whole = with(b"");
    assert_eq!(whole.snapshot.gaps, Vec::new());
    let check = |name: &str, kind: EntryType, link: &str, gap: GapKind, says: &str| {
        let found = with(&entry(name, kind, link, if kind == EntryType::Regular { &evil } else { b"" }));
        assert_gap(&found.snapshot.gaps, gap, &[name, says]);
        assert_eq!(found.snapshot.gaps.len(), 1, "{name}");
        assert_eq!(found.snapshot.nodes, whole.snapshot.nodes, "{name}: the rest is read, and nothing of this");
    };
    use EntryType as E;
    use GapKind::{Optional, Refused};
    let nodes = format!("{IMAGE}/cluster-scoped-resources/core/nodes");
    check(&format!("{nodes}/../nodes/evil.yaml"), E::Regular, "", Refused, "leads out");
    check("../evil.yaml", E::Regular, "", Refused, "leads out");
    check("x/../../../../etc/passwd", E::Regular, "", Refused, "leads out");
    check("/cluster-scoped-resources/core/nodes/evil.yaml", E::Regular, "", Refused, "absolute");
    check("c:\\cluster-scoped-resources\\evil.yaml", E::Regular, "", Refused, "foreign path");
    check(&format!("{nodes}/evil.yaml"), E::Symlink, "/etc/passwd", Refused, "a link");
    check(&format!("{nodes}/evil.yaml"), E::Link, "a/b.yaml", Refused, "a link");
    check(&nodes, E::Symlink, "/var/lib", Refused, "a link");
    check(&format!("{nodes}/evil.yaml"), E::Char, "", Refused, "neither");
    check(&format!("{nodes}/evil.yaml"), E::Block, "", Refused, "neither");
    check(&format!("{nodes}/evil.yaml"), E::Fifo, "", Refused, "neither");
    // These would not have been read from a folder either.
    check("latest", E::Symlink, "must-gather", Optional, "a link");
    check("dev/null", E::Char, "", Optional, "neither");
}

#[test]
fn a_bomb_is_refused_at_the_bound() {
    let folder = tempdir().unwrap();
    let zeros = vec![0; 8 << 20];
    let bomb = format!("{IMAGE}/cluster-scoped-resources/core/nodes/bomb.yaml");
    let mut bytes = entry(&bomb, EntryType::Regular, "", &zeros);
    for (name, text) in files() {
        bytes.extend(entry(&name, EntryType::Regular, "", &text));
    }
    bytes.resize(bytes.len() + 1024, 0);
    let small = gzip(&bytes);
    assert!(small.len() < 40_000, "{}", small.len());
    let found = gather_bounded(&file(folder.path(), "a.tgz", &small), 1 << 20).unwrap();
    assert_gap(&found.snapshot.gaps, GapKind::Refused, &["bomb.yaml", "larger than 1048576 bytes"]);
    assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"]);
    // The same without a header that says how large it is.
    let error = gather_bounded(&file(folder.path(), "b.gz", gzip(&zeros)), 1 << 20).unwrap_err().to_string();
    assert!(error.contains("b.gz") && error.contains("larger than 1048576 bytes"), "{error}");
}

#[test]
fn a_header_that_lies_about_its_size_reserves_nothing() {
    let nodes = format!("{IMAGE}/cluster-scoped-resources/core/nodes");
    let mut lying = entry(&format!("{nodes}/w-9.yaml"), EntryType::Regular, "", b"");
    let mut header = tar::Header::from_byte_slice(&lying[..512]).clone();
    header.set_size((1 << 30) - 1);
    header.set_cksum();
    lying[..512].copy_from_slice(header.as_bytes());
    let mut bytes =
        entry(&format!("{nodes}/w-0.yaml"), EntryType::Regular, "", node("w-0", "worker", "old").yaml().as_bytes());
    bytes.extend(lying);
    bytes.extend_from_slice(b"apiVersion: v1\n");
    let found = of("a.tar", &bytes).unwrap();
    assert_eq!(super::reading::nodes(&found), ["w-0"]);
    assert_gap(&found.snapshot.gaps, GapKind::Unreadable, &["a.tar", "metadata.name"]);
}

#[test]
fn a_name_that_never_ends_is_not_kept_in_memory() {
    // 16 MB of name in 16 KB; the library that reads tars keeps names whole.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let first = entry(
        "cluster-scoped-resources/core/nodes/w-0.yaml",
        EntryType::Regular,
        "",
        node("w-0", "worker", "old").yaml().as_bytes(),
    );
    encoder.write_all(&first).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(16 << 20);
    header.set_cksum();
    encoder.write_all(header.as_bytes()).unwrap();
    for _ in 0..16 {
        encoder.write_all(&vec![b'a'; 1 << 20]).unwrap();
    }
    let found = of("a.tgz", &encoder.finish().unwrap()).unwrap();
    assert_eq!(nodes(&found), ["w-0"]);
    assert_gap(&found.snapshot.gaps, GapKind::Unreadable, &["a.tgz", "too long"]);
}

#[test]
fn long_names_of_honest_people_are_read() {
    let long = format!("{}/{IMAGE}/cluster-scoped-resources/core/nodes/w-0.yaml", "x".repeat(300));
    let files = [(long, node("w-0", "worker", "old").yaml().into_bytes())];
    let found = of("a.tar", &super::archive::tar(&files)).unwrap();
    assert_eq!(nodes(&found), ["w-0"]);
    assert_eq!(found.snapshot.gaps, Vec::new());
}
