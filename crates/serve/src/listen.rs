//! Listening: a router behind TLS on an address, until told to stop.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use hyper_util::rt::TokioTimer;

use crate::tls::Tls;

/// How long a client may take for its handshake, and for the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long requests that run may take to end, once told to stop.
const FAREWELL: Duration = Duration::from_secs(10);

/// A server that has its address and does not serve yet.
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// What keeps a server from serving.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The address cannot be had.
    #[error("cannot listen on {address}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// It cannot go on.
    #[error("cannot serve on {address}")]
    Serve {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        cause: io::Error,
    },
}

impl Listener {
    /// Takes an address. Port 0 gives one that is free.
    ///
    /// # Errors
    ///
    /// When it is taken or not ours.
    pub fn bind(address: SocketAddr) -> Result<Self, ListenError> {
        let bound = || {
            let socket = TcpListener::bind(address)?;
            socket.set_nonblocking(true)?;
            Ok(Self { address: socket.local_addr()?, socket })
        };
        bound().map_err(|cause| ListenError::Bind { address, cause })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is done; then requests that run have ten seconds to end.
    ///
    /// Guarantees: a client that is slow with its handshake or with the head of a request is let go after ten seconds.
    ///
    /// # Errors
    ///
    /// When the address is lost.
    pub async fn serve(
        self,
        tls: &Tls,
        router: Router,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ListenError> {
        let Self { socket, address } = self;
        let failed = |cause| ListenError::Serve { address, cause };
        let handle = Handle::new();
        let stopping = tokio::spawn({
            let handle = handle.clone();
            async move {
                stop.await;
                handle.graceful_shutdown(Some(FAREWELL));
            }
        });
        let mut server = axum_server::from_tcp_rustls(socket, tls.shown()).map_err(failed)?.handle(handle);
        let http = server.http_builder();
        http.http1().timer(TokioTimer::new()).header_read_timeout(PATIENCE);
        http.http2().timer(TokioTimer::new()).keep_alive_interval(PATIENCE).keep_alive_timeout(PATIENCE);
        let served = server.serve(router.into_make_service()).await;
        stopping.abort();
        served.map_err(failed)
    }
}
