//! Database access, tenancy, request context, errors and pagination.

pub mod audit_event;
pub(crate) mod background;
pub(crate) mod batch_lookup;
pub mod caller;
pub mod clock;
pub(crate) mod cx;
pub mod database;
pub mod error;
pub mod json;
pub(crate) mod json_size;
pub(crate) mod long_reads;
pub mod network;
pub mod observe;
pub(crate) mod pagination;
pub(crate) mod public_id;
pub mod replica;
pub(crate) mod secret;
pub(crate) mod sql;
pub(crate) mod stored_digest;
pub(crate) mod stored_json;
pub(crate) mod tenancy;
pub mod trace;
pub(crate) mod work_slots;
