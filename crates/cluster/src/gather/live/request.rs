//! One request to the API server: sent, waited for, and its answer's bytes.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use kube::client::Body;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::{sleep, timeout};

use super::super::Limits;
use super::access::Cluster;
use super::fault::Fault;
use super::resource::Asked;

/// How often a server that asks for patience is asked again. It is told by the server how long to wait, and a person
/// waits in front of the screen.
const TRIES: u32 = 4;
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Sends a request and reads the whole answer.
pub(super) async fn ask(cluster: &Cluster, request: &Asked, limits: &Limits) -> Result<Vec<u8>, Fault> {
    let mut tries = 1;
    loop {
        let answer = within(cluster.timeout(), once(cluster, request, limits)).await?;
        match answer {
            Answer::Told(body) => return Ok(body),
            Answer::NotNow { after, .. } if tries < TRIES => sleep(after.min(LONGEST_PAUSE)).await,
            Answer::NotNow { fault, .. } => return Err(fault),
        }
        tries += 1;
    }
}

/// Gets what is at a path, as JSON.
pub(super) async fn get<T: DeserializeOwned>(cluster: &Cluster, path: &str, limits: &Limits) -> Result<T, Fault> {
    let request = http::Request::get(path).body(Vec::new()).map_err(|error| Fault::of_client(&error))?;
    parse(&ask(cluster, &request, limits).await?)
}

/// Reads an answer as JSON.
pub(super) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(text).map_err(|error| Fault::Unreadable(error.to_string()))
}

/// What a server answers.
enum Answer {
    Told(Vec<u8>),
    /// Later it may.
    NotNow {
        after: Duration,
        fault: Fault,
    },
}

async fn once(cluster: &Cluster, request: &Asked, limits: &Limits) -> Result<Answer, Fault> {
    let response = cluster.client().send(request.clone().map(Body::from)).await;
    let (head, body) = response.map_err(|error| Fault::of_client(&error))?.into_parts();
    let body = read(body, limits).await?;
    if head.status.is_success() {
        return Ok(Answer::Told(body));
    }
    let fault = refusal(head.status, &body);
    match pause(head.status, &head.headers) {
        Some(after) => Ok(Answer::NotNow { after, fault }),
        None => Err(fault),
    }
}

/// Gives up on what takes longer than it may.
pub(super) async fn within<T>(
    patience: Option<Duration>,
    work: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    match patience {
        None => work.await,
        Some(patience) => timeout(patience, work).await.unwrap_or(Err(Fault::TimedOut(patience))),
    }
}

/// Reads an answer, if it is not larger than it may be.
pub(super) async fn read(mut body: Body, limits: &Limits) -> Result<Vec<u8>, Fault> {
    let mut text = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Fault::of_client(&error))?;
        if let Some(data) = frame.data_ref() {
            text.extend_from_slice(data);
        }
        if u64::try_from(text.len()).unwrap_or(u64::MAX) > limits.max_file_size {
            return Err(Fault::Unreadable(format!("it is larger than {} bytes", limits.max_file_size)));
        }
    }
    Ok(text)
}

/// How long the server asks to wait, where it does: it is overloaded, or just starting.
fn pause(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    let later = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
    let asked = headers.get(http::header::RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    later.then(|| Duration::from_secs(asked))
}

/// The part of a `Status` that is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status {
    message: String,
}

/// What an answer means that is none.
pub(super) fn refusal(status: StatusCode, body: &[u8]) -> Fault {
    let told = serde_json::from_slice::<Status>(body).unwrap_or_default().message;
    let reason = status.canonical_reason().unwrap_or("no reason given");
    let message = if told.is_empty() { reason.to_owned() } else { told };
    match status {
        StatusCode::UNAUTHORIZED => Fault::Unauthorized,
        StatusCode::FORBIDDEN => Fault::Forbidden(message),
        StatusCode::NOT_FOUND => Fault::NotFound(message),
        StatusCode::GONE => Fault::Gone(message),
        other => Fault::Status { code: other.as_u16(), message },
    }
}
