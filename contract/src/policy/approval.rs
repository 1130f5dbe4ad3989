//! The signed approval of a version.

use serde::{Deserialize, Serialize};

use crate::{
    id::{PolicyId, PolicyVersionId},
    json::Value,
};

/// The approval of a ratified version, as it was signed (receipts, section 9.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyApproval {
    /// The policy.
    pub policy_id: PolicyId,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// Digest of the statement; snapshots name it.
    pub approval_digest: String,
    /// The statement: who approved what, who had made it, and what the approval rests on.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub approval: Value,
    /// The statement with its signature (DSSE); absent when the service signs nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub envelope: Option<Value>,
    /// Its place in the transparency log; null while it has none.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub transparency_anchor: Option<Value>,
}
