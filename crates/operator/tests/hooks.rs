//! The hooks role against a real API server with Cluster API's own kinds, as `deploy/manifests/hooks.yaml` installs it.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod hooks {
    mod installed;
    mod program;
}
