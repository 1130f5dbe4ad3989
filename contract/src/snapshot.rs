//! Snapshots: the policies that were in force, as they were hashed.

use serde::{Deserialize, Serialize};

use crate::{id::SnapshotId, json::Value, time::Timestamp};

/// A stored policy snapshot. It never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicySnapshot {
    /// The id, as decisions name it in `policy_snapshot_id`.
    pub id: SnapshotId,
    /// SHA-256 of the canonical `snapshot`: `policy_snapshot_digest` of its decisions.
    pub digest: String,
    /// Digest of its active rules: `evaluated_rules_hash` of its decisions.
    pub evaluated_rules_hash: String,
    /// The snapshot object (receipts, section 3.2).
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub snapshot: Value,
    /// When it was first needed.
    pub created_at: Timestamp,
}
