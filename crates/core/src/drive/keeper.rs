//! Who keeps a field of an object, by its managed fields: where somebody else does, a write of ours would be undone, or
//! would undo what they say.
//!
//! Whoever applies a field goes on to do so: GitOps, and people with `kubectl apply --server-side`. Whoever updated it
//! once did so and went, but for those that are known to come back.

use serde_json::Value;

/// What applies without server-side apply and comes back.
const COMES_BACK: [&str; 2] = ["argocd-controller", "argocd-application-controller"];

/// One entry of `metadata.managedFields`.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// `manager`.
    pub manager: &'a str,
    /// `operation`: `Apply` or `Update`.
    pub operation: &'a str,
    /// `fieldsV1`.
    pub fields: Option<&'a Value>,
}

/// Who keeps the field of this path, if anybody but us does.
pub fn of<'a>(entries: impl Iterator<Item = Entry<'a>>, path: &[&str], us: &str) -> Option<String> {
    let keeps = |entry: &Entry<'_>| {
        let comes_back = entry.operation == "Apply" || COMES_BACK.contains(&entry.manager);
        entry.manager != us && comes_back && entry.fields.is_some_and(|fields| has(fields, path))
    };
    let mut all: Vec<&str> = entries.filter(keeps).map(|entry| entry.manager).collect();
    all.sort_unstable();
    all.first().map(|manager| (*manager).to_owned())
}

fn has(fields: &Value, path: &[&str]) -> bool {
    path.iter().try_fold(fields, |fields, part| fields.get(format!("f:{part}"))).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(entries: &[(&str, &str, Value)], expect: Option<&str>) {
        let entries =
            entries.iter().map(|(manager, operation, fields)| Entry { manager, operation, fields: Some(fields) });
        assert_eq!(of(entries, &["spec", "version"], "headway-drive").as_deref(), expect);
    }

    #[test]
    fn ch_10_who_keeps_a_version() {
        let version = || json!({ "f:spec": { "f:version": {} } });
        let replicas = || json!({ "f:spec": { "f:replicas": {} } });
        check(&[], None);
        check(&[("kustomize-controller", "Apply", version())], Some("kustomize-controller"));
        check(&[("kustomize-controller", "Apply", replicas())], None);
        // Who wrote it once has gone.
        check(&[("kubectl-create", "Update", version())], None);
        check(&[("kubectl-client-side-apply", "Update", version())], None);
        check(&[("argocd-controller", "Update", version())], Some("argocd-controller"));
        // What is ours is in nobody's way.
        check(&[("headway-drive", "Update", version())], None);
        check(
            &[("headway-drive", "Apply", version()), ("b", "Apply", version()), ("a", "Apply", version())],
            Some("a"),
        );
        check(&[("flux", "Apply", json!("no fields")), ("flux", "Apply", json!({ "f:spec": [] }))], None);
    }
}
