//! The ground of all use cases: database, tenancy, request context, errors, time and randomness, and pages of
//! lists.
//!
//! A use case takes a [`Cx`](crate::Cx) and asks it for a `Tenant`, which only a check of a permission
//! returns. `Tenant::begin` opens a transaction whose row-level security is set to this tenant, and every
//! query starts from it. A write ends with `TenantTx::commit`, which takes the audit events: a change without
//! an event does not compile. Tables without a tenant are listed in `database` (`untenanted`).
//!
//! - Time and randomness come from the context. Only `clock` reads them.
//! - Locks have one order: rows of objects, the head of the chain, the head of the tenant.
//! - Errors are of three kinds: a refusal that the caller can act on, an unavailable database that invites a
//!   retry, and an internal error, whose cause is logged and never shown. Each refusal has its function in
//!   `error`, with a code, a sentence and typed details, which become JSON only in the response.
//! - A page of a list continues at a position, never at an offset, and its cursor is bound to the list and
//!   the tenant.
//! - Work that may take long is limited: reads of exports (`long_reads`), and checks of chains and bundles
//!   (`work_slots`).
//! - What is kept in memory is in a `cache`. Callers of the same work or the same lock find each other in `shared`.
//! - Public reads and exports may use a replica that is current enough (`replica`); everything else uses the
//!   primary.

pub mod audit_event;
pub(crate) mod background;
pub(crate) mod batch_lookup;
pub(crate) mod cache;
pub mod caller;
pub mod clock;
pub(crate) mod cx;
pub mod database;
pub mod error;
pub mod json;
pub(crate) mod long_reads;
pub mod network;
pub mod observe;
pub(crate) mod pagination;
pub(crate) mod prelude;
pub(crate) mod public_id;
pub mod replica;
pub(crate) mod secret;
pub(crate) mod shared;
pub(crate) mod sql;
pub(crate) mod stored_digest;
pub(crate) mod stored_json;
pub(crate) mod tenancy;
pub mod trace;
pub(crate) mod work_slots;

use sea_orm::DatabaseConnection;

/// The state of this layer.
#[derive(Debug)]
pub(crate) struct BaseState {
    pub(crate) database: DatabaseConnection,
    /// A connection of its own, so that the check of readiness does not queue behind requests.
    pub(crate) readiness: DatabaseConnection,
    pub(crate) clock: clock::Clock,
    pub(crate) entropy: clock::Entropy,
    pub(crate) pepper: secret::Pepper,
    pub(crate) long_reads: long_reads::LongReads,
    pub(crate) background: background::Background,
    pub(crate) work_slots: work_slots::WorkSlots,
}
