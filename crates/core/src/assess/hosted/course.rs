//! Where a hosted cluster is on its way: its two sides, the pods on the management cluster and what runs in the guest,
//! have each a release to go to and a history (update-status-api.md, 6.2).

use headway_api::hypershift::VersionStatus;
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::openshift::History;
use headway_api::report::Change;
use jiff::{SignedDuration, Timestamp};

use super::super::{said, span};
use super::release::{self, Same, same};
use super::world::World;

/// How long the management side takes where nothing was learned of this cluster.
const AS_A_RULE: SignedDuration = SignedDuration::from_mins(30);

/// The sides of a hosted cluster and where they are to be.
pub(super) struct Course<'a> {
    /// The pods on the management cluster, where that is told (since March 2026).
    pub(super) management: Option<&'a VersionStatus>,
    /// The guest's cluster version operator, as the management cluster repeats it.
    guest: Option<&'a VersionStatus>,
    /// The same of the guest's own ClusterVersion.
    own: Option<VersionStatus>,
    /// What was asked for and not taken up yet: the image.
    pub(super) asked: Option<&'a str>,
}

impl<'a> Course<'a> {
    pub(super) fn of(world: &World<'a>) -> Self {
        let status = &world.cluster.status;
        let control_plane = world.control_plane.map(|it| &it.status);
        let is_told = |side: &&VersionStatus| !side.desired.version.is_empty() || !side.history.is_empty();
        let management =
            [status.control_plane_version.as_ref(), control_plane.and_then(|it| it.control_plane_version.as_ref())];
        let guest = [status.version.as_ref(), control_plane.and_then(|it| it.version_status.as_ref())];
        let own = world
            .guest
            .cluster_version
            .map(|it| VersionStatus { desired: it.status.desired.clone(), history: it.status.history.clone() });
        let mut course = Self {
            management: management.into_iter().flatten().find(is_told),
            guest: guest.into_iter().flatten().find(is_told),
            own,
            asked: None,
        };
        course.asked = course.not_taken_up(world);
        course
    }

    /// The guest's side: as the guest itself tells it, unless the HostedCluster, which repeats it, has heard of a later
    /// update.
    pub(super) fn guest(&self) -> Option<&VersionStatus> {
        let began = |side: &VersionStatus| side.history.first().and_then(|entry| entry.started_time);
        match (self.guest, self.own.as_ref().filter(|own| !own.history.is_empty())) {
            (Some(told), Some(own)) if began(told) > began(own) => Some(told),
            (_, Some(own)) => Some(own),
            (told, None) => told,
        }
    }

    /// The sides that are told.
    pub(super) fn sides(&self) -> impl Iterator<Item = &VersionStatus> {
        self.management.into_iter().chain(self.guest())
    }

