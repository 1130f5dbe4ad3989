//! What is hashed and signed about a decision (receipts, sections 3 and 5). Each function writes one
//! object of the specification; its `schema` keeps it from being taken for another one.

mod approval;
mod context;
mod integrity;
mod policy;
mod receipt;
mod review;

use contract::{id::TenantId, json::Value};

pub use self::{
    approval::{PolicyApproval, Ratifier, approval},
    context::{context, data_digest, evidence_manifest},
    integrity::{Integrity, integrity},
    policy::{SnapshotGroup, SnapshotPolicy, evaluated_rules, read_snapshot, rules, snapshot},
    receipt::{ChainPosition, ReceiptStatement, receipt, receipt_v1},
    review::{ReviewRecord, Submission, review_record, submission},
};
use crate::{canon::Members, digest::Digest};

/// The version of receipts that we make.
pub const RECEIPT_SCHEMA_VERSION: u32 = 2;

/// Binds the idempotency key of a record call.
pub fn idempotency_key(tenant_id: TenantId, key: &str) -> Digest {
    Members::schema("service-idempotency-key/v1")
        .with("tenant_id", tenant_id.to_string())
        .with("idempotency_key", key)
        .canonical()
        .digest
}

/// Binds the action of a result, as it is returned.
pub fn action(action: &Value) -> Digest {
    Members::schema("service-action/v1").with("action", action).canonical().digest
}
