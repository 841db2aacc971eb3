//! Words of a preview for people.

use std::fmt;

use super::{Clock, Position, StepState, Weight};

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stuck => "Stuck",
            Self::Now => "Now",
            Self::Later => "Later",
            Self::Work => "Work",
        })
    }
}

impl fmt::Display for StepState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnderWay => "under way",
            Self::Ahead => "ahead",
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, of } = self;
        write!(f, "step {step} of {of}")
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "given with --at",
            Self::Now => "now",
            Self::Conditions => "the newest condition of any object",
            Self::Nothing => "nothing: no object has a time, so no age below means anything",
        })
    }
}
