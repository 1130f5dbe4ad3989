//! The last change of a version.

use entity::audit_event as events;

use super::find;
use crate::{access::permission, base::prelude::*};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastChange {
    /// The ID of the user, of the key, or of the grant under which a key worked.
    pub by: String,
    pub at: Timestamp,
}

/// Returns who last changed a version and when, according to the audit log. Returns `None` for a
/// version that was created together with its policy and not changed since, because it has no event of
/// its own.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn last_change(cx: &Cx, id: PolicyId, version: u32) -> Result<Option<LastChange>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let row = row.or_not_found(ResourceKind::Version)?;
    let event = tx
        .find::<events::Entity>()
        .filter(events::Column::ObjectId.eq(row.id.to_string()))
        .order_by_desc(events::Column::Seq)
        .one(tx.connection())
        .await?;
    tx.finish_read().await?;
    Ok(event.map(|event| LastChange {
        at: entity::column::from_column(event.occurred_at),
        by: event.actor_id,
    }))
}
