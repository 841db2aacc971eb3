//! The definitions of the kinds, as they are put into `deploy/crds`.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;
use serde_json::{Value, json};

use super::kind::{
    ClusterOperatorProgressInsight, ClusterUpdateStatus, ClusterVersionProgressInsight, HealthInsight,
    HostedClusterUpdateStatus, MachineConfigPoolProgressInsight, NodeProgressInsight, PoolUpdateStatus, UpdateStatus,
};

/// The definitions of all kinds: the containers first, then the details of pools and the split ones.
#[must_use]
pub fn all() -> Vec<CustomResourceDefinition> {
    let raw = [
        UpdateStatus::crd(),
        HostedClusterUpdateStatus::crd(),
        ClusterUpdateStatus::crd(),
        PoolUpdateStatus::crd(),
        ClusterVersionProgressInsight::crd(),
        ClusterOperatorProgressInsight::crd(),
        MachineConfigPoolProgressInsight::crd(),
        NodeProgressInsight::crd(),
        HealthInsight::crd(),
    ];
    raw.into_iter().map(finish).collect()
}

/// Takes out of a definition what the derive puts in and no kind of ours means: that an absent field may also be null,
/// that an absent list is an empty one, formats that only Rust knows, and the line breaks of comments.
pub(crate) fn finish(definition: CustomResourceDefinition) -> CustomResourceDefinition {
    let Ok(mut value) = serde_json::to_value(&definition) else {
        return definition;
    };
    // As the group has them elsewhere: what consoles show of a kind.
    let kind = value.pointer("/spec/names/kind").cloned();
    let description = value.pointer("/spec/versions/0/schema/openAPIV3Schema/description").cloned();
    if let (Some(kind), Some(description)) = (kind, description) {
        value["metadata"]["annotations"] = json!({ "displayName": kind, "description": description });
    }
    for version in value.pointer_mut("/spec/versions").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            finish_schema(schema);
        }
    }
    serde_json::from_value(value).unwrap_or(definition)
}

fn finish_schema(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    fields.remove("nullable");
    fields.remove("title");
    if fields.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
        fields.remove("format");
    }
    if fields.get("default").is_some_and(|default| !default.is_number()) {
        fields.remove("default");
    }
    if let Some(Value::String(description)) = fields.get_mut("description") {
        *description = unwrap_lines(description);
    }
    for list in ["properties", "additionalProperties"] {
        let inner = fields.get_mut(list).and_then(Value::as_object_mut);
        inner.into_iter().flat_map(|inner| inner.values_mut()).for_each(finish_schema);
    }
    if let Some(items) = fields.get_mut("items") {
        finish_schema(items);
    }
}

/// A comment with a line for each paragraph.
fn unwrap_lines(text: &str) -> String {
    let paragraphs: Vec<String> =
        text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    paragraphs.join("\n").replace("\\[", "[").replace("\\]", "]")
}

#[cfg(test)]
mod tests {
    use super::super::{GROUP, VERSION};
    use super::*;

