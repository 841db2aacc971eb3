//! The answers of extensions that plan: kept for a while, and only those that are plans (chained-upgrades.md, 2.4 and
//! 10-14).

use std::collections::BTreeMap;

use headway_api::plan::Plan;
use jiff::{SignedDuration, Timestamp};

use super::registry::Fingerprint;
use crate::plan::{Answer, Extension, PlanError, Question, Situation, Source, plan};

/// As long an answer is kept, as Cluster API does it.
pub const PLAN_TTL: SignedDuration = SignedDuration::from_mins(10);

/// Everything that an answer depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanQuestion {
    /// The uid of the cluster.
    pub uid: String,
    /// The namespace and name of its class, as far as it says.
    pub class: String,
    /// The extension, with the generation of its configuration; its name is in there.
    pub handler: Fingerprint,
    /// Where the control plane is.
    pub from_control_plane: String,
    /// Where the workers are that are furthest behind; empty when there are none.
    pub from_workers: String,
    /// The target.
    pub to: String,
}

/// The newest answer for each cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plans(BTreeMap<String, Kept>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Kept {
    question: PlanQuestion,
    answer: Answer,
    since: Timestamp,
}

impl PlanQuestion {
    /// The question for a cluster.
    #[must_use]
    pub fn new(uid: &str, class: &str, handler: Fingerprint, question: &Question<'_>) -> Self {
        let Question { from_control_plane, from_workers, to } = question;
        Self {
            uid: uid.to_owned(),
            class: class.to_owned(),
            handler,
            from_control_plane: from_control_plane.to_string(),
            from_workers: from_workers.map(ToString::to_string).unwrap_or_default(),
            to: to.to_string(),
        }
    }
}

impl Plans {
    /// The answer to that question, unless it is to be asked.
    #[must_use]
    pub fn known(&self, question: &PlanQuestion, now: Timestamp) -> Option<Answer> {
        let kept = self.0.get(&question.uid).filter(|kept| kept.question == *question)?;
        let age = now.duration_since(kept.since);
        (!age.is_negative() && age < PLAN_TTL).then(|| kept.answer.clone())
    }

    /// Makes the plan of what an extension answered at `now`. An answer that is not a plan is not kept: once the
    /// extension is mended, the next look finds out.
    ///
    /// # Errors
    ///
    /// With the first rule that the answer breaks.
    pub fn settle(
        &mut self,
        question: PlanQuestion,
        situation: &Situation,
        extension: Extension,
        now: Timestamp,
    ) -> Result<Plan, PlanError> {
        let source = Source::Extension(extension);
        let made = plan(situation, &source);
        if let (Ok(_), Source::Extension(Extension { answer: Ok(answer), .. })) = (&made, source) {
            self.0.insert(question.uid.clone(), Kept { question, answer, since: now });
        } else {
            self.0.remove(&question.uid);
        }
        made
    }

    /// Forgets a cluster that is gone.
    pub fn forget(&mut self, uid: &str) {
        self.0.remove(uid);
    }
}
