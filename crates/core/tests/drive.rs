//! What is decided for a cluster on its way: chained-upgrades.md, the ladders of 3.3 and 3.4 and the edge cases of 10.2.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod drive {
    mod approvals;
    mod asked;
    mod edges;
    mod gates;
    mod ladder;
    mod scene;
    mod seen;
    mod windows;
    mod workers;
}
