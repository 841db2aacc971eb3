//! Rendered examples: the objects that are published of some recordings, kept in `docs/examples` for who wants to see
//! one. Whether the API server takes them is tested in `kinds`.

#[cfg(test)]
#[path = "kinds/recording.rs"]
mod recording;

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod rendered {
    use std::fs;

    use serde_json::{Value, json};

    use headway_core::memory::Memory;
    use headway_core::publish::{self, Level, Source};

    use super::recording::{example, root, writer};

    /// Set to 1, it makes the test write the files instead of comparing them.
    const UPDATE: &str = "HEADWAY_UPDATE";

    /// The examples that are rendered.
    const RENDERED: [&str; 3] = ["drain-blocked", "goes-well", "paused-pool"];

    fn object(kind: &str, name: &str, status: Value) -> String {
        let object = json!({
            "apiVersion": "update.openshift.io/v1alpha1",
            "kind": kind,
            "metadata": { "name": name },
            "spec": {},
            "status": status,
        });
        serde_saphyr::to_string(&object).unwrap()
    }

    #[test]
    fn us_r22_rendered_examples_are_what_is_published() {
        for name in RENDERED {
            let report = example(&root().join("examples").join(name));
            let (memory, writer) = (Memory::default(), writer());
            let source = Source { report: &report, memory: &memory, writer: &writer, past: None };
            let mut text = format!("# What is published of examples/{name}. Kept by a test: do not edit.\n");
            text.push_str(&object("UpdateStatus", "cluster", json!(publish::status(source, Level::FULL).status)));
            for shard in publish::shards(source, |_| None) {
                text.push_str("---\n");
                text.push_str(&object("PoolUpdateStatus", &shard.name, json!(shard.status)));
            }
            let path = root().join("docs/examples").join(format!("{name}.yaml"));
            if std::env::var_os(UPDATE).is_some_and(|value| value == "1") {
                fs::write(&path, text).unwrap();
                continue;
            }
            let kept = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                kept == text,
                "{} is not what is published now; if that is right: {UPDATE}=1 cargo test -p headway-operator --test rendered",
                path.display()
            );
        }
    }
}
