//! Gathering from recordings that the tests write: every form gives the same snapshot, and nothing is lost in silence.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what it means by failing")]

mod gather {
    mod alerts;
    mod archive;
    mod cluster;
    mod forms;
    mod halves;
    mod hostile_archive;
    mod live;
    mod loss;
    mod must_gather;
    mod odd_files;
    mod reading;
    mod yaml;
}
