//! A plan in the order in which it is walked: workers move while the control plane is at the version that they take,
//! and it goes on when they have.

use headway_api::plan::{Mover, Plan};

use super::situation::Situation;
use crate::version::KubeVersion;

/// One move of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<'a> {
    /// Who moves.
    pub mover: Mover,
    /// From this version.
    pub from: &'a KubeVersion,
    /// To this version.
    pub to: &'a KubeVersion,
}

/// The moves of a plan that was made for this situation, in order. Groups that go the same way together are one move.
#[must_use]
pub fn walk<'a>(situation: &'a Situation, plan: &'a Plan) -> Vec<Move<'a>> {
    let Some(control_plane) = &situation.control_plane else { return Vec::new() };
    let mut moves = Vec::new();
    let mut groups: Vec<(&KubeVersion, &[KubeVersion])> =
        plan.groups.iter().map(|group| (&group.from, group.moves.as_slice())).collect();
    let mut at = control_plane;
    let mut rest = plan.control_plane.iter();
    loop {
        // Each way that groups go while the control plane stands here.
        let mut ways: Vec<Move<'a>> = Vec::new();
        for (moving, (from, ahead)) in plan.groups.iter().zip(&mut groups) {
            let [to, later @ ..] = ahead else { continue };
            if to != at {
                continue;
            }
            let group = moving.group.clone();
            match ways.iter_mut().find(|way| way.from == *from) {
                Some(Move { mover: Mover::Workers { groups }, .. }) => groups.push(group),
                Some(Move { mover: Mover::ControlPlane, .. }) | None => {
                    ways.push(Move { mover: Mover::Workers { groups: vec![group] }, from, to });
                }
            }
            (*from, *ahead) = (to, later);
        }
        moves.append(&mut ways);
        let Some(next) = rest.next() else { return moves };
        moves.push(Move { mover: Mover::ControlPlane, from: at, to: next });
        at = next;
    }
}
