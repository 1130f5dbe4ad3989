//! The list of a person's own sessions, and ending them.

use contract::{
    id::SessionId,
    session::{ActiveSession, ActiveSessions},
};
use entity::{
    column::{at, instant},
    session_digest::{self as table, Column},
    user as users,
};
use sea_orm::{
    ColumnTrait, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect, RelationDef,
    sea_query::Expr,
};

use super::{
    ABSOLUTE_MS, Client, IDLE, SignedIn,
    events::{Logs, by, of_session},
    user,
};
use crate::{
    Governance,
    database::{delete_untenanted, untenanted},
    error::{Noun, Result, not_found},
};

/// The person of a session, whose password is still the one that the session began with.
fn person() -> RelationDef {
    table::Entity::belongs_to(users::Entity)
        .from((Column::UserId, Column::PasswordGeneration))
        .to((users::Column::UserId, users::Column::PasswordGeneration))
        .into()
}

/// Returns the active sessions of a signed-in person, the last used first.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn list(governance: &Governance, signed_in: &SignedIn) -> Result<ActiveSessions> {
    let now = governance.clock().now();
    let idle_ms = i64::try_from(IDLE.as_millis()).unwrap_or(i64::MAX);
    let rows = untenanted::<table::Entity>()
        .join(JoinType::InnerJoin, person())
        .filter(Column::UserId.eq(signed_in.user_id.0))
        .filter(Column::ExpiresAt.gt(at(now)))
        .filter(Column::SignedInAt.gte(at(now.plus_millis(-ABSOLUTE_MS))))
        .filter(Column::SeenAt.gte(at(now.plus_millis(-idle_ms))))
        .order_by_desc(Column::SeenAt)
        .order_by_asc(Column::SessionId);
    let rows = rows.all(governance.database()).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let (Some(created_at), Some(seen_at)) = (row.signed_in_at, row.seen_at) else { continue };
        items.push(ActiveSession {
            id: SessionId(row.session_id),
            created_at: instant(created_at),
            last_used_at: instant(seen_at),
            network: row.network,
            user_agent: row.user_agent,
            is_current: row.session_id == signed_in.session_id.0,
        });
    }
    Ok(ActiveSessions { items })
}

/// Ends one of the sessions of a signed-in person.
///
/// # Errors
/// `NOT_FOUND` for one that has ended, or is another person's.
pub async fn end_one(governance: &Governance, signed_in: &SignedIn, id: SessionId) -> Result<()> {
    match end(governance, signed_in, Column::SessionId.eq(id.0)).await? {
        0 => Err(not_found(Noun::Session).into()),
        _ => Ok(()),
    }
}

/// Ends the current session of a person, if it has not ended already.
pub(super) async fn end_current(governance: &Governance, signed_in: &SignedIn) -> Result<()> {
    let current = Column::SessionId.eq(signed_in.session_id.0);
    end(governance, signed_in, current).await.map(drop)
}

/// Ends all sessions of a signed-in person but the current one. Returns how many there were.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn end_others(governance: &Governance, signed_in: &SignedIn) -> Result<usize> {
    end(governance, signed_in, Column::SessionId.ne(signed_in.session_id.0)).await
}

/// Deletes those of a person's sessions that `which` holds of, with an event for each. Returns how many
/// there were.
async fn end(governance: &Governance, signed_in: &SignedIn, which: Expr) -> Result<usize> {
    let row = user(governance, signed_in.user_id).await?;
    let cx = governance.public(governance.correlation_id());
    let cx = by(&cx, signed_in.user_id, row.email);
    let logs = Logs::of(governance, signed_in.user_id).await?;
    let tx = logs.begin(&cx).await?;
    let own = delete_untenanted::<table::Entity>().filter(Column::UserId.eq(signed_in.user_id.0));
    let ended = own.filter(which).exec_with_returning(tx.connection()).await?;
    let ids = ended.iter().map(|session| SessionId(session.session_id));
    let event = |id| of_session("session.end", id, &Client::default());
    let events: Vec<_> = ids.map(event).collect();
    logs.commit(tx, &cx, &events).await?;
    Ok(ended.len())
}
