//! The signed receipt statement, schema version 2 (receipts, section 5.1).

use contract::{
    evaluation::Verdict,
    id::{ChainId, DecisionId, SnapshotId, TenantId},
    json::Value,
    time::Timestamp,
};

use super::RECEIPT_SCHEMA_VERSION;
use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
    key::ALGORITHM,
    members::{Members as _, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-receipt/v2";

/// The statement about one recorded decision. It binds the `integrity_hash`, which has no IDs or
/// times, to this record.
#[derive(Clone, Copy, Debug)]
pub struct ReceiptStatement<'a> {
    /// The tenant of the decision.
    pub tenant_id: TenantId,
    /// The ID of the decision.
    pub decision_id: DecisionId,
    /// As in the integrity preimage.
    pub decision_type: &'a str,
    /// As in the integrity preimage.
    pub decision: Verdict,
    /// The `timestamp` of the result.
    pub timestamp: Timestamp,
    /// The time of recording.
    pub recorded_at: Timestamp,
    /// Digest of [`integrity`](super::integrity).
    pub integrity_hash: Digest,
    /// The ID of the stored snapshot.
    pub policy_snapshot_id: SnapshotId,
    /// Digest of [`snapshot`](super::snapshot).
    pub policy_snapshot_digest: Digest,
    /// Digest of [`evidence_manifest`](super::evidence_manifest), if there is one.
    pub evidence_manifest_digest: Option<Digest>,
    /// From [`idempotency_key`](super::idempotency_key).
    pub idempotency_key_digest: Digest,
    /// From [`action`](super::action), if the result has one.
    pub action_digest: Option<Digest>,
    /// The position in a chain, if the decision belongs to one.
    pub chain: Option<ChainPosition>,
    /// The ID of the signing key; absent when receipts are unsigned.
    pub kid: Option<&'a str>,
}

/// The position of a decision in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainPosition {
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// The step, as chosen by the caller.
    pub step: u32,
    /// The decision that this decision follows.
    pub parent_decision_id: Option<DecisionId>,
}

members! {
    ReceiptStatement<'a> where 'a {
        tenant_id, decision_id, decision_type, decision, timestamp, recorded_at, integrity_hash,
        policy_snapshot_id, policy_snapshot_digest, evidence_manifest_digest,
        idempotency_key_digest, action_digest, chain, kid,
    }
}
members! { ChainPosition { chain_id, step, parent_decision_id } }

impl<'a> ReceiptStatement<'a> {
    /// Parses a statement. `alg` is not read; the caller checks it.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &'a Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::with_schema(value, SCHEMA)?;
        if fields.member::<u32>("receipt_schema_version")? != RECEIPT_SCHEMA_VERSION {
            return Err(ParseFieldError::Member("receipt_schema_version"));
        }
        fields.read()
    }
}

/// Returns the statement with the `receipt_digest`.
pub fn receipt(statement: &ReceiptStatement<'_>) -> CanonicalJson {
    let object = ObjectBuilder::with_schema(SCHEMA)
        .member("receipt_schema_version", RECEIPT_SCHEMA_VERSION)
        .optional("alg", statement.kid.map(|_| ALGORITHM));
    statement.write_members(object).canonical()
}

/// Returns the object whose digest is the `receipt_digest` of a receipt of schema version 1, which
/// has no statement.
///
/// The signature of such a receipt covers only the hex form of the hash
/// ([`PublicKey::verify_v1`](crate::key::PublicKey::verify_v1)). The service no longer creates
/// receipts of this version.
pub fn receipt_v1(integrity_hash: Digest) -> CanonicalJson {
    ObjectBuilder::with_schema("service-receipt/v1")
        .member("integrity_hash", integrity_hash)
        .canonical()
}
