//! Alerts, asked for from time to time: there is no watch of them.

use std::collections::BTreeSet;

use headway_core::inform::{Fact, Failure};
use headway_core::snapshot::AlertsSeen;
use tokio::time::sleep;

use super::super::super::collect::AlertsFound;
use super::super::alerts::{self, Prometheus};
use super::outbox::Known;
use super::pause::Pauses;
use super::{Informing, Pace};

/// The one object that all alerts are.
const UID: &str = "alerts";

/// Informs, for ever.
pub(super) async fn inform(informing: &Informing, prometheus: Option<Prometheus>) {
    let Some(prometheus) = prometheus else {
        informing.rest("alerts are not asked for");
        return std::future::pending().await;
    };
    let context = &informing.context;
    let Pace { alerts: pause, refused, .. } = context.pace;
    // Who cannot be asked now is asked less often, but not for ever less.
    let mut pauses = Pauses::new(Pace { first_pause: pause, longest_pause: refused.max(pause), ..context.pace });
    let mut kept = None;
    informing.outbox.hello(context.now());
    loop {
        match alerts::ask(&context.cluster, &prometheus, &context.limits).await {
            Ok(AlertsFound { mut alerts, gaps }) => {
                // Prometheus keeps no order, and what only changed places has not changed.
                alerts.sort_by(|a, b| (&a.labels, a.active_at).cmp(&(&b.labels, b.active_at)));
                let now = context.now();
                let known = Known { fact: Fact::Alerts(AlertsSeen::Answer(alerts)), flaws: gaps };
                if kept.as_ref() != Some(&known) {
                    kept = Some(known.clone());
                    informing.outbox.upsert(now, UID.into(), known);
                }
                if informing.pulse.connect(now) {
                    informing.outbox.synced(now, BTreeSet::from([UID.to_owned()]));
                }
                pauses.reset();
                sleep(pause).await;
            }
            Err(alerts::NoAlerts { kind, message }) => {
                informing.pulse.disconnect();
                informing.outbox.failed(context.now(), Failure { kind, message });
                sleep(pauses.next()).await;
            }
        }
    }
}
