//! An extension within the process, which answers as it is told, well or badly, and remembers what it was asked.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use headway_api::hooks::API_VERSION;
use http::{Request, Response, Version};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use rustls::ServerConfig;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// One answer.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// 200 and a body.
    Text(String),
    /// A status and a body.
    Status(u16, &'static str),
    /// A status and a place to go to.
    Redirect(u16, String),
    /// The same after a while.
    Late(Duration, String),
    /// No answer, ever.
    Never,
    /// 200, and then a byte every now and then, without an end.
    Trickle,
    /// A status, and so many MiB, announced or not.
    Large { code: u16, mib: usize, is_announced: bool },
    /// The connection breaks.
    Break,
}

/// What was asked.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) version: Version,
    pub(super) headers: http::HeaderMap,
    pub(super) body: Value,
    /// The certificate that the client showed.
    pub(super) certificate: Option<Vec<u8>>,
}

/// A running extension; it stops when it is dropped.
pub(super) struct Extension {
    pub(super) address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    /// What is answered, by hook in lower case; the last one stays.
    script: Mutex<BTreeMap<String, VecDeque<Reply>>>,
    asked: Mutex<Vec<Asked>>,
}

impl Drop for Extension {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Extension {
    /// Begins to listen.
    pub(super) async fn start(tls: Arc<ServerConfig>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::default());
        let task = tokio::spawn(serve(listener, TlsAcceptor::from(tls), Arc::clone(&state)));
        Self { address, state, task }
    }

    pub(super) fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// What a hook is answered, one after another; the last one again and again.
    pub(super) fn answers(&self, hook: &str, replies: Vec<Reply>) {
        self.state.script.lock().unwrap().insert(hook.to_ascii_lowercase(), replies.into());
    }

    /// Discovery tells of these handlers, `NAME:HOOK`, or `NAME:HOOK?` whose failures are passed over. They have as much
    /// time as a busy machine may need.
    pub(super) fn serves(&self, handlers: &[&str]) {
        self.answers("discovery", vec![Reply::Text(discovery(handlers))]);
    }

    /// The same with less time.
    pub(super) fn serves_within(&self, seconds: u32, handlers: &[&str]) {
        self.answers("discovery", vec![Reply::Text(discovery_within(seconds, handlers))]);
    }

    /// What a hook was asked.
    pub(super) fn asked(&self, hook: &str) -> Vec<Asked> {
        let start = format!("/{API_VERSION}/{}", hook.to_ascii_lowercase());
        let asked = self.state.asked.lock().unwrap();
        asked.iter().filter(|asked| asked.path.contains(&start)).cloned().collect()
    }
}

/// An answer to Discovery.
pub(super) fn discovery(handlers: &[&str]) -> String {
    discovery_within(20, handlers)
}

fn discovery_within(seconds: u32, handlers: &[&str]) -> String {
    let handler = |text: &&str| {
        let (name, hook) = text.split_once(':').unwrap();
        let policy = if hook.ends_with('?') { "Ignore" } else { "Fail" };
        json!({
            "name": name,
            "requestHook": {"apiVersion": API_VERSION, "hook": hook.trim_end_matches('?')},
            "timeoutSeconds": seconds,
            "failurePolicy": policy,
        })
    };
    let handlers: Vec<Value> = handlers.iter().map(handler).collect();
    json!({"status": "Success", "handlers": handlers}).to_string()
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, state: Arc<State>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        let (acceptor, state) = (acceptor.clone(), Arc::clone(&state));
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let shown = stream.get_ref().1.peer_certificates().and_then(|all| all.first());
            let shown = shown.map(|certificate| certificate.to_vec());
            let service = service_fn(|request| answer(Arc::clone(&state), shown.clone(), request));
            let builder = auto::Builder::new(TokioExecutor::new());
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

type Sent = UnsyncBoxBody<Bytes, io::Error>;

async fn answer(
    state: Arc<State>,
    certificate: Option<Vec<u8>>,
    request: Request<Incoming>,
) -> io::Result<Response<Sent>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let path = head.uri.path_and_query().unwrap().to_string();
    let hook = head.uri.path().split(API_VERSION).nth(1).and_then(|rest| rest.split('/').nth(1)).unwrap_or_default();
    let reply = {
        let mut script = state.script.lock().unwrap();
        let replies = script.get_mut(hook);
        replies.and_then(|replies| if replies.len() > 1 { replies.pop_front() } else { replies.front().cloned() })
    };
    state.asked.lock().unwrap().push(Asked {
        method: head.method.to_string(),
        path,
        version: head.version,
        headers: head.headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        certificate,
    });
    let whole = |code: u16, text: String| {
        let body = Full::new(Bytes::from(text)).map_err(|never| match never {});
        Response::builder().status(code).body(Sent::new(body)).unwrap()
    };
    match reply {
        None => Ok(whole(404, "404 page not found".into())),
        Some(Reply::Text(text)) => Ok(whole(200, text)),
        Some(Reply::Status(code, text)) => Ok(whole(code, text.into())),
        Some(Reply::Redirect(code, location)) => {
            let mut response = whole(code, String::new());
            response.headers_mut().insert(http::header::LOCATION, location.parse().unwrap());
            Ok(response)
        }
        Some(Reply::Late(pause, text)) => {
            tokio::time::sleep(pause).await;
            Ok(whole(200, text))
        }
        Some(Reply::Never) => std::future::pending().await,
        Some(Reply::Trickle) => {
            let pieces = futures::stream::repeat(()).then(|()| async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                Ok(Frame::data(Bytes::from_static(b" ")))
            });
            Ok(Response::new(Sent::new(StreamBody::new(pieces.boxed()))))
        }
        Some(Reply::Large { code, mib, is_announced }) => {
            const MIB: usize = 1024 * 1024;
            let pieces = futures::stream::repeat(Bytes::from(vec![b' '; MIB])).take(mib);
            let body = Sent::new(StreamBody::new(pieces.map(|piece| Ok(Frame::data(piece)))));
            let mut response = Response::builder().status(code);
            if is_announced {
                response = response.header(http::header::CONTENT_LENGTH, mib * MIB);
            }
            Ok(response.body(body).unwrap())
        }
        Some(Reply::Break) => Err(io::Error::from(io::ErrorKind::ConnectionReset)),
    }
}
