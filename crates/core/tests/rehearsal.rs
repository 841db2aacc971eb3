//! The test extension: which key of its ConfigMap is answered, and what is recorded (chained-upgrades.md, 8.1).

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod rehearsal {
    mod table;
}
