//! Making an object in an API server, its status as well.

use anyhow::Context as _;
use headway_testenv::Plane;
use kube::api::{Api, DynamicObject, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

/// Makes an object, and then writes its status, where the server has not taken it with the object: it does not of a
/// kind whose status is a resource of its own.
pub(crate) async fn create(api: &Api<DynamicObject>, mut object: Value, status: Option<Value>) -> anyhow::Result<()> {
    let told = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (kind, name) = (told(&object["kind"]), told(&object["metadata"]["name"]));
    if let Some(status) = &status {
        object["status"] = status.clone();
    }
    let made: DynamicObject = serde_json::from_value(object).with_context(|| format!("{kind} {name}"))?;
    let kept =
        api.create(&PostParams::default(), &made).await.with_context(|| format!("cannot create {kind} {name}"))?;
    // Of some kinds the server makes another status itself.
    if let Some(status) = status.filter(|status| kept.data.get("status") != Some(status)) {
        let patch = Patch::Merge(json!({ "status": status }));
        let done = api.patch_status(&name, &PatchParams::default(), &patch).await;
        done.with_context(|| format!("cannot write the status of {kind} {name}"))?;
    }
    Ok(())
}

/// Installs the definitions of our own kinds.
pub(crate) fn install_our_kinds(plane: &Plane) -> anyhow::Result<()> {
    let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/crds");
    for file in std::fs::read_dir(crds).with_context(|| format!("cannot read {crds}"))? {
        let path = file.with_context(|| format!("cannot read {crds}"))?.path();
        plane
            .apply_crds(&std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?)?;
    }
    Ok(())
}
