//! Evidence about decisions: signing keys, transparency log, trust registry, Rekor and the audit log.

pub mod audit;
pub mod rekor;
pub mod signing;
pub mod transparency_log;
pub mod trust_registry;
