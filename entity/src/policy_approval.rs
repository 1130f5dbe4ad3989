//! Approvals of versions, as they were signed. Append-only.

use sea_orm::entity::prelude::*;

/// The approval of a version.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_approvals")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// The version, by number.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The version, by id.
    pub policy_version_id: Uuid,
    /// The canonical statement (receipts, section 9.1).
    pub statement: String,
    /// Its digest: what snapshots name.
    pub digest: String,
    /// Over the statement; absent when the service has no key.
    pub signature: Option<String>,
    /// The key.
    pub signature_kid: Option<String>,
    /// The submission that it rests on.
    pub submission_id: Option<Uuid>,
    /// The review record that it rests on.
    pub accept_record_id: Option<Uuid>,
    /// When it was ratified.
    pub ratified_at: DateTimeUtc,
}

table!(TenantOwned);
