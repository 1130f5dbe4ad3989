//! Receipts as they are read: a signed statement beside what it vouches for.

use serde::{Deserialize, Serialize};

use crate::{
    chain::Chained,
    decision::DecidingPolicy,
    evaluation::EvaluationResult,
    id::{DecisionId, PolicyId, PolicyVersionId, TenantId},
    json::Value,
    time::Timestamp,
};

/// What a public receipt leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Redaction {
    /// Nothing.
    None,
    /// Values of the context, wherever they show.
    Values,
}

impl Redaction {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::None, Self::Values];

    /// The words of the wire.
    pub const WORDS: [&'static str; 2] = ["none", "values"];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Values => "values",
        }
    }
}

impl std::str::FromStr for Redaction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|redaction| redaction.as_str() == text).ok_or(())
    }
}

/// Who approved a version that decided, by the digest of the approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReceiptApproval {
    /// The policy.
    pub policy_id: PolicyId,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// Digest of the approval statement, as the snapshot names it.
    pub approval_digest: String,
    /// When it was approved.
    pub ratified_at: Timestamp,
}

/// A signed receipt (receipts, section 5.2). The context itself is not part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Receipt {
    /// The decision.
    pub decision_id: DecisionId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// 2, or 1 for what was recorded before there was a 2.
    pub receipt_schema_version: u32,
    /// What was signed; absent in version 1, whose signature is over the hex of `integrity_hash`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub statement: Option<Value>,
    /// base64url signature; absent when unsigned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<String>,
    /// The key's thumbprint; in version 1 it may be any text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature_kid: Option<String>,
    /// `Ed25519`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature_algorithm: Option<String>,
    /// The DSSE payload type.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload_type: Option<String>,
    /// Verdict and violations.
    pub result: EvaluationResult,
    /// Digest of the context.
    pub context_digest: String,
    /// The policy that gave the verdict.
    pub policy: DecidingPolicy,
    /// Its place in a chain; absent outside of chains.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain: Option<Chained>,
    /// The log entry; `null` while pending.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub transparency_anchor: Option<Value>,
    /// The approvals of the versions that decided, in the order of the snapshot; absent when it names
    /// none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approval: Option<Vec<ReceiptApproval>>,
    /// What was left out.
    pub redaction: Redaction,
}
