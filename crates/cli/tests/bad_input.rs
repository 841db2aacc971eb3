//! Damaged recordings: whatever is done to one, the program ends in bounded time with a report or an error that names
//! the place, and what is lost is told and never taken for success.
//!
//! Damage is done by a small generator with a fixed seed, so that a failure can be had again.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says what it means by failing, and says so when it cannot run"
)]

mod bad_input {
    mod chance;
    mod damage;
    mod judging;
    mod originals;
    mod structure;
    mod texts;
}
