//! Making an object in an API server, its status as well.

use anyhow::Context as _;
use kube::api::{Api, DynamicObject, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

/// Makes an object, and then writes its status, which the server does not take with it.
pub(crate) async fn create(api: &Api<DynamicObject>, object: Value, status: Option<Value>) -> anyhow::Result<()> {
    let told = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (kind, name) = (told(&object["kind"]), told(&object["metadata"]["name"]));
    let made: DynamicObject = serde_json::from_value(object).with_context(|| format!("{kind} {name}"))?;
    api.create(&PostParams::default(), &made).await.with_context(|| format!("cannot create {kind} {name}"))?;
    if let Some(status) = status {
        let patch = Patch::Merge(json!({ "status": status }));
        let done = api.patch_status(&name, &PatchParams::default(), &patch).await;
        done.with_context(|| format!("cannot write the status of {kind} {name}"))?;
    }
    Ok(())
}
