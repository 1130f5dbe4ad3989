//! The policies of each snapshot, for finding decisions by policy. Append-only; written by a
//! database trigger on snapshots.

use sea_orm::entity::prelude::*;

table! {
    "snapshot_policies" [tenant_id: Uuid, policy_id: Uuid, version: i32, snapshot_id: Uuid] TenantOwned {}
}
