//! What comes of each script.

use std::fs;
use std::path::Path;

use headway_sim::{Script, rehearse};

#[test]
fn every_script_has_its_transcript() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/simulate");
    let mut cases: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|case| case.is_dir());
    cases.sort();
    assert!(cases.len() > 10, "{}", folder.display());
    for case in cases {
        let script = Script::read(&fs::read_to_string(case.join("script.txt")).unwrap()).unwrap();
        let mut transcript = String::new();
        let result = rehearse(&script, "2026-05-04T12:00:00Z".parse().unwrap(), &mut transcript);
        assert!(result.is_ok(), "{}: {result:?}\n{transcript}", case.display());
        assert!(transcript.lines().count() < 150, "{}: too long to be read", case.display());
        let expected = case.join("expected.txt");
        if std::env::var_os("HEADWAY_UPDATE").is_some() {
            fs::write(&expected, &transcript).unwrap();
        }
        assert_eq!(transcript, fs::read_to_string(&expected).unwrap_or_default(), "{}", case.display());
    }
}
