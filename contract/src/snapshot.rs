//! Policy snapshots: immutable sets of policies that decisions use.

use crate::{id::SnapshotId, json::Value, time::Timestamp};

/// An immutable policy snapshot.
#[wire]
pub struct PolicySnapshot {
    /// The ID of the snapshot. Decisions reference it as `policy_snapshot_id`.
    pub id: SnapshotId,
    /// The SHA-256 digest of the canonical `snapshot`. Decisions contain it as `policy_snapshot_digest`.
    pub digest: String,
    /// The digest of the active rules. Decisions contain it as `evaluated_rules_hash`.
    pub evaluated_rules_hash: String,
    /// The snapshot object (receipts, section 3.2).
    pub snapshot: Value,
    /// The time at which the snapshot was first used.
    pub created_at: Timestamp,
}
