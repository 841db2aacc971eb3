//! A server over real TLS.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod tls {
    mod reload;
}
