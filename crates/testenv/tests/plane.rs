//! The plane itself: that it is a real API server, does what it is told, and leaves nothing behind.

#![expect(clippy::unwrap_used, reason = "a test says what it means by failing")]

mod plane {
    mod access;
    mod cluster_api;
    mod faults;
    mod foreign;
    mod leftovers;
}
