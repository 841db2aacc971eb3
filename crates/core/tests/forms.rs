//! The shared scenarios: what happens to a cluster is told once, and must come out alike for all forms of clusters.
//!
//! Scenarios are those of update-status-api.md, 7. Where a form says otherwise, or has no counterpart, a reason stands
//! beside it; a scenario that is neither run nor excused for a form fails. `--nocapture` prints what ran where.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod forms {
    mod cluster_api;
    mod control_plane;
    mod hosted;
    mod nodes;
    mod operation;
    mod own;
    mod parts;
    mod pools;
    mod runner;
    mod standalone;
    mod story;
    mod words;
    mod world;
}
