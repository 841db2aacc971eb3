//! The rights of the Helm chart, held against what the operator asks an API server for: none is missing, and none is
//! there for nothing. The server's audit log says it.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod rights {
    mod audit;
    mod chart;
    mod cluster;
    mod program;
    mod runs;
}
