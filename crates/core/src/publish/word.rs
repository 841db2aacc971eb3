//! The words of the report as the words of the API, and back. Neither side's words are renamed here: where the report
//! says `Updated` of a node, the API has always said `Completed`.

use headway_api::gap;
use headway_api::insight;
use headway_api::report;
use headway_api::update::word::{
    Activity, Change, ClockSource, Counted, EstimateState, Form, GapKind, Impact, InformerState, Level, Outcome, Phase,
    Scope, Truth,
};

use crate::inform;

/// Two functions that turn one list of words into the other.
macro_rules! both_ways {
    ($to:ident, $from:ident: $ours:path, $theirs:path { $($our:ident = $their:ident),+ $(,)? } $($else_:tt)*) => {
        pub(super) fn $to(word: $ours) -> $theirs {
            use $ours as Ours;
            match word { $(Ours::$our => <$theirs>::$their),+ }
        }

        pub(super) fn $from(word: $theirs) -> Option<$ours> {
            use $theirs as Theirs;
            match word { $(Theirs::$their => Some(<$ours>::$our),)+ $($else_)* }
        }
    };
}

both_ways!(truth, truth_back: report::Truth, Truth { True = True, False = False, Unknown = Unknown });
both_ways!(form, form_back: report::Form, Form {
    Standalone = Standalone, Hosted = Hosted, ClusterApi = ClusterApi, Unknown = Unknown,
});
both_ways!(scope, scope_back: insight::Scope, Scope { ControlPlane = ControlPlane, WorkerPool = WorkerPool });
both_ways!(activity, activity_back: report::Activity, Activity {
    NotUpdating = NotUpdating, Updating = Updating, Unknown = Unknown,
});
both_ways!(outcome, outcome_back: report::Outcome, Outcome {
    NotUpdating = NotUpdating, Updating = Updating, NeedsAttention = NeedsAttention, Failing = Failing,
    CannotTell = CannotTell,
});
both_ways!(clock, clock_back: report::ClockSource, ClockSource {
    Given = Given, Now = Now, Recording = Recording, Transitions = Transitions, Events = Events,
    Conditions = Conditions, Nothing = Nothing,
});
both_ways!(change, change_back: report::Change, Change {
    Version = Version, Installation = Installation, MultiArchitecture = MultiArchitecture, Image = Image,
});
both_ways!(estimate, estimate_back: report::EstimateState, EstimateState {
    Known = Known, Overdue = Overdue, NotForMultiArchitecture = NotForMultiArchitecture,
});
both_ways!(counted, counted_back: report::Counted, Counted { Machines = Machines, Components = Components });
both_ways!(gap, gap_back: gap::GapKind, GapKind {
    Missing = Missing, Unreadable = Unreadable, Refused = Refused, Field = Field, Duplicate = Duplicate,
    Optional = Optional,
});
both_ways!(phase, phase_back: report::Phase, Phase {
    Draining = Draining, Updating = Updating, Rebooting = Rebooting, Paused = Paused, Pending = Pending,
    Provisioning = Provisioning, Deleting = Deleting, Updated = Completed, Unknown = Unknown,
});
both_ways!(level, level_back: insight::Level, Level {
    Info = Info, Warning = Warning, Error = Error, Critical = Critical,
} Theirs::Unknown => None);
both_ways!(impact, impact_back: insight::Impact, Impact {
    None = None, Unknown = Unknown, ApiAvailability = ApiAvailability, UpdateSpeed = UpdateSpeed,
    UpdateStalled = UpdateStalled,
} Theirs::ClusterCapacity | Theirs::ApplicationAvailability | Theirs::ApplicationOutage | Theirs::DataLoss => None);

pub(super) fn informer(state: inform::InformerState) -> InformerState {
    match state {
        inform::InformerState::Starting => InformerState::Starting,
        inform::InformerState::Synced => InformerState::Synced,
        inform::InformerState::Lagging => InformerState::Lagging,
        inform::InformerState::Stale => InformerState::Stale,
        inform::InformerState::Refused => InformerState::Refused,
        inform::InformerState::Idle => InformerState::Idle,
    }
}

/// The control plane's assessment, by the word that is told to people.
pub(super) fn assessment_back(word: &str) -> Option<report::Assessment> {
    use report::Assessment as A;
    const ALL: [A; 8] =
        [A::Unknown, A::Progressing, A::ProgressingSlow, A::Stalled, A::Degraded, A::Completed, A::Pending, A::Paused];
    ALL.into_iter().find(|assessment| assessment.to_string() == word)
}

/// A pool's assessment, by the word that is told to people.
pub(super) fn pool_assessment_back(word: &str) -> Option<report::PoolAssessment> {
    use report::PoolAssessment as A;
    const ALL: [A; 7] = [A::Empty, A::Completed, A::Pending, A::Degraded, A::Excluded, A::Progressing, A::Unknown];
    ALL.into_iter().find(|assessment| assessment.to_string() == word)
}

/// A rule by its id.
pub(super) fn rule_back(id: &str) -> Option<insight::Rule> {
    insight::Rule::ALL.into_iter().find(|rule| rule.id() == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_went() {
        for phase_ in Phase::ALL {
            if let Some(ours) = phase_back(*phase_) {
                assert_eq!(phase(ours), *phase_);
            }
        }
        for word in Impact::ALL {
            // The words are shown alike on both sides: that is what people compare.
            if let Some(ours) = impact_back(*word) {
                assert_eq!(ours.to_string(), word.to_string());
            }
        }
        for rule in insight::Rule::ALL {
            assert_eq!(rule_back(rule.id()), Some(rule));
        }
        assert_eq!(assessment_back("Progressing - Slow"), Some(report::Assessment::ProgressingSlow));
        assert_eq!(assessment_back("Pondering"), None);
        assert_eq!(pool_assessment_back("Excluded"), Some(report::PoolAssessment::Excluded));
    }
}
