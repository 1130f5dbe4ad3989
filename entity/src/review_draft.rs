//! Review drafts. Each is visible only to its author.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "review_drafts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_version_id: Uuid,
    /// The submission that the draft was saved for.
    pub submission_id: Uuid,
    /// The note, comments and viewed marks as JSON.
    pub draft: String,
    pub saved_at: DateTimeUtc,
}

table!(TenantOwned);
