//! What the assessment says of clusters in all kinds of states, by our rules and by the peer's.
//!
//! Each test bends one healthy cluster in mid-update and compares a few lines of the report. Names tell the source:
//! `us_s…` are scenarios of update-status-api.md, 7; `oc_…` sections of status-openshift.md; `case_a…` public reports.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod scenarios {
    mod cases;
    mod cases_health;
    mod cluster;
    mod control_plane;
    mod health;
    mod mistakes;
    mod nodes;
    mod oc_control_plane;
    mod oc_health;
    mod oc_nodes;
    mod operators;
    mod properties;
    mod told;
    mod watch;
    mod watching;
    mod workers;
}
