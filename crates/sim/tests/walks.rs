//! Random worlds, random trouble, and one crash at a random point: the promises hold at every event, and when the
//! trouble is over every upgrade ends (chained-upgrades.md, section 11).

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod walks {
    mod chance;
    mod count;
    mod crashes;
    mod random;
    mod trouble;
}
