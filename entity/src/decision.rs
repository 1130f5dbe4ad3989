//! Recorded decisions. Append-only.

use contract::evaluation::Verdict;
use sea_orm::entity::prelude::*;

use crate::column::Word;

/// A recorded decision: the bytes that were signed, and columns to find them by.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decisions")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the tenant's sequence: the number of its audit event.
    pub sequence: i64,
    /// The caller's name for the request; unique in the tenant.
    pub idempotency_key: String,
    /// Digest of the request, to tell a repeat from a reuse.
    pub request_digest: String,
    /// What kind of decision it is.
    pub decision_type: String,
    /// The verdict.
    pub decision: Word<Verdict>,
    /// The correlation id.
    pub correlation_id: String,
    /// The policy that gave the verdict.
    pub policy_id: Uuid,
    /// Its version.
    pub policy_version: i32,
    /// The snapshot of the policies.
    pub snapshot_id: Uuid,
    /// Who acted.
    pub actor_id: Option<String>,
    /// The policies that were looked at.
    pub policy_ids: Vec<Uuid>,
    /// The rules that were violated.
    pub rule_codes: Vec<String>,
    /// When it was recorded.
    pub recorded_at: DateTimeUtc,
    /// The answered record, byte for byte.
    pub record: String,
    /// The preimage of its context digest.
    pub context: String,
    /// The preimage of its integrity hash; not known of receipts of schema version 1.
    pub integrity: Option<String>,
    /// The receipt statement: what was signed; receipts of schema version 1 have none.
    pub statement: Option<String>,
    /// Digest of `statement`.
    pub receipt_digest: String,
    /// Over `statement`, base64url; absent when unsigned.
    pub signature: Option<String>,
    /// The thumbprint of the key.
    pub kid: Option<String>,
    /// Its chain.
    pub chain_id: Option<Uuid>,
    /// Its step in the chain.
    pub chain_step: Option<i32>,
    /// The decision of the chain that it follows.
    pub parent_decision_id: Option<Uuid>,
    /// The format of its receipt: 2, or 1.
    pub receipt_schema_version: i32,
}

table!(TenantOwned, Identified);
