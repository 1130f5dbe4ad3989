//! A user's own sessions: list and end.

use contract::session::{ActiveSession, ActiveSessions};
use entity::{
    session_digest::{self as table, Column},
    user as users,
};

use super::{Client, IDLE_TIMEOUT, LIFETIME_MAX_MS, SignedIn, events::session_event, user};
use crate::base::prelude::*;

/// Returns the relation from a session to its user, with the same password generation.
fn current_user() -> RelationDef {
    table::Entity::belongs_to(users::Entity)
        .from((Column::UserId, Column::PasswordGeneration))
        .to((users::Column::UserId, users::Column::PasswordGeneration))
        .into()
}

/// Returns the active sessions of a signed-in user, most recently used first. A session that is confined to a tenant
/// lists only sessions that are confined to the same tenant.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn list(governance: &Governance, signed_in: &SignedIn) -> Result<ActiveSessions> {
    let now = governance.clock().now();
    let idle_ms = i64::try_from(IDLE_TIMEOUT.as_millis()).unwrap_or(i64::MAX);
    let rows = untenanted::<table::Entity>()
        .join(JoinType::InnerJoin, current_user())
        .filter(Column::UserId.eq(signed_in.user_id.0))
        .filter(Column::ExpiresAt.gt(to_column(now)))
        .filter(Column::SignedInAt.gte(to_column(now.plus_millis(-LIFETIME_MAX_MS))))
        .filter(Column::SeenAt.gte(to_column(now.plus_millis(-idle_ms))))
        .order_by_desc(Column::SeenAt)
        .order_by_asc(Column::SessionId);
    let rows = rows.apply_if(signed_in.provider, |rows, provider| {
        rows.filter(Column::ConfinedTenantId.eq(provider.tenant_id.0))
    });
    let rows = rows.all(governance.database()).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let (Some(created_at), Some(seen_at)) = (row.signed_in_at, row.seen_at) else { continue };
        items.push(ActiveSession {
            id: SessionId(row.session_id),
            created_at: from_column(created_at),
            last_used_at: from_column(seen_at),
            network: row.network,
            user_agent: row.user_agent,
            is_current: row.session_id == signed_in.session_id.0,
        });
    }
    Ok(ActiveSessions { items })
}

/// Ends one of the sessions of a signed-in user.
///
/// # Errors
/// `NOT_FOUND` for a session that has ended or belongs to another user.
pub async fn end_one(governance: &Governance, signed_in: &SignedIn, id: SessionId) -> Result<()> {
    match delete(governance, signed_in, Column::SessionId.eq(id.0)).await? {
        0 => Err(not_found(ResourceKind::Session).into()),
        _ => Ok(()),
    }
}

/// Ends the current session of a user, if it has not ended already.
pub(super) async fn end_current(governance: &Governance, signed_in: &SignedIn) -> Result<()> {
    let current = Column::SessionId.eq(signed_in.session_id.0);
    delete(governance, signed_in, current).await.map(drop)
}

/// Ends all sessions of a signed-in user except the current one. Returns the number of ended sessions.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn end_others(governance: &Governance, signed_in: &SignedIn) -> Result<usize> {
    delete(governance, signed_in, Column::SessionId.ne(signed_in.session_id.0)).await
}

/// Deletes the user's sessions that match `filter`, with an audit event for each. Returns their number.
async fn delete(governance: &Governance, signed_in: &SignedIn, filter: Expr) -> Result<usize> {
    let row = user(governance, signed_in.user_id).await?;
    let user_id = signed_in.user_id;
    let cx = governance.public(governance.correlation_id());
    let cx = cx.with_person(Person { user_id, email: row.email });
    let logs = signed_in.audit_logs(governance).await?;
    let tx = logs.begin(&cx).await?;
    let sessions = delete_untenanted::<table::Entity>().filter(Column::UserId.eq(user_id.0));
    let sessions = sessions.apply_if(signed_in.provider, |sessions, provider| {
        sessions.filter(Column::ConfinedTenantId.eq(provider.tenant_id.0))
    });
    let ended = sessions.filter(filter).exec_with_returning(tx.connection()).await?;
    let ids = ended.iter().map(|session| SessionId(session.session_id));
    let event = |id| session_event("session.end", id, &Client::default());
    let events: Vec<_> = ids.map(event).collect();
    logs.commit(tx, &cx, &events).await?;
    Ok(ended.len())
}