    /// Every field below the status of every kind, with its path.
    fn fields() -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for definition in all_as_json() {
            let kind = definition["spec"]["names"]["kind"].as_str().expect("a kind").to_owned();
            let status = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"];
            walk(&kind, status, &mut all);
        }
        assert!(all.len() > 100, "the search finds fields");
        all
    }

    /// The same of all that may be asked for and is told of the kinds of other groups too.
    fn fields_of_all_groups() -> Vec<(String, Value)> {
        let mut all = fields();
        let definition = serde_json::to_value(crate::upgrade::definition()).expect("JSON");
        let before = all.len();
        for part in ["spec", "status"] {
            let schema = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"][part];
            walk(&format!("ClusterUpgrade.{part}"), schema, &mut all);
        }
        assert!(all.len() > before + 50, "the search finds fields");
        all
    }

    fn walk(path: &str, schema: &Value, all: &mut Vec<(String, Value)>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            walk(&path, field, all);
            walk(&path, &field["items"], all);
            all.push((path, field.clone()));
        }
    }

    fn all_as_json() -> Vec<Value> {
        all().iter().map(|definition| serde_json::to_value(definition).expect("JSON")).collect()
    }

    #[test]
    fn every_kind_is_of_our_group_with_an_empty_spec() {
        for definition in all() {
            let spec = &definition.spec;
            assert_eq!(spec.group, GROUP);
            let kept = ["HostedClusterUpdateStatus", "ClusterUpdateStatus"].contains(&spec.names.kind.as_str());
            assert_eq!(spec.scope, if kept { "Namespaced" } else { "Cluster" }, "{}", spec.names.kind);
            assert_eq!(spec.names.categories.as_deref(), Some(&["update".to_owned()][..]));
            let [version] = spec.versions.as_slice() else { panic!("one version") };
            assert_eq!(version.name, VERSION);
            assert!(version.subresources.as_ref().is_some_and(|sub| sub.status.is_some()), "status is a subresource");
            let schema =
                version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref()).expect("a schema");
            assert_eq!(schema.required.as_deref(), Some(&["spec".to_owned()][..]));
            let properties = schema.properties.as_ref().expect("fields");
            assert!(properties["spec"].properties.is_none(), "the spec is empty");
        }
    }

    #[test]
    fn an_upgrade_is_of_our_own_group() {
        let definition = crate::upgrade::definition();
        let spec = &definition.spec;
        assert_eq!((spec.group.as_str(), spec.scope.as_str()), (crate::GROUP, "Namespaced"));
        let [version] = spec.versions.as_slice() else { panic!("one version") };
        assert_eq!(version.name, crate::upgrade::VERSION);
        assert!(version.subresources.as_ref().is_some_and(|sub| sub.status.is_some()), "status is a subresource");
    }

    #[test]
    fn us_q37_every_value_says_where_it_comes_from() {
        let is_source = |line: &str| ["Copied", "Derived", "Net new"].iter().any(|word| line.starts_with(word));
        for (path, field) in fields() {
            let description = field["description"].as_str().unwrap_or_default();
            assert!(!description.is_empty(), "{path} says nothing");
            let holds_values = field["properties"].is_null() && field["items"]["properties"].is_null();
            let last = description.lines().last().unwrap_or_default();
            assert!(!holds_values || is_source(last), "{path} does not say where its value comes from: {description}");
        }
    }

    #[test]
    fn every_list_and_text_has_a_limit() {
        for (path, field) in fields_of_all_groups() {
            for (schema, what) in [(&field, "the value"), (&field["items"], "an item")] {
                match schema["type"].as_str() {
                    Some("array") => {
                        assert!(schema["maxItems"].is_number(), "{path}: {what} is a list without an end");
                        assert!(schema["x-kubernetes-list-type"].is_string(), "{path}: who owns {what}?");
                    }
                    Some("string") => {
                        let bounded = ["maxLength", "enum", "format"].iter().any(|limit| !schema[limit].is_null());
                        assert!(bounded, "{path}: {what} is a text without an end");
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn nothing_is_left_of_what_only_rust_means() {
        for (path, field) in fields_of_all_groups() {
            assert!(field["nullable"].is_null(), "{path} may be null");
            let format = field["format"].as_str().unwrap_or_default();
            assert!(["", "int64", "date-time"].contains(&format), "{path}: {format}");
            let default = &field["default"];
            assert!(
                default.is_null() || (path.ends_with(".observedGeneration") && *default == -1),
                "{path}: {default}"
            );
        }
    }

    #[test]
    fn no_word_is_listed_twice() {
        for (path, field) in fields_of_all_groups() {
            let words: Vec<&Value> = field["enum"].as_array().into_iter().flatten().collect();
            let mut seen = std::collections::BTreeSet::new();
            assert!(words.iter().all(|word| seen.insert(word.to_string())), "{path}: {words:?}");
        }
    }

    #[test]
    fn definitions_can_be_applied_from_the_client_side() {
        // kubectl keeps what it applied in an annotation, and annotations may have 256 KiB.
        for definition in all().into_iter().chain([crate::upgrade::definition()]) {
            let size = serde_json::to_vec(&definition).expect("JSON").len();
            assert!(size < 200_000, "{:?}: {size}", definition.metadata.name);
        }
    }
}
