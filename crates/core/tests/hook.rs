//! Extensions: who is asked, what answers mean, and when to ask again, by chained-upgrades.md, sections 4, 5 and 10.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod hook {
    mod answers;
    mod discovered;
    mod holds;
    mod plans;
    mod registry;
    mod said;
}