    /// The release that somebody asked for, while the pods are not on their way to it. Where only the guest's side is
    /// told, it is told of both.
    fn not_taken_up(&self, world: &World<'a>) -> Option<&'a str> {
        let wanted = world.cluster.spec.wanted_image();
        let side = self.management.or_else(|| self.guest())?;
        self.is_ahead(world, wanted, side).then_some(wanted)
    }

    /// Whether the guest is not on its way to the release that it is to have.
    pub(super) fn guest_lags(&self, world: &World<'_>) -> bool {
        let wanted = world.cluster.spec.release.image.as_str();
        self.guest().is_some_and(|side| self.is_ahead(world, wanted, side))
    }

    /// Whether an image is another than the one that a side goes to.
    fn is_ahead(&self, world: &World<'_>, image: &str, side: &VersionStatus) -> bool {
        match same(image, &side.desired.image) {
            Same::Yes => false,
            Same::No => true,
            // Without an image there is nothing to compare.
            Same::CannotTell if image.is_empty() => false,
            Same::CannotTell => match release::version_of(image, self.sides()) {
                Some(version) => version != side.desired.version && !side.desired.version.is_empty(),
                // One is told by tag and the other by digest: then the controller's word counts.
                None => world.says("Progressing", ConditionStatus::True).is_some(),
            },
        }
    }

    /// The version that the pods on the management cluster are to be at.
    pub(super) fn target_of_pods(&self) -> Option<&str> {
        let side = self.management.or_else(|| self.guest())?;
        Some(side.desired.version.as_str()).filter(|version| !version.is_empty())
    }

    /// The version that the guest's operators are to be at.
    pub(super) fn target_of_guest(&self) -> Option<&str> {
        self.guest().map(|side| side.desired.version.as_str()).filter(|version| !version.is_empty())
    }

    /// Where the cluster is to be: the version that was asked for, or the image where nothing tells its version.
    pub(super) fn target(&self) -> Option<&str> {
        match self.asked {
            Some(image) => Some(release::version_of(image, self.sides()).unwrap_or(image)),
            None => self.target_of_pods(),
        }
    }

    /// The history that tells of the way to the target: that of the pods, else that of the guest.
    pub(super) fn history(&self) -> &[History] {
        self.management.or_else(|| self.guest()).map_or(&[], |side| &side.history)
    }

    /// The entry before the one that is under way, or was last.
    pub(super) fn before(&self) -> Option<&History> {
        // What was asked for has no entry yet.
        let history = self.history();
        if self.asked.is_some() { history.first() } else { history.get(1) }
    }

    /// Which kind of change the way to the target is, for which the installation is no case.
    pub(super) fn change(&self) -> Change {
        let Some(newest) = self.history().first().filter(|_| self.asked.is_none()) else { return Change::Version };
        let is_same =
            self.before().is_some_and(|before| !before.version.is_empty() && before.version == newest.version);
        let is_multi = self.sides().any(|side| side.desired.architecture == "Multi");
        match (is_same, is_multi) {
            (true, true) => Change::MultiArchitecture,
            (true, false) => Change::Image,
            (false, _) => Change::Version,
        }
    }

    /// The architecture of the release that it goes to, where that is not a single one.
    pub(super) fn architecture(&self) -> Option<&str> {
        self.sides().map(|side| side.desired.architecture.as_str()).find(|it| !it.is_empty())
    }

    /// The version that both sides have reached and the workers may be at, whatever is under way (cases A34).
    pub(super) fn reached(&self) -> Option<&str> {
        let last = |side: &'_ VersionStatus| side.history.iter().position(History::is_completed);
        let of = |side| last(side).and_then(|at| side.history.get(at)).map(|entry| entry.version.as_str());
        match (self.management.map(of), self.guest().map(of)) {
            (Some(Some(pods)), Some(Some(guest))) => Some(if release::is_older(pods, guest) { pods } else { guest }),
            (None, Some(guest)) => guest,
            (Some(_), Some(None) | None) | (Some(None), Some(Some(_))) | (None, None) => None,
        }
    }

    /// Since when it has been under way to the target, and when it was there.
    pub(super) fn span(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        if self.asked.is_some() {
            return (None, None);
        }
        // The side that has not begun yet tells of the update before.
        let target = self.target_of_pods();
        let newest: Vec<&History> = self
            .sides()
            .filter_map(|side| side.history.first())
            .filter(|entry| target.is_none_or(|target| entry.version == target))
            .collect();
        let started = newest.iter().filter_map(|entry| entry.started_time).min();
        let is_over = newest.iter().all(|entry| entry.is_completed());
        let ended = newest.iter().filter_map(|entry| entry.completion_time).max();
        (started, ended.filter(|_| is_over))
    }

    /// How long the last update of this cluster took that was completed, the installation aside.
    pub(super) fn learned(&self) -> Option<SignedDuration> {
        let [updates @ .., _installation] = self.guest()?.history.as_slice() else { return None };
        // The guest may not have begun; then its newest entry is of the update before.
        let target = self.target();
        let entry = updates.iter().find(|entry| entry.is_completed() && Some(entry.version.as_str()) != target)?;
        let of_pods = self.management.and_then(|side| side.history.iter().find(|it| it.version == entry.version));
        let started = [Some(entry), of_pods].into_iter().flatten().filter_map(|it| it.started_time).min()?;
        let ended = [Some(entry), of_pods].into_iter().flatten().filter_map(|it| it.completion_time).max()?;
        Some(span::between(ended, started)).filter(|took| *took > SignedDuration::ZERO)
    }

    /// How long the update will take in all: as the last one, else as the management side does as a rule, as long as
    /// that is what is under way.
    pub(super) fn baseline(&self, stage: Stage) -> Option<SignedDuration> {
        let is_of_pods = stage == Stage::ControlPlaneRollingOut;
        self.learned().or_else(|| is_of_pods.then_some(AS_A_RULE))
    }
}

/// What is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Another release was asked for, and nothing has been done yet.
    Accepted,
    /// The pods on the management cluster are being replaced.
    ControlPlaneRollingOut,
    /// The guest's operators are on their way.
    ClusterVersionProgressing,
    /// Nothing: both sides are where they are to be.
    NotProgressing,
    /// What was asked for is refused.
    Blocked,
    /// Something is left to do, and nothing may be done.
    Paused,
    /// It cannot be told.
    Unknown,
}

impl Stage {
    /// The word for it in a condition.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Accepted => "Accepted",
            Self::ControlPlaneRollingOut => "ControlPlaneRollingOut",
            Self::ClusterVersionProgressing => "ClusterVersionProgressing",
            Self::NotProgressing => "NotProgressing",
            Self::Blocked => "Blocked",
            Self::Paused => "Paused",
            Self::Unknown => "CannotDetermine",
        }
    }

    /// Whether it moves.
    pub(super) fn moves(self) -> bool {
        match self {
            Self::Accepted | Self::ControlPlaneRollingOut | Self::ClusterVersionProgressing => true,
            Self::NotProgressing | Self::Blocked | Self::Paused | Self::Unknown => false,
        }
    }
}

/// A stage, with why.
pub(super) struct Verdict {
    pub(super) stage: Stage,
    pub(super) message: String,
    pub(super) since: Option<Timestamp>,
    /// What was seen contradicts what both histories say.
    pub(super) contradiction: Option<String>,
}

