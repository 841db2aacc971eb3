//! The hooks role against a real API server with Cluster API's own kinds, as `deploy/manifests/hooks.yaml` installs it;
//! and our client of hooks against our server of them, over real TLS, while certificates are replaced.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod hooks {
    mod both_sides;
    mod installed;
    mod program;
}
