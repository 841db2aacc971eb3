//! The messages of admission webhooks (`AdmissionReview`, admission.k8s.io/v1): what an API server asks before it
//! stores an object, and what it is answered.
//!
//! The types of the client library stand for one kind each and bring its JSON patches along; here the objects stay
//! JSON, so that whoever judges them reads its own slices.

use k8s_openapi::ByteString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::meta::null_as_default;
use crate::quoted::Quoted;

/// The version of the messages that is read and written.
pub const API_VERSION: &str = "admission.k8s.io/v1";

const KIND: &str = "AdmissionReview";

/// What an API server asks.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Request {
    /// By which the answer is told from others.
    #[serde(deserialize_with = "null_as_default")]
    pub uid: String,
    /// Which resource is written, as the webhook's rules name it.
    #[serde(deserialize_with = "null_as_default")]
    pub resource: Resource,
    /// The part of the object that is written; empty for the whole.
    #[serde(deserialize_with = "null_as_default")]
    pub sub_resource: String,
    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
    #[serde(deserialize_with = "null_as_default")]
    pub operation: String,
    /// The object's namespace; empty for cluster-scoped objects.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
    /// The object's name; empty while the API server has still to make one up.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// The object as it is to be; null for deletions.
    pub object: Value,
    /// The object as it is; null for creations.
    pub old_object: Value,
}

/// A resource of the Kubernetes API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Resource {
    /// Its group.
    #[serde(deserialize_with = "null_as_default")]
    pub group: String,
    /// Its version.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// Its name, such as `clusters`.
    #[serde(deserialize_with = "null_as_default")]
    pub resource: String,
}

/// What an API server is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    uid: String,
    allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<ByteString>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Status {
    code: u16,
    reason: &'static str,
    message: String,
}

/// A body is none that an API server sends.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// It is not JSON, or a field does not fit.
    #[error("the body is not an AdmissionReview")]
    Json(#[source] serde_json::Error),
    /// It is something else.
    #[error(
        "the body is not an AdmissionReview of {API_VERSION}: its kind is {} and its apiVersion {}",
        Quoted(kind),
        Quoted(api_version)
    )]
    Other {
        /// Its `apiVersion`.
        api_version: String,
        /// Its `kind`.
        kind: String,
    },
    /// It asks nothing.
    #[error("the AdmissionReview has no request with a uid")]
    NoRequest,
}

impl Request {
    /// Reads the body of a call.
    ///
    /// # Errors
    ///
    /// When it is not an `AdmissionReview` with a request.
    pub fn read(body: &[u8]) -> Result<Self, ReviewError> {
        #[derive(Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        #[derive(Default)]
        struct Review {
            #[serde(deserialize_with = "null_as_default")]
            api_version: String,
            #[serde(deserialize_with = "null_as_default")]
            kind: String,
            request: Option<Request>,
        }
        let Review { api_version, kind, request } = serde_json::from_slice(body).map_err(ReviewError::Json)?;
        if api_version != API_VERSION || kind != KIND {
            return Err(ReviewError::Other { api_version, kind });
        }
        request.filter(|request| !request.uid.is_empty()).ok_or(ReviewError::NoRequest)
    }
}

impl Response {
    /// The write is let in.
    #[must_use]
    pub fn allow(request: &Request) -> Self {
        let uid = request.uid.clone();
        Self { uid, allowed: true, status: None, warnings: Vec::new(), patch_type: None, patch: None }
    }

    /// The write is refused, for a reason that whoever writes reads.
    #[must_use]
    pub fn deny(request: &Request, message: impl Into<String>) -> Self {
        // 422 is what the API server itself says of an object that breaks a rule.
        let status = Status { code: 422, reason: "Invalid", message: message.into() };
        Self { allowed: false, status: Some(status), ..Self::allow(request) }
    }

    /// With warnings, which the writer sees whether it is let in or not.
    #[must_use]
    pub fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// With changes to the object, as a JSON patch; none where there are no operations.
    #[must_use]
    pub fn with_patch(self, operations: &[Value]) -> Self {
        if operations.is_empty() {
            return self;
        }
        let patch = ByteString(Value::from(operations).to_string().into_bytes());
        Self { patch_type: Some("JSONPatch"), patch: Some(patch), ..self }
    }

    /// Whether the write is let in.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.allowed
    }

    /// The body of the answer.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        serde_json::json!({"apiVersion": API_VERSION, "kind": KIND, "response": self}).to_string().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_reviews_are_read() {
        let check = |body: &str, expect: &str| {
            let told = Request::read(body.as_bytes()).map_or_else(|error| error.to_string(), |request| request.uid);
            assert_eq!(told, expect, "{body}");
        };
        let review =
            |rest: &str| format!(r#"{{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"{rest}}}"#);
        check(&review(r#", "request": {"uid": "u", "object": null, "subResource": null, "dryRun": false}"#), "u");
        check(&review(""), "the AdmissionReview has no request with a uid");
        check(&review(r#", "request": {}"#), "the AdmissionReview has no request with a uid");
        check(&review(r#", "request": {"uid": 1}"#), "the body is not an AdmissionReview");
        check("<html>", "the body is not an AdmissionReview");
        check("", "the body is not an AdmissionReview");
        let other = |kind: &str, version: &str| {
            format!(
                "the body is not an AdmissionReview of admission.k8s.io/v1: its kind is {} and its apiVersion {}",
                Quoted(kind),
                Quoted(version)
            )
        };
        check("[]", &other("", ""));
        check("{}", &other("", ""));
        let older = "admission.k8s.io/v1beta1";
        check(&review("").replace(API_VERSION, older), &other("AdmissionReview", older));
    }

    #[test]
    fn answers_are_as_an_api_server_reads_them() {
        let request = Request { uid: "u".into(), ..Request::default() };
        let check = |response: Response, expect: Value| {
            let told: Value = serde_json::from_slice(&response.write()).unwrap();
            assert_eq!(
                told,
                json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": expect})
            );
        };
        check(Response::allow(&request), json!({"uid": "u", "allowed": true}));
        check(Response::allow(&request).with_patch(&[]), json!({"uid": "u", "allowed": true}));
        check(
            Response::deny(&request, "no").with_warnings(vec!["w".into()]),
            json!({"uid": "u", "allowed": false, "warnings": ["w"],
                "status": {"code": 422, "reason": "Invalid", "message": "no"}}),
        );
        check(
            Response::allow(&request).with_patch(&[json!(1)]),
            json!({"uid": "u", "allowed": true, "patchType": "JSONPatch", "patch": "WzFd"}),
        );
    }
}
