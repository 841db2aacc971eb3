//! Reports as objects of the API and back: sizes, times, memory, and words of a newer writer.
//!
//! Whole recordings make the same way in the command line's tests, where the text is.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod publish {
    mod fleet;
    mod ladder;
    mod past;
    mod reading;
    mod told;
    mod urgent;
}
