//! What the preview of an upgrade says of the state of a cluster: who is asked, what holds it, what is not known.
//!
//! Names tell the place in chained-upgrades.md (`ch_4_4` is its section 4.4, `ch_adm_b6` a rule of admission,
//! `ch_e10_2_14` a scenario of section 10.2), or the public report (`case_b15`).

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod preview {
    mod admission;
    mod holds;
    mod hooks;
    mod lists;
    mod machines;
    mod oddities;
    mod sources;
    mod status;
    mod world;
}
