//! How long an update will take (status-openshift.md, 6.6; update-status-api.md, 3.1).

use headway_api::openshift::History;
use jiff::{SignedDuration, Timestamp};

use super::span;

const HOUR: SignedDuration = SignedDuration::from_hours(1);
const TEN_MINUTES: SignedDuration = SignedDuration::from_mins(10);

/// Below five minutes without progress the curve says nothing: the first operators come in bursts.
const CURVE_NEEDS: SignedDuration = SignedDuration::from_mins(5);

/// What an estimate is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inputs {
    /// How long an update takes as a rule.
    pub(super) baseline: SignedDuration,
    /// From the start to the last progress seen.
    pub(super) to_last_progress: SignedDuration,
    /// From the start to now, or to the end.
    pub(super) updating_for: SignedDuration,
    /// Operators at the target, from 0 to 1.
    pub(super) done: f64,
}

/// Which values of the curve are taken as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Curve {
    /// All, as the peer does: just below 1 the curve says more than 1.
    AsIs,
    /// Those up to 1.
    Clamped,
}

/// What is left, in whole seconds below ten minutes and in whole minutes above; negative when it should be over.
pub(super) fn remaining(inputs: &Inputs, curve: Curve) -> SignedDuration {
    let Inputs { baseline, to_last_progress, updating_for, done } = *inputs;
    if done >= 1.0 {
        return SignedDuration::ZERO;
    }
    let fraction = match curve {
        Curve::AsIs => time_fraction(done),
        Curve::Clamped => time_fraction(done).min(1.0),
    };
    let projects = done > 0.0 && fraction > 0.0 && to_last_progress > CURVE_NEEDS;
    let total = if projects { to_last_progress.as_secs_f64() / fraction } else { baseline.as_secs_f64() };
    let left = total - updating_for.as_secs_f64();
    // Better to say too much than too little; what is already over is not made worse.
    let cautious = left * if left < 0.0 { 1.0 / 1.2 } else { 1.2 };
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds are wanted; `as` saturates and takes NaN to 0")]
    let seconds = SignedDuration::from_secs((cautious as i64).clamp(-MAX_SECONDS, MAX_SECONDS));
    if seconds > TEN_MINUTES { span::rounded(seconds, SignedDuration::from_mins(1)) } else { seconds }
}

/// Seconds in the longest difference of times (see [`span::between`]).
const MAX_SECONDS: i64 = i64::MAX / 1_000_000_000;

/// The share of the whole time that has gone by when this share of the operators is done, as fitted by upstream.
///
/// Evaluated left to right without fused operations: the last piece is a difference of large terms.
fn time_fraction(x: f64) -> f64 {
    let x2 = x * x;
    let x3 = x * x2;
    let x4 = x2 * x2;
    #[expect(clippy::suboptimal_flops, reason = "a fused multiply-add gives other digits than upstream's curve")]
    if x < 0.25 {
        -0.030_787_88 + 2.628_86 * x - 3.823_954 * x2
    } else if x < 0.9 {
        0.185_121_5 + 1.649_94 * x - 4.676_898 * x2 + 5.451_824 * x3 - 2.125_286 * x4
    } else {
        25_053.32 - 107_394.3 * x + 172_527.2 * x2 - 123_107.0 * x3 + 32_921.81 * x4
    }
}

/// How long an update takes as a rule: the newest completed one between the running one and the installation.
pub(super) fn baseline(history: &[History]) -> SignedDuration {
    let [_, before @ .., _installation] = history else {
        return HOUR;
    };
    let Some(entry) = before.iter().find(|entry| entry.is_completed()) else {
        return HOUR;
    };
    match (entry.started_time, entry.completion_time) {
        (Some(started), Some(completed)) => span::between(completed, started),
        // Half an entry says nothing about how long it took.
        (None, _) | (_, None) => HOUR,
    }
}

/// When an update of this length became ten minutes late by the cautious estimate of [`remaining`].
pub(super) fn stalled_since(started: Timestamp, inputs: &Inputs, left: SignedDuration) -> Option<Timestamp> {
    // left = (total - updating_for) / 1.2 once it is negative; it passed -10 min when updating_for was total + 12 min.
    let total = inputs.updating_for.checked_add(left.checked_mul(6)?.checked_div(5)?)?;
    started.checked_add(total.checked_add(SignedDuration::from_mins(12))?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mins(minutes: f64) -> SignedDuration {
        SignedDuration::from_secs_f64(minutes * 60.0)
    }

    #[test]
    fn oc_6_6_check_values() {
        let check = |baseline: f64, last: f64, updating: f64, done: f64, expect: f64| {
            let inputs =
                Inputs { baseline: mins(baseline), to_last_progress: mins(last), updating_for: mins(updating), done };
            assert_eq!(remaining(&inputs, Curve::AsIs), mins(expect), "{inputs:?}");
        };
        check(60.0, 30.0, 30.0, 0.0, 36.0);
        check(60.0, 30.0, 31.0, 0.0, 35.0);
        check(60.0, 30.0, 30.0, 0.2, 69.0);
        check(60.0, 30.0, 35.0, 0.2, 63.0);
        check(60.0, 30.0, 30.0, 0.75, 50.0);
        check(60.0, 20.0, 20.0, 0.99, 4.0 + 50.0 / 60.0);
        check(80.0, 4.0, 10.0, 0.05, 84.0);
        check(60.0, 20.0, 20.0, 1.0, 0.0);
    }

    #[test]
    fn oc_15_4_the_curve_is_cut_at_one() {
        assert!(time_fraction(0.9995) > 1.0);
        let inputs = Inputs { baseline: HOUR, to_last_progress: mins(100.0), updating_for: mins(100.0), done: 0.9995 };
        assert_eq!(remaining(&inputs, Curve::Clamped), SignedDuration::ZERO);
        assert!(remaining(&inputs, Curve::AsIs) < SignedDuration::ZERO);
    }

    #[test]
    fn the_baseline_leaves_out_the_installation_and_half_entries() {
        let entry = |state: &str, minutes: Option<i64>| History {
            state: state.into(),
            started_time: Some(Timestamp::UNIX_EPOCH),
            completion_time: minutes.map(|m| Timestamp::from_second(m * 60).unwrap()),
            ..History::default()
        };
        let check = |entries: &[History], expect: f64| assert_eq!(baseline(entries), mins(expect));
        check(&[], 60.0);
        check(&[entry("Partial", None), entry("Completed", Some(7))], 60.0);
        check(&[entry("Partial", None), entry("Completed", Some(7)), entry("Completed", Some(9))], 7.0);
        check(&[entry("Partial", None), entry("Partial", Some(7)), entry("Completed", Some(9))], 60.0);
        // oc_15_1: the peer crashes on a completed entry without an end.
        check(&[entry("Partial", None), entry("Completed", None), entry("Completed", Some(9))], 60.0);
    }

    #[test]
    fn the_moment_of_stalling_is_where_the_estimate_passes_minus_ten() {
        let started = Timestamp::UNIX_EPOCH;
        let inputs = |updating: f64| Inputs {
            baseline: HOUR,
            to_last_progress: mins(1.0),
            updating_for: mins(updating),
            done: 0.1,
        };
        let late = inputs(100.0);
        let left = remaining(&late, Curve::Clamped);
        let since = stalled_since(started, &late, left).unwrap();
        // One hour of baseline and twelve minutes.
        assert_eq!(span::between(since, started), mins(72.0));
    }
}
