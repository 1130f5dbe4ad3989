//! IDs in public paths, with the tenants that they belong to.

use contract::id::TenantId;
use entity::public_id::{self as table, PublicKind};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::base::{cx::Cx, database::untenanted, error::Result};

/// Returns the tenant of an ID of this kind, if the ID exists.
pub(crate) async fn owner(cx: &Cx, kind: PublicKind, id: Uuid) -> Result<Option<TenantId>> {
    let owner = untenanted::<table::Entity>()
        .filter(table::Column::Id.eq(id))
        .filter(table::Column::Kind.eq(entity::column::TextEnum(kind)))
        .select_only()
        .column(table::Column::TenantId)
        .into_tuple::<Uuid>()
        .one(cx.governance.database())
        .await?;
    Ok(owner.map(TenantId))
}
