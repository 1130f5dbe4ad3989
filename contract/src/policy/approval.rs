//! The signed approval of a version.

use crate::{
    id::{PolicyId, PolicyVersionId},
    json::Value,
};

/// The signed approval of a ratified version (receipts, section 9.1).
#[wire]
pub struct PolicyApproval {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The ID of the version.
    pub policy_version_id: PolicyVersionId,
    /// The version number.
    pub version: u32,
    /// The digest of the statement. Policy snapshots contain it.
    pub approval_digest: String,
    /// The statement: the ratifier, the approved version, its authors, and the review that the approval is
    /// based on.
    pub approval: Value,
    /// The DSSE envelope with the statement and its signature; absent if the service has no signing key.
    pub envelope: Option<Value>,
    /// The anchor in the transparency log; `null` while pending.
    #[wire(null)]
    pub transparency_anchor: Option<Value>,
}
