//! A server that answers as a script says, line by line, and remembers what it was asked.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use headway_cluster::gather::live::Cluster;
use http::{Request, Response};
use http_body::Frame;
use http_body_util::StreamBody;
use http_body_util::combinators::UnsyncBoxBody;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// One answer.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// A status with a message.
    Status(u16, &'static str),
    /// A page of a list, and whether there are more.
    Page(Vec<Value>, Option<&'static str>),
    /// Events of a watch that then stays open.
    Open(Vec<Value>),
    /// Events of a watch that then ends.
    Ends(Vec<Value>),
    /// A text as it is, and then the end.
    Text(&'static str),
    /// No connection.
    Refuse,
}

/// The script: what each path is answered, one after another. A path of which nothing more is said gets no answer; one
/// of which nothing is said at all is not served.
#[derive(Clone, Default)]
pub(super) struct Wire {
    script: Arc<Mutex<BTreeMap<String, VecDeque<Reply>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Wire {
    pub(super) fn answers(self, path: &str, replies: Vec<Reply>) -> Self {
        self.script.lock().unwrap().insert(path.to_owned(), replies.into());
        self
    }

    /// What a path was asked, by the query.
    pub(super) fn asked(&self, path: &str) -> Vec<String> {
        let start = format!("{path}?");
        let asked = self.asked.lock().unwrap();
        asked.iter().filter_map(|asked| asked.strip_prefix(&start)).map(str::to_owned).collect()
    }

    pub(super) fn cluster(&self) -> Cluster {
        let wire = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let reply = wire.reply(&request);
            async move {
                match reply {
                    Some(Reply::Refuse) => Err(io::Error::from(io::ErrorKind::ConnectionRefused)),
                    Some(reply) => Ok(answer(reply)),
                    None => std::future::pending().await,
                }
            }
        });
        Cluster::of_client(Client::new(service, "default"), "api.example.com:6443", None)
    }

    fn reply(&self, request: &Request<Body>) -> Option<Reply> {
        self.asked.lock().unwrap().push(request.uri().path_and_query().unwrap().to_string());
        match self.script.lock().unwrap().get_mut(request.uri().path()) {
            Some(replies) => replies.pop_front(),
            None => Some(Reply::Status(404, "the server could not find the requested resource")),
        }
    }
}

type Sent = UnsyncBoxBody<Bytes, io::Error>;

fn answer(reply: Reply) -> Response<Sent> {
    let lines = |events: Vec<Value>| events.into_iter().map(|event| format!("{event}\n")).collect::<String>();
    let (code, text, then) = match reply {
        Reply::Status(code, message) => {
            (code, json!({"kind": "Status", "code": code, "message": message}).to_string(), Then::Ends)
        }
        Reply::Page(items, next) => {
            let metadata = json!({"resourceVersion": "5", "continue": next.unwrap_or_default()});
            (200, json!({"kind": "List", "items": items, "metadata": metadata}).to_string(), Then::Ends)
        }
        Reply::Open(events) => (200, lines(events), Then::Waits),
        Reply::Ends(events) => (200, lines(events), Then::Ends),
        Reply::Text(text) => (200, text.to_owned(), Then::Ends),
        Reply::Refuse => (500, String::new(), Then::Ends),
    };
    // Small and odd pieces: no reader may count on lines that come whole.
    let pieces: VecDeque<Bytes> = text.as_bytes().chunks(7).map(Bytes::copy_from_slice).collect();
    let body = Sent::new(StreamBody::new(Pieces { pieces, then, breath: false }));
    Response::builder().status(code).body(body).unwrap()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Ends,
    Waits,
}

struct Pieces {
    pieces: VecDeque<Bytes>,
    then: Then,
    /// Between two pieces others may go on, as they may while a server sends.
    breath: bool,
}

impl futures::Stream for Pieces {
    type Item = io::Result<Frame<Bytes>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.breath = !self.breath;
        if self.breath {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        match (self.pieces.pop_front(), self.then) {
            (Some(piece), _) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            (None, Then::Ends) => Poll::Ready(None),
            // Nobody wakes it: a connection on which nothing happens.
            (None, Then::Waits) => Poll::Pending,
        }
    }
}
