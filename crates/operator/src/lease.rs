//! Who writes: the replica that holds the lease.

use std::time::Duration;

use kube::Client;
use kube_lease_manager::LeaseManagerBuilder;
use tokio::sync::watch;
use tracing::{info, warn};

use crate::args::Args;
use crate::stop;

/// A lease.
pub(crate) struct Lease {
    /// Its name: `headway-operator-ROLE` (design, section 8).
    pub(crate) name: String,
    /// Our field manager.
    pub(crate) field_manager: &'static str,
}

/// Holds the lease whenever it can, and says so, until told to stop; then gives it back.
///
/// # Caveats
/// Who is told to stop must have finished writing: what comes after is another replica's.
pub(crate) async fn hold(
    client: Client,
    args: &Args,
    lease: Lease,
    leads: watch::Sender<bool>,
    mut stop: watch::Receiver<bool>,
) {
    let Lease { name, field_manager } = lease;
    if !args.leader_elect {
        leads.send_replace(true);
        stop::told(&mut stop).await;
        return;
    }
    // A third of the lease is left when it is renewed, so that one lost answer loses nothing.
    let grace = (args.lease_seconds / 3).max(1);
    let manager = loop {
        let built = LeaseManagerBuilder::new(client.clone(), &name)
            .with_namespace(&args.namespace)
            .with_identity(&args.identity)
            .with_field_manager(field_manager)
            .with_duration(args.lease_seconds)
            .with_grace(grace)
            .build()
            .await;
        match built {
            Ok(manager) => break manager,
            Err(error) => warn!(lease = name, error = error.to_string(), "cannot set up the lease"),
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(5)) => {}
            () = stop::told(&mut stop) => return,
        }
    };
    loop {
        tokio::select! {
            changed = manager.changed() => match changed {
                Ok(holds) => {
                    info!(lease = name, holds, "the lease changed");
                    leads.send_replace(holds);
                }
                Err(error) => {
                    // Who cannot renew may have lost it.
                    leads.send_replace(false);
                    warn!(lease = name, error = error.to_string(), "cannot renew the lease");
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            },
            () = stop::told(&mut stop) => break,
        }
    }
    // So that the next replica need not wait for its end.
    if let Err(error) = manager.release().await {
        warn!(lease = name, error = error.to_string(), "cannot give the lease back; it ends by itself");
    }
}
