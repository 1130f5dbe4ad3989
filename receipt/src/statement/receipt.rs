//! The receipt statement, schema version 2 (receipts, section 5.1): what is signed.

use contract::{
    evaluation::Verdict,
    id::{ChainId, DecisionId, SnapshotId, TenantId},
    json::Value,
    time::Timestamp,
};

use super::RECEIPT_SCHEMA_VERSION;
use crate::{
    canon::{Canonical, Members},
    digest::Digest,
    fields::{Fields, Malformed},
    key::ALGORITHM,
};

const SCHEMA: &str = "service-receipt/v2";

/// A recorded decision. The `integrity_hash` is free of ids and times; this binds it to one record.
#[derive(Clone, Copy, Debug)]
pub struct ReceiptStatement<'a> {
    /// Whose decision it is.
    pub tenant_id: TenantId,
    /// The decision.
    pub decision_id: DecisionId,
    /// As in the integrity preimage.
    pub decision_type: &'a str,
    /// As in the integrity preimage.
    pub decision: Verdict,
    /// `timestamp` of the result.
    pub timestamp: Timestamp,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// Digest of [`integrity`](super::integrity).
    pub integrity_hash: Digest,
    /// The stored snapshot.
    pub policy_snapshot_id: SnapshotId,
    /// Digest of [`snapshot`](super::snapshot).
    pub policy_snapshot_digest: Digest,
    /// Digest of [`evidence_manifest`](super::evidence_manifest), if there is one.
    pub evidence_manifest_digest: Option<Digest>,
    /// From [`idempotency_key`](super::idempotency_key).
    pub idempotency_key_digest: Digest,
    /// From [`action`](super::action), when the result has one.
    pub action_digest: Option<Digest>,
    /// Its place in a chain.
    pub chain: Option<ChainPosition>,
    /// The signing key; absent when receipts are unsigned.
    pub kid: Option<&'a str>,
}

/// The place of a decision in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainPosition {
    /// The chain.
    pub chain_id: ChainId,
    /// The number of the step.
    pub step: u32,
    /// The decision that this one follows.
    pub parent_decision_id: Option<DecisionId>,
}

impl<'a> ReceiptStatement<'a> {
    /// Reads a statement. `alg` is the caller's to look at.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &'a Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        if fields.whole::<u32>("receipt_schema_version")? != RECEIPT_SCHEMA_VERSION {
            return Err(Malformed::Member("receipt_schema_version"));
        }
        Ok(Self {
            tenant_id: fields.exact("tenant_id")?,
            decision_id: fields.exact("decision_id")?,
            decision_type: fields.text("decision_type")?,
            decision: verdict(fields.text("decision")?)?,
            timestamp: fields.exact("timestamp")?,
            recorded_at: fields.exact("recorded_at")?,
            integrity_hash: fields.exact("integrity_hash")?,
            policy_snapshot_id: fields.exact("policy_snapshot_id")?,
            policy_snapshot_digest: fields.exact("policy_snapshot_digest")?,
            evidence_manifest_digest: fields.maybe("evidence_manifest_digest")?,
            idempotency_key_digest: fields.exact("idempotency_key_digest")?,
            action_digest: fields.maybe("action_digest")?,
            chain: fields.get("chain").map(ChainPosition::read).transpose()?,
            kid: fields.maybe_text("kid")?,
        })
    }
}

impl ChainPosition {
    fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "chain")?;
        Ok(Self {
            chain_id: fields.exact("chain_id")?,
            step: fields.whole("step")?,
            parent_decision_id: fields.maybe("parent_decision_id")?,
        })
    }
}

fn verdict(text: &str) -> Result<Verdict, Malformed> {
    text.parse().map_err(|()| Malformed::Member("decision"))
}

/// The statement, and `receipt_digest`.
pub fn receipt(statement: &ReceiptStatement<'_>) -> Canonical {
    Members::schema(SCHEMA)
        .with("receipt_schema_version", RECEIPT_SCHEMA_VERSION)
        .with("tenant_id", statement.tenant_id.to_string())
        .with("decision_id", statement.decision_id.to_string())
        .with("decision_type", statement.decision_type)
        .with("decision", statement.decision.as_str())
        .with("timestamp", statement.timestamp.to_string())
        .with("recorded_at", statement.recorded_at.to_string())
        .with("integrity_hash", statement.integrity_hash)
        .with("policy_snapshot_id", statement.policy_snapshot_id.to_string())
        .with("policy_snapshot_digest", statement.policy_snapshot_digest)
        .maybe("evidence_manifest_digest", statement.evidence_manifest_digest)
        .with("idempotency_key_digest", statement.idempotency_key_digest)
        .maybe("action_digest", statement.action_digest)
        .maybe("chain", statement.chain.map(chain))
        .maybe("alg", statement.kid.map(|_| ALGORITHM))
        .maybe("kid", statement.kid)
        .canonical()
}

/// What stands for a receipt of schema version 1, which has no statement: its digest is the
/// `receipt_digest`. The signature of such a receipt is not over this, but over the hex of the hash
/// alone ([`PublicKey::verify_v1`](crate::key::PublicKey::verify_v1)). None is made any more.
pub fn receipt_v1(integrity_hash: Digest) -> Canonical {
    Members::schema("service-receipt/v1").with("integrity_hash", integrity_hash).canonical()
}

fn chain(position: ChainPosition) -> Members<'static> {
    Members::default()
        .with("chain_id", position.chain_id.to_string())
        .with("step", position.step)
        .maybe("parent_decision_id", position.parent_decision_id.map(|id| id.to_string()))
}
