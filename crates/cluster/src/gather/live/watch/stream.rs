//! A watch as the API server sends it: one event a line, for as long as it lasts.

use std::borrow::Cow;
use std::time::Duration;

use headway_core::inform::Uid;
use http::StatusCode;
use http_body_util::BodyExt;
use kube::client::Body;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::super::super::Limits;
use super::super::access::Cluster;
use super::super::fault::Fault;
use super::super::request::{read, refusal, within};
use super::super::resource::Asked;

/// What a line says.
pub(super) enum Event<'a> {
    /// An object is there, or has changed; its text.
    Is { uid: Uid, version: String, text: &'a [u8] },
    /// An object was deleted.
    Gone { uid: Uid, version: String },
    /// Nothing changed up to this version.
    Nothing { version: String },
    /// All objects that were there at the start have been told.
    Listed { version: String },
}

/// An open watch.
pub(super) struct Stream {
    body: Body,
    /// What was received and not handed out: lines, the last of them perhaps not whole.
    buffer: Vec<u8>,
    /// Where the next line begins.
    next: usize,
    /// Up to where no end of a line was found.
    searched: usize,
}

impl Stream {
    /// Opens a watch: waits for the answer's head, not for its first event.
    pub(super) async fn open(cluster: &Cluster, request: &Asked, limits: &Limits) -> Result<Self, Fault> {
        within(cluster.timeout(), async {
            let response = cluster.client().send(request.clone().map(Body::from)).await;
            let (head, body) = response.map_err(|error| Fault::of_client(&error))?.into_parts();
            if head.status == StatusCode::OK {
                return Ok(Self { body, buffer: Vec::new(), next: 0, searched: 0 });
            }
            Err(refusal(head.status, &read(body, limits).await?))
        })
        .await
    }

    /// The next event; `None` at the watch's end.
    ///
    /// # Errors
    /// What the server says instead of an event, a connection that is lost, or silence for longer than a live server
    /// keeps it.
    pub(super) async fn next(&mut self, patience: Duration) -> Result<Option<Event<'_>>, Fault> {
        let end = loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            if let Some(at) = memchr::memchr(b'\n', unsearched) {
                break self.searched + at;
            }
            self.searched = self.buffer.len();
            if !self.receive(patience).await? {
                return Ok(None);
            }
        };
        let start = std::mem::replace(&mut self.next, end + 1);
        self.searched = end + 1;
        let line = self.buffer.get(start..end).unwrap_or_default();
        event(line).map(Some)
    }

    /// Takes in more; `false` when there is no more.
    async fn receive(&mut self, patience: Duration) -> Result<bool, Fault> {
        // Lines that were handed out make room for those to come.
        self.buffer.drain(..self.next);
        self.searched -= self.next;
        self.next = 0;
        loop {
            let frame = timeout(patience, self.body.frame()).await.map_err(|_| Fault::TimedOut(patience))?;
            let Some(frame) = frame else { return Ok(false) };
            let frame = frame.map_err(|error| Fault::of_client(&error))?;
            if let Some(data) = frame.data_ref() {
                self.buffer.extend_from_slice(data);
                return Ok(true);
            }
        }
    }
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(borrow)]
    object: &'a RawValue,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Object<'a> {
    #[serde(borrow)]
    metadata: Meta<'a>,
}

/// What stands in an object's place when there is an error.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status {
    code: u16,
    message: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Meta<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    namespace: Cow<'a, str>,
    resource_version: String,
    annotations: Option<Marks>,
}

/// The annotations of a bookmark.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Marks {
    #[serde(rename = "k8s.io/initial-events-end")]
    listed: Option<String>,
}

fn event(line: &[u8]) -> Result<Event<'_>, Fault> {
    let garbled = |error: serde_json::Error| Fault::Unreadable(error.to_string());
    let Line { r#type, object } = serde_json::from_slice(line).map_err(garbled)?;
    let text = object.get();
    if r#type == "ERROR" {
        let Status { code, message } = serde_json::from_str(text).map_err(garbled)?;
        let is_gone = code == StatusCode::GONE.as_u16();
        return Err(if is_gone { Fault::Gone(message) } else { Fault::Status { code, message } });
    }
    let Object { metadata } = serde_json::from_str(text).map_err(garbled)?;
    let Meta { name, namespace, resource_version: version, annotations } = metadata;
    let uid = if namespace.is_empty() { name.into_owned() } else { format!("{namespace}/{name}") };
    let ends_list = annotations.and_then(|marks| marks.listed).as_deref() == Some("true");
    match r#type.as_ref() {
        "ADDED" | "MODIFIED" => Ok(Event::Is { uid, version, text: text.as_bytes() }),
        "DELETED" => Ok(Event::Gone { uid, version }),
        "BOOKMARK" if ends_list => Ok(Event::Listed { version }),
        "BOOKMARK" => Ok(Event::Nothing { version }),
        other => Err(Fault::Unreadable(format!("no watch says \"{other}\""))),
    }
}
