//! Who had a version in hand last.

use contract::{id::PolicyId, time::Timestamp};
use entity::audit_event as events;
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};

use super::find;
use crate::{
    cx::Cx,
    error::{Noun, Result, not_found},
    permission,
};

/// The last thing that was done to a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Who did it: the id of a person, of a key, or of the grant under which a key worked.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// Who changed a version last, and when, as the audit log has it. Of a version that was made together
/// with its policy and not touched since, the log has nothing of its own.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn last_touch(cx: &Cx, id: PolicyId, version: u32) -> Result<Option<Touch>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::Version))?;
    let event = tx
        .find::<events::Entity>()
        .filter(events::Column::ObjectId.eq(row.id.to_string()))
        .order_by_desc(events::Column::Seq)
        .one(tx.connection())
        .await?;
    tx.end().await?;
    Ok(event
        .map(|event| Touch { at: entity::column::instant(event.occurred_at), by: event.actor_id }))
}
