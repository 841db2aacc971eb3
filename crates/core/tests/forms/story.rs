//! A scenario: what happens, act by act, and what all forms must say after each.

use headway_api::report::Form;

use super::world::World;

/// What is told, and where it has no counterpart.
pub(super) struct Story {
    /// The scenario's number in the paper.
    pub(super) number: u8,
    /// What happens, in a few words.
    pub(super) title: &'static str,
    pub(super) acts: Vec<Act>,
    /// The forms that cannot have it, each with the fact of that form that is the reason.
    pub(super) excused: Vec<(Form, &'static str)>,
    /// The forms of which another test runs it: a file, from `crates`.
    pub(super) elsewhere: Vec<(Form, &'static str)>,
}

/// Something that happens, and what is to be said after it.
pub(super) struct Act {
    pub(super) happens: fn(&mut dyn World),
    /// Key and line; the keys are those of `words`.
    pub(super) expect: &'static [(&'static str, &'static str)],
    pub(super) otherwise: Vec<Otherwise>,
}

/// A line that one form has otherwise.
pub(super) struct Otherwise {
    pub(super) form: Form,
    pub(super) key: &'static str,
    pub(super) line: &'static str,
    /// The fact of that form that is the reason.
    pub(super) why: &'static str,
}

/// A scenario that no act is told of yet.
pub(super) fn story(number: u8, title: &'static str) -> Story {
    Story { number, title, acts: Vec::new(), excused: Vec::new(), elsewhere: Vec::new() }
}

impl Story {
    /// And then this happens.
    pub(super) fn then(mut self, happens: fn(&mut dyn World), expect: &'static [(&'static str, &'static str)]) -> Self {
        self.acts.push(Act { happens, expect, otherwise: Vec::new() });
        self
    }

    /// After the last act one form says this instead.
    pub(super) fn but(mut self, form: Form, key: &'static str, line: &'static str, why: &'static str) -> Self {
        self.acts.last_mut().unwrap().otherwise.push(Otherwise { form, key, line, why });
        self
    }

    /// A form has no counterpart of it.
    pub(super) fn not(mut self, form: Form, why: &'static str) -> Self {
        self.excused.push((form, why));
        self
    }

    /// Another test runs it for a form.
    pub(super) fn elsewhere(mut self, form: Form, file: &'static str) -> Self {
        self.elsewhere.push((form, file));
        self
    }
}
