//! One call over HTTPS, from the request to the bytes of the answer.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Hook, MAX_BODY_BYTES, told};
use headway_core::hook::CallFault;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderValue, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use tokio::time::timeout;

use super::address::address;
use super::lock;
use super::trust::{Identity, IdentityFiles, tls};
use crate::cause::{certificate, chain, innermost};

type Http = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// As much of an answer that is none is read as is told of it.
const START_BYTES: usize = 2_048;

/// Makes calls. Each extension has connections of its own.
pub(super) struct Caller {
    identity: Option<IdentityFiles>,
    /// By the names of the extensions.
    connections: Mutex<BTreeMap<String, Connections>>,
}

/// The connections to one extension, for as long as certificates stay the same.
struct Connections {
    ca_bundle: String,
    identity: Option<Identity>,
    http: Http,
}

/// What is to be sent, and for how long an answer is waited for.
pub(super) struct Call<'a> {
    pub(super) config: &'a ExtensionConfig,
    pub(super) hook: Hook,
    /// The name of the handler within its extension; empty for Discovery.
    pub(super) handler: &'a str,
    pub(super) patience: Duration,
    pub(super) body: Vec<u8>,
}

impl Caller {
    pub(super) fn new(identity: Option<IdentityFiles>) -> Self {
        Self { identity, connections: Mutex::default() }
    }

    /// Drops the connections to all but these extensions.
    pub(super) fn retain(&self, is_kept: impl Fn(&str) -> bool) {
        lock(&self.connections).retain(|name, _| is_kept(name));
    }

    /// Makes a call. The time is that of the whole of it, from the connection to the last byte.
    pub(super) async fn call(&self, call: Call<'_>) -> Result<Bytes, CallFault> {
        let Call { config, hook, handler, patience, body } = call;
        let seconds = patience.as_secs().max(1);
        let uri = address(&config.spec.client_config, hook, handler, seconds)?;
        let http = self.http(config).await?;
        let mut request = Request::new(Full::new(Bytes::from(body)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("headway/", env!("CARGO_PKG_VERSION"))));
        // Cluster API sends neither, and servers must not count on them; a strict one is helped.
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let answer = timeout(patience, exchange(&http, request)).await;
        let answer = answer.unwrap_or(Err(CallFault::Late { seconds }));
        if let Err(CallFault::Late { .. } | CallFault::Unreachable(_)) = answer {
            // A connection may be dead without anybody having closed it: the next call makes a new one.
            self.retain(|name| name != config.metadata.name);
        }
        answer
    }

    /// The connections to an extension: new ones when its certificates or ours have changed.
    async fn http(&self, config: &ExtensionConfig) -> Result<Http, CallFault> {
        let identity = match &self.identity {
            Some(files) => Some(Identity::read(files).await?),
            None => None,
        };
        let (name, ca_bundle) = (&config.metadata.name, &config.spec.client_config.ca_bundle);
        let is_current = |known: &&Connections| known.ca_bundle == *ca_bundle && known.identity == identity;
        if let Some(known) = lock(&self.connections).get(name).filter(is_current) {
            return Ok(known.http.clone());
        }
        let http = connector(tls(ca_bundle, identity.as_ref())?);
        let connections = Connections { ca_bundle: ca_bundle.clone(), identity, http: Http::clone(&http) };
        lock(&self.connections).insert(name.clone(), connections);
        Ok(http)
    }
}

fn connector(tls: ClientConfig) -> Http {
    let mut tcp = HttpConnector::new();
    // It sees addresses of https, as the layer above it does.
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    let https = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_only()
        .enable_http1()
        .enable_http2()
        .wrap_connector(tcp);
    Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).build(https)
}

async fn exchange(http: &Http, request: Request<Full<Bytes>>) -> Result<Bytes, CallFault> {
    let response = http.request(request).await.map_err(|error| fault(&error))?;
    let (status, code) = (response.status(), response.status().as_u16());
    if status.is_redirection() {
        let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
        return Err(CallFault::Redirect { code, location: location.unwrap_or_default().to_owned() });
    }
    if status != StatusCode::OK {
        return Err(CallFault::Status { code, start: start(response.into_body()).await });
    }
    let length = response.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > MAX_BODY_BYTES) {
        return Err(CallFault::TooLarge);
    }
    match Limited::new(response.into_body(), MAX_BODY_BYTES).collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(CallFault::TooLarge),
        Err(error) => Err(CallFault::Unreachable(innermost(error.as_ref()))),
    }
}

/// How the body of an answer begins that is none; what cannot be read of it is left out.
async fn start(mut body: impl BodyExt<Data = Bytes> + Unpin) -> String {
    let mut read: Vec<u8> = Vec::new();
    while read.len() < START_BYTES
        && let Some(Ok(frame)) = body.frame().await
    {
        let data = frame.into_data().unwrap_or_default();
        read.extend(data.iter().take(START_BYTES - read.len()));
    }
    told(&String::from_utf8_lossy(&read))
}

/// What a client says went wrong.
fn fault(error: &hyper_util::client::legacy::Error) -> CallFault {
    for cause in chain(error) {
        if let Some(rustls::Error::InvalidCertificate(why)) = cause.downcast_ref() {
            return CallFault::Untrusted(certificate(why));
        }
    }
    CallFault::Unreachable(innermost(error))
}
