//! A fleet: which clusters a management cluster keeps, and a row of each one's `Report`.
//!
//! What is said of one cluster is judged in [`assess`](crate::assess); here the clusters are found, chosen and put in
//! order, and watched by whoever keeps a status of each. Reading objects is left to `headway-cluster`.

mod member;
mod observer;
mod order;
mod pick;
mod row;
mod selector;
mod source;
mod store;
mod view;
mod workloads;

use std::collections::BTreeSet;

use headway_api::REPORT_API_VERSION;
use headway_api::fleet::{Fleet, Row};
use headway_api::gap::Gap;
use headway_api::report::{Outcome, Report};

use crate::assess::hosted::Hosts;
use crate::preview::{Belongings, Inventory};

pub use member::{Member, members, report};
pub use observer::{FORMS, Observer, Owner, Sight};
pub use order::Order;
pub use pick::{PickError, Wanted, pick};
pub use row::row;
pub use selector::{Selector, SelectorError};
pub use source::{Msg, Object, Source};
pub use store::{Informer, Key};
pub use workloads::{AT_ONCE, Answer, Ask, Failed, Kubeconfig, Policy, Workloads};

/// The table of some members of an inventory.
pub fn fleet(inventory: &Inventory, members: &[Member<'_>], order: Order) -> Fleet {
    let mut items = Vec::with_capacity(members.len());
    let mut gaps = Gaps::of(inventory);
    let (belongings, hosts) = (Belongings::of(inventory), Hosts::of(inventory));
    for member in members {
        let report = member::report_of_many(inventory, &belongings, &hosts, member);
        items.push(row(&report));
        gaps.add(member, report);
    }
    order::sort(&mut items, order);
    Fleet {
        api_version: REPORT_API_VERSION,
        kind: "Fleet",
        observed_at: inventory.moment.at,
        clock: inventory.moment.clock.into(),
        outcome: outcome(&items, &gaps.all),
        items,
        gaps: gaps.all,
    }
}

/// The gaps of an inventory, and of the reports on its members those that can change an answer. What else is not known
/// of a member is told where it is shown in full: of a thousand of them it would be thousands of lines.
struct Gaps {
    all: Vec<Gap>,
    known: BTreeSet<Gap>,
}

impl Gaps {
    fn of(inventory: &Inventory) -> Self {
        let all: Vec<Gap> = inventory.gaps.iter().cloned().chain(member::without_hosted_cluster(inventory)).collect();
        Self { known: all.iter().cloned().collect(), all }
    }

    fn add(&mut self, member: &Member<'_>, report: Report) {
        let told = member.told();
        for mut gap in report.gaps.into_iter().filter(|gap| gap.kind.is_serious()) {
            if self.known.contains(&gap) {
                continue;
            }
            // Among others it has to be said whose it is.
            if gap.place.is_empty() && !gap.object.ends_with(&format!("/{told}")) {
                gap.place.clone_from(&told);
            }
            if self.known.insert(gap.clone()) {
                self.all.push(gap);
            }
        }
    }
}

/// The gravest answer of all rows. Where none is grave and something was not observed, nobody knows whether all is
/// well; nor does anybody of a fleet without a cluster.
fn outcome(items: &[Row], gaps: &[Gap]) -> Outcome {
    let worst = items.iter().map(|row| row.outcome).max_by_key(|outcome| gravity(*outcome));
    let blind = gaps.iter().any(|gap| gap.kind.is_serious());
    match worst {
        None => Outcome::CannotTell,
        Some(Outcome::NotUpdating | Outcome::Updating) if blind => Outcome::CannotTell,
        Some(worst) => worst,
    }
}

/// As for a single cluster: what is known to be wrong counts for more than what is not known.
fn gravity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::NotUpdating => 0,
        Outcome::Updating => 1,
        Outcome::CannotTell => 2,
        Outcome::NeedsAttention => 3,
        Outcome::Failing => 4,
    }
}

#[cfg(test)]
mod tests {
    use headway_api::gap::GapKind;

    use super::*;

    #[test]
    fn a_fleet_is_as_its_gravest_member_and_never_well_unseen() {
        use Outcome::{CannotTell, Failing, NeedsAttention, NotUpdating, Updating};
        let rows = |outcomes: &[Outcome]| -> Vec<Row> {
            let row = |outcome: &Outcome| order::tests::of_outcome(*outcome);
            outcomes.iter().map(row).collect()
        };
        let check = |outcomes: &[Outcome], gaps: &[GapKind], expect: Outcome| {
            let gaps: Vec<Gap> = gaps.iter().map(|kind| Gap::of_input(*kind, "x")).collect();
            assert_eq!(outcome(&rows(outcomes), &gaps), expect, "{outcomes:?} {gaps:?}");
        };
        check(&[NotUpdating, Updating], &[], Updating);
        check(&[Updating, CannotTell], &[], CannotTell);
        check(&[NeedsAttention, CannotTell], &[], NeedsAttention);
        check(&[Failing, NeedsAttention, CannotTell, Updating], &[], Failing);
        check(&[NotUpdating], &[GapKind::Optional, GapKind::Duplicate], NotUpdating);
        check(&[NotUpdating], &[GapKind::Unreadable], CannotTell);
        check(&[Updating], &[GapKind::Missing], CannotTell);
        check(&[NeedsAttention], &[GapKind::Missing], NeedsAttention);
        check(&[], &[], CannotTell);
    }
}
