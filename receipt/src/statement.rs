//! What is hashed and signed about a decision (receipts, sections 3 and 5). Each function writes one
//! object of the specification; its `schema` keeps it from being taken for another one.

mod approval;
mod context;
mod integrity;
mod policy;
mod receipt;
mod review;

use contract::{
    id::{SnapshotId, TenantId},
    json::Value,
};
use uuid::{Builder, Bytes};

pub use self::{
    approval::{PolicyApproval, Ratifier, approval},
    context::{context, data_digest, evidence_manifest},
    integrity::{Integrity, integrity, read_narrowing},
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

/// Returns the id of a tenant's snapshot with this digest: a version 8 UUID (RFC 9562) of the first 16 bytes of
/// the SHA-256 of `service-policy-snapshot-id/v1`. It depends on nothing else, so an evaluation can name a
/// snapshot that is stored only when a decision is recorded.
pub fn snapshot_id(tenant_id: TenantId, digest: Digest) -> SnapshotId {
    let id = Members::schema("service-policy-snapshot-id/v1")
        .with("tenant_id", tenant_id.to_string())
        .with("policy_snapshot_digest", digest)
        .canonical()
        .digest;
    let mut bytes = Bytes::default();
    for (byte, of_digest) in bytes.iter_mut().zip(id.as_bytes()) {
        *byte = *of_digest;
    }
    SnapshotId(Builder::from_custom_bytes(bytes).into_uuid())
}

/// Binds the action of a result, as it is returned.
pub fn action(action: &Value) -> Digest {
    Members::schema("service-action/v1").with("action", action).canonical().digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_snapshot_follows_from_tenant_and_digest() {
        let tenant = "a0000000-0000-4000-8000-000000000001".parse().unwrap();
        let other = "a0000000-0000-4000-8000-000000000002".parse().unwrap();
        let digest = Digest::from([1; 32]);
        let id = snapshot_id(tenant, digest);
        // Computed by another implementation.
        assert_eq!(id.to_string(), "216c494c-b493-8662-ad40-a8511258b9dc");
        assert_ne!(id, snapshot_id(other, digest));
        assert_ne!(id, snapshot_id(tenant, Digest::from([2; 32])));
    }
}
