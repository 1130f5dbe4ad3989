//! Receipts: signed statements about decisions, and the data that they bind.

use crate::{
    chain::ChainLinkInfo,
    decision::DecidingPolicy,
    evaluation::EvaluationResult,
    id::{DecisionId, PolicyId, PolicyVersionId, TenantId},
    json::Value,
    time::Timestamp,
};

string_enum! {
    /// The redaction of public receipts.
    pub enum Redaction {
        /// Nothing is removed.
        None = "none",
        /// Values of the context are removed wherever they occur.
        Values = "values",
    }
}

/// The approval of a version that was active for the decision.
#[wire(Eq)]
pub struct ReceiptApproval {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The ID of the version.
    pub policy_version_id: PolicyVersionId,
    /// The version number.
    pub version: u32,
    /// The digest of the approval statement, as contained in the snapshot.
    pub approval_digest: String,
    /// The time at which the version was ratified.
    pub ratified_at: Timestamp,
}

/// The signed receipt of a decision (receipts, section 5.2). It does not contain the context.
#[wire]
pub struct Receipt {
    /// The ID of the decision.
    pub decision_id: DecisionId,
    /// The tenant of the decision.
    pub tenant_id: TenantId,
    /// The receipt schema version: 2, or 1 for decisions that were recorded before version 2 existed.
    pub receipt_schema_version: u32,
    /// The signed statement. Absent in version 1, whose signature is over the hexadecimal `integrity_hash`.
    pub statement: Option<Value>,
    /// The base64url signature; absent if unsigned.
    pub signature: Option<String>,
    /// The thumbprint of the signing key; in version 1 it can be any text.
    pub signature_kid: Option<String>,
    /// Always `Ed25519`.
    pub signature_algorithm: Option<String>,
    /// The DSSE payload type.
    pub payload_type: Option<String>,
    /// The verdict and the violations.
    pub result: EvaluationResult,
    /// The digest of the context.
    pub context_digest: String,
    /// The policy that determined the verdict.
    pub policy: DecidingPolicy,
    /// The position in a chain; absent if the decision is not in a chain.
    pub chain: Option<ChainLinkInfo>,
    /// The anchor in the transparency log; `null` while pending.
    #[wire(null)]
    pub transparency_anchor: Option<Value>,
    /// The approvals of the active versions, in the order of the snapshot; absent if the snapshot contains
    /// none.
    pub approval: Option<Vec<ReceiptApproval>>,
    /// The redaction that was applied.
    pub redaction: Redaction,
}
