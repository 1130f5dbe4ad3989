//! Statements that are hashed and signed about a decision (receipts, sections 3 and 5).
//!
//! Each function writes one object of the specification. Its `schema` distinguishes it from all
//! other objects.

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
    context::{context, data_digest, evidence_manifest},
    integrity::{Integrity, integrity, read_narrowing},
    policy::{SnapshotGroup, SnapshotPolicy, evaluated_rules, read_snapshot, rules, snapshot},
    receipt::{ChainPosition, ReceiptStatement, receipt, receipt_v1},
    review::{ReviewRecord, Submission, review_record, submission},
};
use crate::{canonical_json::ObjectBuilder, digest::Digest};

/// The schema version of new receipts.
pub const RECEIPT_SCHEMA_VERSION: u32 = 2;

/// Returns the digest of the idempotency key of a record request.
pub fn idempotency_key(tenant_id: TenantId, key: &str) -> Digest {
    ObjectBuilder::with_schema("service-idempotency-key/v1")
        .member("tenant_id", tenant_id.to_string())
        .member("idempotency_key", key)
        .canonical()
        .digest
}

/// Returns the ID of a tenant's snapshot with this digest: a version 8 UUID (RFC 9562) of the first
/// 16 bytes of the SHA-256 of `service-policy-snapshot-id/v1`.
///
/// The ID depends only on tenant and digest, so an evaluation can name a snapshot that is stored
/// only when a decision is recorded.
pub fn snapshot_id(tenant_id: TenantId, digest: Digest) -> SnapshotId {
    let id = ObjectBuilder::with_schema("service-policy-snapshot-id/v1")
        .member("tenant_id", tenant_id.to_string())
        .member("policy_snapshot_digest", digest)
        .canonical()
        .digest;
    let mut bytes = Bytes::default();
    for (byte, digest_byte) in bytes.iter_mut().zip(id.as_bytes()) {
        *byte = *digest_byte;
    }
    SnapshotId(Builder::from_custom_bytes(bytes).into_uuid())
}

/// Returns the digest of the action of a result.
pub fn action(action: &Value) -> Digest {
    ObjectBuilder::with_schema("service-action/v1").member("action", action).canonical().digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshot_id_depends_only_on_tenant_and_digest() {
        let tenant = "a0000000-0000-4000-8000-000000000001".parse().unwrap();
        let other = "a0000000-0000-4000-8000-000000000002".parse().unwrap();
        let digest = Digest::from([1; 32]);
        let id = snapshot_id(tenant, digest);
        // Computed with another implementation.
        assert_eq!(id.to_string(), "216c494c-b493-8662-ad40-a8511258b9dc");
        assert_ne!(id, snapshot_id(other, digest));
        assert_ne!(id, snapshot_id(tenant, Digest::from([2; 32])));
    }
}