/// How much of the parts of the control plane is seen to be done.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) components: usize,
    pub(super) components_done: usize,
    pub(super) operators: usize,
    pub(super) operators_done: usize,
}

impl Parts {
    pub(super) fn total(self) -> usize {
        self.components + self.operators
    }

    pub(super) fn done(self) -> usize {
        self.components_done + self.operators_done
    }
}

/// What is under way, by the tables of the specification; the first that holds counts.
pub(super) fn stage(world: &World<'_>, course: &Course<'_>, parts: Parts) -> Verdict {
    let verdict = |stage: Stage, message: String, since| Verdict { stage, message, since, contradiction: None };
    let paused = world.paused();
    if course.asked.is_some() {
        let target = course.target().unwrap_or_default();
        return if let Some(paused) = paused {
            verdict(Stage::Paused, format!("{target} was asked for, but {paused}"), None)
        } else if let Some(why) = refused(world) {
            verdict(Stage::Blocked, said(why), why.last_transition_time)
        } else {
            let since = world.says("Progressing", ConditionStatus::True).and_then(|it| it.last_transition_time);
            verdict(Stage::Accepted, format!("{target} was asked for, and its rollout has not begun"), since)
        };
    }
    let newest = |side: Option<&VersionStatus>| side.and_then(|side| side.history.first().cloned());
    let (pods, guest) = (newest(course.management), newest(course.guest()));
    let counted = format!(
        "{} of {} components are at {}",
        parts.components_done,
        parts.components,
        course.target_of_pods().unwrap_or_default()
    );
    let is_short = parts.components_done < parts.components;
    let rolls = match &pods {
        Some(entry) => entry.is_partial(),
        // Before the pods had a history of their own, only the components told.
        None => is_short && course.target_of_pods().is_some(),
    };
    if rolls {
        let message = if parts.components > 0 { counted } else { "the control plane's pods are being replaced".into() };
        let since = pods.and_then(|entry| entry.started_time);
        return match paused {
            Some(paused) => verdict(Stage::Paused, format!("{message}, and {paused}"), since),
            None => verdict(Stage::ControlPlaneRollingOut, message, since),
        };
    }
    let told = world.cluster.status.condition("ClusterVersionProgressing");
    if let Some(entry) = guest.as_ref().filter(|entry| entry.is_partial()) {
        let message = told.filter(|it| it.status == ConditionStatus::True).map(said);
        let message = message.unwrap_or_else(|| format!("the guest's operators go to {}", entry.version));
        return verdict(Stage::ClusterVersionProgressing, message, entry.started_time);
    }
    if course.guest_lags(world) {
        let message = "the pods of the control plane are done, and the guest's operators have not begun".to_owned();
        return verdict(Stage::ClusterVersionProgressing, message, pods.and_then(|entry| entry.completion_time));
    }
    let unknown = |message: String| verdict(Stage::Unknown, message, None);
    let Some(guest) = guest else {
        return unknown("the guest's side has not told its version yet".into());
    };
    if !guest.is_completed() || pods.as_ref().is_some_and(|entry| !entry.is_completed()) {
        return unknown("the newest entry of a history is neither Completed nor Partial".into());
    }
    let contradicted = |message: String| Verdict { contradiction: Some(message.clone()), ..unknown(message) };
    if is_short {
        return contradicted(format!("the history says that all is done, but {counted}"));
    }
    if parts.operators_done < parts.operators {
        return contradicted(format!(
            "the history says that all is done, but {} of {} operators of the guest are at {}",
            parts.operators_done,
            parts.operators,
            course.target_of_guest().unwrap_or_default()
        ));
    }
    match told.map(|it| it.status) {
        Some(ConditionStatus::Unknown | ConditionStatus::Other) => {
            return unknown(format!("ClusterVersionProgressing is unknown: {}", told.map(said).unwrap_or_default()));
        }
        Some(ConditionStatus::True) if parts.operators == 0 => {
            return contradicted("the history says that all is done, but ClusterVersionProgressing is True".into());
        }
        Some(ConditionStatus::True | ConditionStatus::False) | None => {}
    }
    let claims = world.says("Progressing", ConditionStatus::True);
    if pods.is_none()
        && parts.components == 0
        && (claims.is_some() || world.cluster.status.condition("Progressing").is_none())
    {
        return unknown("nothing tells whether the control plane's pods are done: no component was seen".into());
    }
    let since = [Some(&guest), pods.as_ref()].into_iter().flatten().filter_map(|entry| entry.completion_time).max();
    verdict(Stage::NotProgressing, String::new(), since)
}

/// Conditions of a HostedCluster without which nothing is changed.
const REQUIRED: [&str; 4] =
    ["ValidReleaseImage", "SupportedHostedCluster", "ValidConfiguration", "ReconciliationActive"];

/// Why a release that was asked for is not taken up.
pub(super) fn refused<'a>(world: &World<'a>) -> Option<&'a Condition> {
    let blocked = world.says("Progressing", ConditionStatus::False).filter(|it| it.reason == "Blocked");
    // What it rests on says more than that it is blocked.
    REQUIRED.iter().find_map(|kind| world.says(kind, ConditionStatus::False)).or(blocked)
}
