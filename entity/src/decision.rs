//! Recorded decisions. Append-only.

use contract::{evaluation::Verdict, rule::Severity};
use sea_orm::entity::prelude::*;

use crate::{column::TextEnum, decision_texts::DecisionTexts};

table! {
    /// A recorded decision: its signed bytes, and columns for searching.
    "decisions" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        /// The sequence number in the tenant; equal to that of its audit event.
        pub sequence: i64,
        /// The idempotency key of the caller; unique in the tenant.
        pub idempotency_key: String,
        /// Digest of the request, which distinguishes a repetition from a reuse of the idempotency key.
        pub request_digest: Vec<u8>,
        pub decision_type: String,
        pub decision: TextEnum<Verdict>,
        pub correlation_id: String,
        /// The policy that determined the verdict.
        pub policy_id: Uuid,
        pub policy_version: i32,
        pub snapshot_id: Uuid,
        pub actor_id: Option<String>,
        /// The evaluated policies.
        pub policy_ids: Vec<Uuid>,
        /// The violated rules.
        pub rule_codes: Vec<String>,
        /// The highest severity of the violations.
        pub severity: Option<TextEnum<Severity>>,
        /// Whether shadow mode made the verdict milder.
        pub shadow_converted: bool,
        pub recorded_at: DateTimeUtc,
        /// The record and the preimages of its digests.
        pub texts: DecisionTexts,
        /// Digest of the receipt statement.
        pub receipt_digest: Vec<u8>,
        /// The signature over the statement in base64url; absent when unsigned.
        pub signature: Option<String>,
        /// The thumbprint of the signing key.
        pub kid: Option<String>,
        pub chain_id: Option<Uuid>,
        pub chain_step: Option<i32>,
        /// The decision in the chain that this decision follows.
        pub parent_decision_id: Option<Uuid>,
        /// The schema version of the receipt, 1 or 2.
        pub receipt_schema_version: i32,
    }
}
