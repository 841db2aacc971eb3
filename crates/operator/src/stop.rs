//! Being told to stop.

use tokio::sync::watch;

/// Waits until told to stop. That whoever would tell is gone is an end as well.
pub(crate) async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
