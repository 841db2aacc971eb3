//! Definitions of ours for kinds of others: enough for an API server to store
//! and serve them, with no word of their schemas.

/// All of them; a test holds that none is left out.
pub(crate) const FOREIGN: &[(&str, &str)] = &[
    ("config.openshift.io.yaml", include_str!("../../../testenv/crds/config.openshift.io.yaml")),
    ("hypershift.openshift.io.yaml", include_str!("../../../testenv/crds/hypershift.openshift.io.yaml")),
    (
        "machineconfiguration.openshift.io.yaml",
        include_str!("../../../testenv/crds/machineconfiguration.openshift.io.yaml"),
    ),
    ("monitoring.coreos.com.yaml", include_str!("../../../testenv/crds/monitoring.coreos.com.yaml")),
    ("route.openshift.io.yaml", include_str!("../../../testenv/crds/route.openshift.io.yaml")),
];

/// All of them as one stream of documents.
pub(crate) fn foreign() -> String {
    FOREIGN.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("---\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn no_definition_is_left_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testenv/crds");
        let mut there: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        there.sort();
        let named: Vec<&str> = FOREIGN.iter().map(|(name, _)| *name).collect();
        assert_eq!(there, named);
    }
}
