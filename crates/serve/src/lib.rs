//! HTTP in: what others ask of us over TLS. Cluster API asks the runtime extension, in `hooks`; an
//! API server asks before it stores a Cluster, in `admission`.
//!
//! Handlers hold no judgement: they read, have `headway-core` or whoever owns the extension answer, and write. What must
//! be asked of a cluster comes in as a value or through a trait; this crate knows no Kubernetes client.

pub mod admission;
pub mod certificate;
pub mod hooks;
pub mod listen;
pub mod tls;
