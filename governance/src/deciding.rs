//! Decisions, snapshots, chains, hosted forms and the recorder that writes decisions.

pub(crate) mod bundle_size;
pub mod chain;
pub mod decision;
pub mod form;
pub(crate) mod long_work;
pub(crate) mod recorder;
pub mod saved_filter;
pub mod snapshot;
pub(crate) mod striped_locks;
