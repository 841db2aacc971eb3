//! Where a cluster is headed: its target, the step that is under way, and the version that each part of it takes next.

use headway_api::plan::{GroupMoves, Mover, WorkerGroup};
use headway_api::preview::{PlannedStep, Preview, Refusal, StepState};
use headway_api::report::Position;

use crate::preview::{self, Group, Scene, Wish};
use crate::version::{Comparison, KubeVersion, oldest};

/// Where a cluster is headed.
pub(super) struct Course {
    /// The preview of its upgrade; absent where no topology says where it is to go.
    pub(super) preview: Option<Preview>,
    /// The version that it is to have.
    pub(super) target: Option<String>,
    /// The lowest version that any part of it has that takes part.
    pub(super) from: Option<KubeVersion>,
    /// The version of the step that is under way, or next.
    hop: Option<KubeVersion>,
    /// Which step of the control plane that is, where there are several.
    pub(super) position: Option<Position>,
    /// The version that the control plane takes or has.
    pub(super) control_plane: Option<KubeVersion>,
    /// The version that its spec names.
    spec: Option<KubeVersion>,
}

impl Course {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        let preview =
            scene.topology_version().map(|target| preview::of_scene(scene, target.to_owned(), &Wish::default()));
        let spec = scene.control_plane_version();
        let target = scene.topology_version().map(str::to_owned);
        let target = target.or_else(|| scene.control_plane.map(|it| it.spec.version.clone()));
        let target = target.filter(|version| !version.is_empty());
        let steps = preview.as_ref().map_or(&[][..], |preview| &preview.steps);
        let rolling = steps.first().is_some_and(is_rolling_control_plane);
        let ahead = steps.first().filter(|step| is_of_control_plane(step) && !rolling);
        let control_plane = ahead.map(|step| step.step.to.clone()).or_else(|| spec.clone());
        let hop = steps.first().map(|step| step.step.to.clone());
        let mut course =
            Self { target, from: from(scene, preview.as_ref()), hop, position: None, control_plane, spec, preview };
        course.position = course.position();
        course
    }

    fn steps(&self) -> &[PlannedStep] {
        self.preview.as_ref().map_or(&[][..], |preview| &preview.steps)
    }

    /// Why there is no plan.
    pub(super) fn refusal(&self) -> Option<&Refusal> {
        self.preview.as_ref()?.refusal.as_ref()
    }

    /// Whether any step is left, or there is a target that no plan reaches.
    pub(super) fn is_ahead(&self) -> bool {
        !self.steps().is_empty() || self.misses_target()
    }

    /// Whether the control plane has yet to move.
    pub(super) fn control_plane_is_ahead(&self) -> bool {
        self.steps().iter().any(is_of_control_plane) || self.misses_target()
    }

    /// Whether the control plane is on its way by what its status tells.
    pub(super) fn control_plane_is_rolling(&self) -> bool {
        self.steps().first().is_some_and(is_rolling_control_plane)
    }

    fn misses_target(&self) -> bool {
        let target = self.target.as_deref().and_then(|target| KubeVersion::parse(target).ok());
        target.zip(self.spec.as_ref()).is_some_and(|(target, spec)| target.compare(spec) != Comparison::Equal)
    }

    /// Whether everything that has a version has the one that it is to have.
    pub(super) fn is_same_version(&self) -> bool {
        let target = self.target.as_deref().and_then(|target| KubeVersion::parse(target).ok());
        self.from.is_none() || self.from == target
    }

    /// The version that a group of workers takes next; the one of its template where nothing moves it.
    pub(super) fn of_group(&self, group: &Group<'_>) -> Option<KubeVersion> {
        let own = group.object.version().and_then(|text| KubeVersion::parse(text).ok());
        let running = self.steps().iter().any(|step| step.state == StepState::UnderWay && moves(step, &group.id));
        if running {
            return own;
        }
        let planned = self.preview.as_ref().and_then(|preview| preview.plan.as_ref());
        let moves = planned.and_then(|plan| plan.groups.iter().find(|known| known.group == group.id));
        let next = moves.and_then(|GroupMoves { moves, .. }| moves.first()).cloned();
        next.or(own)
    }

    /// Whether a part of the cluster that takes a version moves in the step that is under way.
    pub(super) fn is_of_step(&self, wanted: Option<&KubeVersion>) -> bool {
        match &self.hop {
            Some(hop) => wanted == Some(hop),
            None => true,
        }
    }

    /// The versions that the control plane has yet to visit, where there is more than the target.
    pub(super) fn plan(&self) -> Vec<String> {
        let ahead = self.preview.as_ref().map_or(&[][..], |preview| &preview.control_plane);
        let is_only_target = ahead.len() == 1 && self.position.is_none();
        if is_only_target { Vec::new() } else { ahead.iter().map(ToString::to_string).collect() }
    }

    /// Which step it is: minors are visited one by one, so that those between the lowest version and this one are
    /// behind.
    fn position(&self) -> Option<Position> {
        let (hop, from) = (self.hop.as_ref()?, self.from.as_ref()?);
        let preview = self.preview.as_ref()?;
        if hop.minor().major != from.minor().major {
            return None;
        }
        let behind = hop.minor().minor.saturating_sub(from.minor().minor).saturating_sub(1);
        let behind = usize::try_from(behind).ok()?;
        let ahead = preview.control_plane.iter().filter(|version| *version != hop).count();
        let of = behind.checked_add(1)?.checked_add(ahead)?;
        (of > 1).then_some(Position { step: behind + 1, of })
    }
}

fn is_of_control_plane(step: &PlannedStep) -> bool {
    matches!(step.step.mover, Mover::ControlPlane)
}

fn is_rolling_control_plane(step: &PlannedStep) -> bool {
    step.state == StepState::UnderWay && is_of_control_plane(step)
}

fn moves(step: &PlannedStep, id: &WorkerGroup) -> bool {
    match &step.step.mover {
        Mover::ControlPlane => false,
        Mover::Workers { groups } => groups.contains(id),
    }
}

/// The lowest version of what takes part: the control plane, by what it runs, and the groups that move.
fn from(scene: &Scene<'_>, preview: Option<&Preview>) -> Option<KubeVersion> {
    let parse = |text: &str| KubeVersion::parse(text).ok();
    let object = scene.control_plane;
    let of_control_plane = object.into_iter().flat_map(|it| {
        let told = it.status.versions.iter().map(|entry| entry.version.as_str()).chain([it.status.version.as_str()]);
        told.filter_map(parse).collect::<Vec<_>>()
    });
    let steps = preview.map_or(&[][..], |preview| &preview.steps);
    let of_groups = steps.iter().filter(|step| !is_of_control_plane(step)).map(|step| step.step.from.clone());
    oldest(of_control_plane.chain(of_groups))
}
