//! Which clusters an inventory has, how one is chosen, and how reports become the rows of a table.
//!
//! Reports are made by hand here: what is said of a single cluster is tested where it is judged.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod fleet {
    mod asked;
    mod members;
    mod rows;
    mod watched;
}
