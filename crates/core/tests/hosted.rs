//! What the assessment says of hosted clusters, seen from their management cluster.
//!
//! Each test bends one hosted cluster that is done and compares a few lines of the report. Names tell the source:
//! `us_s…` are scenarios of update-status-api.md, 7; `case_a…` public reports.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod hosted {
    mod cases;
    mod guest;
    mod health;
    mod oddities;
    mod removed;
    mod scenarios;
    mod world;
}
