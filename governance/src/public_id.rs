//! Ids that public paths name: whoever knows one is led to its tenant.

use contract::id::TenantId;
use entity::public_id::{self as table, PublicKind};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::{cx::Cx, database::untenanted, error::Result};

/// The tenant of an id of this kind, if it was given out.
pub(crate) async fn owner(cx: &Cx, kind: PublicKind, id: Uuid) -> Result<Option<TenantId>> {
    let owner = untenanted::<table::Entity>()
        .filter(table::Column::Id.eq(id))
        .filter(table::Column::Kind.eq(entity::column::Word(kind)))
        .select_only()
        .column(table::Column::TenantId)
        .into_tuple::<Uuid>()
        .one(cx.governance.database())
        .await?;
    Ok(owner.map(TenantId))
}
