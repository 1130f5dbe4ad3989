//! Review records. Append-only.

use contract::policy::ReviewVerdict;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "review_records")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub submission_id: Uuid,
    pub verdict: TextEnum<ReviewVerdict>,
    pub recorded_at: DateTimeUtc,
    pub recorded_by: String,
    /// The canonical record, including its comments.
    pub record: String,
    /// Digest of `record`.
    pub digest: String,
}

table!(TenantOwned, HasId);
