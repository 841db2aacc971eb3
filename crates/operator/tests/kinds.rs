//! Our kinds on a real API server: that it takes them, what it refuses, how large an object may be, and what kubectl
//! shows.
//!
//! Here because this is where they are written from. Everything goes through kubectl, as a user's would.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod kinds {
    mod accepted;
    mod approvals;
    mod budget;
    mod fleet;
    mod limits;
    mod published;
    mod recording;
    mod server;
    mod shown;
    mod size;
}
