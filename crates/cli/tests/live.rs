//! `headway status` of a running cluster: a real API server, with the objects of recordings in it.
//!
//! Ring 2: `cargo xtask test` runs these; a plain `cargo test` leaves them out.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what it means by failing")]

mod live {
    mod alerts;
    mod approving;
    mod command;
    mod driving;
    mod fleet;
    mod operator;
    mod planning;
    mod prometheus;
    mod published;
    mod reach;
    mod rehearsal;
    mod rights;
    mod same;
    mod scale;
    mod watching;
    mod world;
}
