//! The scripts of `examples/simulate` and their transcripts; `HEADWAY_UPDATE=1` writes them anew.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod scripts {
    mod bad;
    mod transcripts;
}
