//! Which writes of Clusters and ClusterClasses are let in, by the numbers of chained-upgrades.md, section 6: `ch_adm_4`
//! is case 4 of 6.1, `ch_adm_class_12` case 12 of 6.2, `ch_adm_b6` a rule.

// The mark lets helpers panic as tests may (clippy.toml).
#[cfg(test)]
mod admission {
    mod asked;
    mod class;
    mod cluster;
    mod rules;
    mod world;
}
