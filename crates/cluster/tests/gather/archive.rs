//! Archives of honest people: the same as the folder, in any order, and what is left of one that was cut off.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use headway_api::gap::GapKind;
use headway_cluster::gather::{GatherError, Gathered};
use tempfile::tempdir;

use super::cluster::{Files, IMAGE, cluster, file, must_gather, must_gather_of_lists, under, write};
use super::reading::{assert_gap, gather, gather_bounded, gathered, nodes};

/// A tar of files; a name that ends in a slash is a folder.
pub(super) fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(if name.ends_with('/') { tar::EntryType::Directory } else { tar::EntryType::Regular });
        header.set_size(text.len().try_into().unwrap());
        header.set_mode(0o644);
        builder.append_data(&mut header, name, text.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Gathers an archive of this name and content.
pub(super) fn of(name: &str, bytes: &[u8]) -> Result<Gathered, GatherError> {
    let folder = tempdir().unwrap();
    gather(&file(folder.path(), name, bytes))
}

#[test]
fn an_archive_is_what_its_folder_is() {
    let check = |form: &str, files: &[(String, Vec<u8>)]| {
        let folder = tempdir().unwrap();
        write(folder.path(), files);
        let expect = gathered(folder.path());
        assert_eq!(expect.snapshot.gaps, Vec::new(), "{form}");
        let backwards: Vec<_> = files.iter().rev().cloned().collect();
        let folders = folders_of(files);
        for (order, files) in [("forwards", files), ("backwards", &backwards), ("with folders", &folders)] {
            let bytes = tar(files);
            for (name, bytes) in [("a.tar", bytes.clone()), ("a.tar.gz", gzip(&bytes)), ("a.tgz", gzip(&bytes))] {
                let found = of(name, &bytes).unwrap_or_else(|error| panic!("{form}, {order}, {name}: {error}"));
                assert_eq!(found.snapshot.gaps, Vec::new(), "{form}, {order}, {name}");
                assert_eq!(found.recorded_at, expect.recorded_at, "{form}, {order}, {name}");
                assert_eq!(found.snapshot, expect.snapshot, "{form}, {order}, {name}");
            }
        }
    };
    let with_alerts = |mut files: Files| {
        let alert = |at: &str| {
            format!(r#"{{"labels": {{"alertname": "A"}}, "state": "firing", "activeAt": "2026-05-04T08:{at}:00Z"}}"#)
        };
        let alerts = format!(r#"{{"status": "success", "data": {{"alerts": [{}]}}}}"#, alert("20"));
        let rule = format!(r#"{{"type": "alerting", "duration": 60, "alerts": [{}]}}"#, alert("20"));
        let rules = format!(r#"{{"status": "success", "data": {{"groups": [{{"rules": [{rule}]}}]}}}}"#);
        files.push(("monitoring/prometheus/alerts.json".into(), alerts.into()));
        files.push(("monitoring/prometheus/rules.json".into(), rules.into()));
        // Most of a must-gather says nothing about an update, and need not even be well-formed.
        files.push(("etcd_info/endpoint_health.json".into(), "{ nothing".into()));
        files.push(("static-pods/a.yaml".into(), "a: [".into()));
        // Packers of one kind of desk computer leave such files.
        files.push(("cluster-scoped-resources/core/nodes/._w-0.yaml".into(), vec![0, 5, 22, 7]));
        files
    };
    let objects = cluster();
    check("objects", &under(IMAGE, with_alerts(must_gather(&objects))));
    check("lists", &under("must-gather.local.1", under(IMAGE, with_alerts(must_gather_of_lists(&objects)))));
    check("no outer folder", &with_alerts(must_gather(&objects)));
    let plain = objects.iter().map(|object| (format!("x/{}-{}.yaml", object.plural(), object.name), object.yaml()));
    check("plain files", &plain.map(|(name, text)| (name, text.into_bytes())).collect::<Vec<_>>());
}

/// The files with an entry for each folder before them, as tar writes them.
fn folders_of(files: &[(String, Vec<u8>)]) -> Files {
    let mut folders: Vec<String> = files
        .iter()
        .flat_map(|(name, _)| Path::new(name).ancestors().skip(1).map(Path::to_owned).collect::<Vec<PathBuf>>())
        .map(|folder| format!("{}/", folder.display()))
        .filter(|folder| folder != "/")
        .collect();
    folders.sort();
    folders.dedup();
    folders.into_iter().map(|folder| (folder, Vec::new())).chain(files.iter().cloned()).collect()
}

#[test]
fn an_empty_folder_in_an_archive_counts_as_seen() {
    let mut files = under(IMAGE, must_gather(&cluster()[..1]));
    files.push((format!("{IMAGE}/cluster-scoped-resources/core/nodes/"), Vec::new()));
    let found = of("a.tar", &tar(&files)).unwrap();
    assert!(found.snapshot.seen.nodes);
    assert!(!found.snapshot.seen.pools);
}

#[test]
fn a_cut_off_archive_keeps_what_came_before() {
    let mut files = Vec::new();
    // Content that does not compress well, so that a cut hits the middle.
    for (at, object) in cluster().into_iter().enumerate() {
        let place = format!("{IMAGE}/{}/{}/{}.yaml", object.group(), object.plural(), object.name);
        files.push((place, format!("{}# {at}\n", object.yaml()).into_bytes()));
    }
    let whole = tar(&files);
    let check = |name: &str, bytes: &[u8], share: usize| {
        let cut = &bytes[..bytes.len() * share / 100];
        match of(name, cut) {
            Ok(found) => {
                assert!(found.snapshot.cluster_version.is_some(), "{name} at {share} %");
                assert_gap(&found.snapshot.gaps, GapKind::Unreadable, &[name]);
                assert!(found.snapshot.pods.len() < 3, "{name} at {share} %");
            }
            Err(error) => {
                assert!(error.to_string().contains(name), "{error}");
                assert!(share < 10, "{name} at {share} %: {error}");
            }
        }
    };
    for share in [1, 5, 30, 45, 60, 75] {
        check("a.tar", &whole, share);
        check("a.tar.gz", &gzip(&whole), share);
    }
}

#[test]
fn an_archive_that_was_cut_off_between_entries_is_told() {
    let whole = tar(&under(IMAGE, must_gather(&cluster())));
    let blocks = whole.len() / 512;
    let last = whole.windows(9).position(|window| window == b"timestamp").unwrap() / 512 * 512;
    let found = of("a.tar", &whole[..last]).unwrap();
    assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"]);
    assert_gap(&found.snapshot.gaps, GapKind::Unreadable, &["a.tar", "no end mark"]);
    // One block of zeros is enough.
    assert_eq!(of("a.tar", &whole[..(blocks - 1) * 512]).unwrap().snapshot.gaps, Vec::new());
}

#[test]
fn a_damaged_archive_keeps_what_came_before() {
    let files = under(IMAGE, must_gather(&cluster()));
    let mut bytes = tar(&files);
    let at = bytes.windows(8).position(|window| window == b"w-1.yaml").unwrap();
    bytes[at - 3] = b'!';
    let found = of("a.tar", &bytes).unwrap();
    assert_eq!(nodes(&found), ["cp-0", "w-0"]);
    assert_gap(&found.snapshot.gaps, GapKind::Unreadable, &["a.tar", "damaged"]);
}

#[test]
fn an_archive_without_anything_to_use_says_so() {
    let check = |name: &str, bytes: &[u8], says: &[&str]| {
        let error = of(name, bytes).unwrap_err().to_string();
        for part in says {
            assert!(error.contains(part), "{name}: {error}");
        }
    };
    let pictures = tar(&[("a/b.png".into(), vec![0, 1, 2]), ("a/c.txt".into(), b"hello".to_vec())]);
    check("a.tar", &pictures, &["a.tar", "no YAML or JSON file"]);
    check("a.tgz", &gzip(&pictures), &["a.tgz", "no YAML or JSON file"]);
    let chart = tar(&[("chart/values.yaml".into(), b"replicas: 3\n".to_vec())]);
    check("a.tar.gz", &gzip(&chart), &["a.tar.gz", "no Kubernetes object"]);
    check("a.tar.gz", b"", &["a.tar.gz"]);
    check("a.tar", b"not an archive, not YAML: [", &["a.tar"]);
    check("a.tar.gz", &gzip(b"")[..12], &["a.tar.gz"]);
    check("a.tar", &[0; 10_240], &["a.tar"]);
}

#[test]
fn a_compressed_text_is_read_as_text() {
    let text: String = cluster().iter().map(|object| object.yaml() + "---\n").collect();
    let found = of("all.yaml.gz", &gzip(text.as_bytes())).unwrap();
    assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"]);
}

#[test]
fn the_bound_holds_for_entries_and_files() {
    let mut objects = cluster();
    let large = objects.iter_mut().find(|object| object.name == "w-0").unwrap();
    large.value["status"]["filler"] = "x".repeat(20_000).into();
    let files = under(IMAGE, must_gather(&objects));
    let folder = tempdir().unwrap();
    write(folder.path(), &files);
    let archive = tempdir().unwrap();
    for path in [folder.path().to_owned(), file(archive.path(), "a.tgz", gzip(&tar(&files)))] {
        let found = gather_bounded(&path, 10_000).unwrap();
        assert_eq!(nodes(&found), ["cp-0", "w-1"], "{}", path.display());
        assert_gap(&found.snapshot.gaps, GapKind::Refused, &["w-0.yaml", "10000 bytes", "--max-file-size"]);
        assert_eq!(found.snapshot.gaps.len(), 1);
        assert_eq!(nodes(&gather_bounded(&path, 30_000).unwrap()), ["cp-0", "w-0", "w-1"]);
    }
}
