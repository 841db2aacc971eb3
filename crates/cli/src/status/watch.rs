//! `headway status --watch` and `--wait`: informers in, a picture whenever there is a new one.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use headway_api::report::Outcome;
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Informers, Pace, Watching};
use headway_core::assess::Wanted;
use headway_core::inform::Timing;
use headway_core::memory::Memory;
use headway_core::observer::{Observer, Sight};
use jiff::Timestamp;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::picture::Picture;
use super::screen::Screen;
use super::{live as asked, rendered};
use crate::access;
use crate::args::{Source, Status, Wait};
use crate::failure::Failure;
use crate::{clock, output};

/// After a change, for so long more of them are taken in before the next look: a node that changes does so in several
/// steps, and a list comes object by object.
const SETTLE: Duration = Duration::from_millis(300);

/// At least so often it is looked again, so that ages move and what grew old is told.
const TICK: Duration = Duration::from_secs(5);

/// For so long the first picture waits for what has not been told yet. After that it shows what is missing.
const FIRST: Duration = Duration::from_secs(10);

/// As kubectl ends on Ctrl-C: 128 and the signal's number.
const INTERRUPTED: u8 = 130;

/// Why a watch ended.
enum End {
    /// What was waited for is so.
    Met(Box<Sight>),
    /// It is not, and the time is over.
    TimedOut(Option<Box<Sight>>),
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

/// Watches, and ends when there is a reason to.
pub(super) fn run(args: &Status, limits: &Limits) -> Result<ExitCode, Failure> {
    if args.live.source == Source::Api {
        return Err(anyhow!("--watch and --wait look at the objects of the cluster: leave out --source=api").into());
    }
    let mut screen = args.watch.then(Screen::new);
    let end = access::runtime()?.block_on(watch(args, limits, screen.as_mut()))?;
    // Who watched has seen it already; who only waited is told now.
    let told = |sight: &Sight| match &screen {
        Some(_) => Ok(()),
        None => output::write(rendered(args, &sight.report)?.as_bytes()),
    };
    match end {
        End::Met(sight) => {
            told(&sight)?;
            Ok(ExitCode::SUCCESS)
        }
        End::Interrupted => Ok(ExitCode::from(INTERRUPTED)),
        End::TimedOut(last) => {
            if let Some(sight) = &last {
                told(sight)?;
            }
            Err(Failure::Told(late(args, last.as_deref())))
        }
    }
}

async fn watch(args: &Status, limits: &Limits, mut screen: Option<&mut Screen>) -> Result<End, Failure> {
    let until = args.timeout.map(|timeout| Instant::now() + timeout);
    let work = async {
        let cluster = access::connect(&args.connection).await?;
        if live::is_management(&cluster, limits).await? {
            args.check_for_kept_clusters()?;
        }
        let watching = Watching {
            prometheus: Some(asked::prometheus(&args.live)),
            limits: *limits,
            pace: Pace::default(),
            clock: Arc::new(clock::now),
        };
        Ok::<_, anyhow::Error>(live::watch(&cluster, &watching))
    };
    let mut informers = tokio::select! {
        informers = work => informers?,
        () = passed(until) => return Ok(End::TimedOut(None)),
        _ = tokio::signal::ctrl_c() => return Ok(End::Interrupted),
    };
    let mut watcher = Watcher { observer: Observer::new(Timing::default(), Memory::default()), began: Instant::now() };
    let mut last = None;
    loop {
        tokio::select! {
            () = watcher.listen(&mut informers, last.as_ref()) => {}
            () = passed(until) => return Ok(End::TimedOut(last.map(Box::new))),
            _ = tokio::signal::ctrl_c() => return Ok(End::Interrupted),
        }
        let now = clock::now();
        let Some(sight) = watcher.look(&informers, now) else { continue };
        if let Some(screen) = &mut screen {
            screen.show(args, Picture::of(sight.clone(), now))?;
        }
        let is_met = args.wait.is_some_and(|wait| wanted(wait).is_met(&sight.report));
        if is_met && sight.awaited.is_empty() {
            return Ok(End::Met(Box::new(sight)));
        }
        last = Some(sight);
    }
}

/// Who looks, and since when.
struct Watcher {
    observer: Observer,
    began: Instant,
}

impl Watcher {
    /// Takes in what is told, until it is time to look: a moment after a change, or when time alone changes something.
    async fn listen(&mut self, informers: &mut Informers, last: Option<&Sight>) {
        let mut look_at = Instant::now() + TICK;
        if let Some(next) = last.and_then(|sight| sight.next) {
            let wait = next.duration_since(clock::now());
            // A moment past it, and never at once: what is due now was looked at just now.
            let wait = Duration::try_from(wait).unwrap_or_default().max(SETTLE);
            look_at = look_at.min(Instant::now() + wait);
        }
        if last.is_none() {
            look_at = look_at.min(self.began + FIRST);
        }
        let mut has_changed = false;
        while let Ok(Some(msg)) = timeout_at(look_at, informers.next()).await {
            let is_change = self.observer.apply(msg) || (last.is_none() && self.observer.awaited().is_empty());
            if is_change && !has_changed {
                has_changed = true;
                look_at = look_at.min(Instant::now() + SETTLE);
            }
        }
    }

    /// What there is to see; nothing yet while it is worth waiting for more.
    fn look(&mut self, informers: &Informers, now: Timestamp) -> Option<Sight> {
        if !self.observer.awaited().is_empty() && self.began.elapsed() < FIRST {
            return None;
        }
        let sight = self.observer.look(now);
        informers.drain(sight.report.draining().map(str::to_owned).collect());
        Some(sight)
    }
}

/// When the time is over; never, if it is not limited.
async fn passed(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}

fn wanted(wait: Wait) -> Wanted {
    match wait {
        Wait::Updated => Wanted::Updated,
        Wait::Healthy => Wanted::Healthy,
    }
}

/// Why waiting was in vain.
fn late(args: &Status, last: Option<&Sight>) -> anyhow::Error {
    let seconds = args.timeout.unwrap_or_default().as_secs_f64();
    let state = match args.wait {
        Some(Wait::Healthy) => "healthy",
        Some(Wait::Updated) | None => "updated",
    };
    match last.map(|sight| sight.report.outcome) {
        Some(outcome) => anyhow!("after {seconds}s the cluster is not {state}: {}", words(outcome)),
        None => anyhow!("after {seconds}s nothing of the cluster was seen"),
    }
}

fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotUpdating => "nothing is being updated",
        Outcome::Updating => "an update runs, and well",
        Outcome::NeedsAttention => "something needs attention",
        Outcome::Failing => "the update is stalled or failing",
        Outcome::CannotTell => "what is observed is not enough to tell",
    }
}
