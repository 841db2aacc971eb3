//! `headway-operator`: keeps the status of updates in the Kubernetes API.

fn main() {}
