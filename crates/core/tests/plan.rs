//! What is planned of one version for another, and what is refused, by the tables of chained-upgrades.md, 2.6.
//!
//! Names tell the row: `ch_p54` is row 54, `ch_b4` bug row B4, `case_b31` a public report.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod plan {
    mod bad_input;
    mod bugs;
    mod groups;
    mod properties;
    mod report;
    mod rows;
    mod said;
}
