//! The operator against a real API server: scenarios of update-status-api.md, 7, from a change of a source to what
//! `UpdateStatus` says.
//!
//! One plane serves all tests of this binary, one after the other. There is no garbage collector, no controller and no
//! kubelet in it: what they would do, such as the status of a budget, the tests do themselves.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod e2e {
    mod drive;
    mod drive_extension;
    mod drive_world;
    mod faults;
    mod fleet;
    mod fleet_workloads;
    mod fleet_world;
    mod input;
    mod kills;
    mod program;
    mod scenarios;
    mod server;
    mod world;
}
