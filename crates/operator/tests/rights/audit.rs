//! What an account has asked the API server for.

use headway_testenv::Plane;
use serde_json::Value;

use super::chart::Right;

/// A request that was answered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Request {
    verb: String,
    group: String,
    /// With its part, as rules have it: `updatestatuses/status`.
    resource: String,
    namespace: String,
    name: String,
    code: u64,
    is_forbidden: bool,
}

impl Request {
    /// Whether it was refused for want of a right.
    pub(super) fn is_denied(&self) -> bool {
        self.code == 403 || self.is_forbidden
    }

    /// Whether it was about this resource.
    pub(super) fn is_of(&self, resource: &str) -> bool {
        self.resource == resource
    }

    /// Whether it needed this right.
    ///
    /// An apply is a `patch`; the server asks for `create` beside it when the object is not there, and then answers 201.
    pub(super) fn needs(&self, right: &Right) -> bool {
        let Right { namespace, group, resource, name, verb } = right;
        let is_verb = self.verb == *verb || (verb == "create" && self.verb == "patch" && self.code == 201);
        let is_place = namespace.as_ref().is_none_or(|namespace| self.namespace == *namespace);
        let is_object = name.as_ref().is_none_or(|name| self.name == *name);
        is_verb && is_place && is_object && self.group == *group && self.resource == *resource
    }
}

/// All requests of an account that were answered so far.
pub(super) fn requests(plane: &Plane, account: &str) -> Vec<Request> {
    let log = std::fs::read_to_string(plane.audit_log()).unwrap();
    // The server may be writing the last line.
    let whole = log.rfind('\n').map_or("", |end| &log[..end]);
    let events = whole.lines().filter(|line| line.contains(account));
    let events = events.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_account = events.filter(|event| event["user"]["username"] == account && event["responseStatus"].is_object());
    of_account.map(|event| request(&event)).collect()
}

fn request(event: &Value) -> Request {
    let of = &event["objectRef"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let part = of["subresource"].as_str().map_or(String::new(), |part| format!("/{part}"));
    Request {
        verb: text(&event["verb"]),
        group: text(&of["apiGroup"]),
        resource: text(&of["resource"]) + &part,
        namespace: text(&of["namespace"]),
        name: text(&of["name"]),
        code: event["responseStatus"]["code"].as_u64().unwrap_or_default(),
        is_forbidden: event["annotations"]["authorization.k8s.io/decision"] == "forbid",
    }
}
