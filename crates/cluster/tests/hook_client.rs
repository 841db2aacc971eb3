//! Extensions asked over real TLS, good ones and hostile ones, by chained-upgrades.md, section 5, and issue 5.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod hook_client {
    mod certificates;
    mod discovery;
    mod extension;
    mod hostile;
    mod identity;
    mod intervals;
    mod plans;
    mod recorded;
    mod secrets;
    mod wire;
    mod world;
}
