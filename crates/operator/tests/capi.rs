//! Beside the real managers of Cluster API: what they ask of an extension, and what becomes of the answers.
//!
//! Machines are made in memory, within a second; everything else is as it is with real ones.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod capi {
    mod chained;
    mod direct;
    mod extension;
    mod objects;
    mod program;
    mod story;
}
