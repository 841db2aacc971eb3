//! The fleet as a recording: a file for each object, as a must-gather of a management cluster has them.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use super::objects::Size;
use crate::recording::yaml_document;

/// Writes all objects below a folder: `namespaces/NAMESPACE/GROUP/PLURAL/NAME.yaml`.
pub(super) fn write(size: Size, folder: &Path) -> anyhow::Result<()> {
    for object in size.objects() {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (metadata, api_version) = (&object["metadata"], text(&object["apiVersion"]));
        let group = api_version.split('/').next().unwrap_or_default();
        let plural = super::server::plural(&text(&object["kind"]));
        let place = folder.join("namespaces").join(text(&metadata["namespace"])).join(group).join(plural);
        fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
        let file = place.join(format!("{}.yaml", text(&metadata["name"])));
        fs::write(&file, yaml_document(&object)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}
