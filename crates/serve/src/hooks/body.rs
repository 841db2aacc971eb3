//! Reading bodies, of which only so much is held at a time.

use axum::body::{Body, Bytes};
use headway_api::hooks::MAX_BODY_BYTES;
use http_body::Body as _;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How much of all bodies is held at a time, in KiB: three of the largest, or thousands of the usual ones. What does not
/// find room waits.
const ROOM: u32 = 64 * 1024;

/// Room for bodies.
pub(super) struct Room(Semaphore);

/// A body, with the room that it takes.
pub(super) struct Read<'r> {
    pub(super) bytes: Bytes,
    _room: SemaphorePermit<'r>,
}

/// Why a body was not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum BodyError {
    #[error("the request is larger than {MAX_BODY_BYTES} bytes")]
    TooLarge,
    #[error("the request broke off")]
    BrokeOff(#[source] axum::Error),
    #[error("the server stops")]
    Stopping,
}

impl Default for Room {
    fn default() -> Self {
        Self(Semaphore::new(ROOM as usize))
    }
}

impl Room {
    /// Reads a body, as far as it may be long.
    pub(super) async fn read(&self, body: Body) -> Result<Read<'_>, BodyError> {
        // One that does not say how long it is may be as long as it is allowed to be.
        let size = body.size_hint().upper().unwrap_or(MAX_BODY_BYTES as u64);
        if size > MAX_BODY_BYTES as u64 {
            return Err(BodyError::TooLarge);
        }
        let wanted = u32::try_from(size / 1024).unwrap_or(ROOM).saturating_add(1).min(ROOM);
        let room = self.0.acquire_many(wanted).await.map_err(|_| BodyError::Stopping)?;
        match axum::body::to_bytes(body, MAX_BODY_BYTES).await {
            Ok(bytes) => Ok(Read { bytes, _room: room }),
            Err(error) if is_limit(&error) => Err(BodyError::TooLarge),
            Err(error) => Err(BodyError::BrokeOff(error)),
        }
    }
}

/// Whether it was the limit that ended the reading.
fn is_limit(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|cause| cause.is::<http_body_util::LengthLimitError>())
}
