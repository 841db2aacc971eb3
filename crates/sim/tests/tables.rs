//! The event tables of chained-upgrades.md row by row, and beside them the calls that a real Cluster API makes.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod tables {
    mod recorded;
    mod rows;
    mod world;
}
