//! Admission through a real API server with Cluster API's own kinds: the chart's configurations, policies and rights, and
//! the operator that answers over TLS. By the numbers of chained-upgrades.md, section 6: `ch_adm_4` is case 4 of 6.1,
//! `ch_adm_class_12` case 12 of 6.2.
//!
//! No controller of Cluster API runs: what they would write, such as statuses, is written here.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod admission {
    mod class;
    mod cluster;
    mod desk;
    mod quiet;
    mod world;
}
