//! The list of a person's own sessions, and ending them.

use contract::{
    id::SessionId,
    session::{ActiveSession, ActiveSessions},
};
use entity::{column, session_digest as table};
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use super::{
    ABSOLUTE_MS, Client, IDLE, SignedIn,
    events::{Logs, by, of_session},
    user,
};
use crate::{
    Governance,
    error::{Noun, Result, not_found},
    tenancy::{instant, statement},
};

const LIST: &str = "SELECT s.* FROM session_digests s JOIN users u ON u.user_id = s.user_id \
     WHERE s.user_id = $1 AND s.password_generation = u.password_generation \
     AND s.expires_at > $2 AND s.signed_in_at >= $3 AND s.seen_at >= $4 \
     ORDER BY s.seen_at DESC, s.session_id";

/// Returns the active sessions of a signed-in person, the last used first.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn list(governance: &Governance, signed_in: &SignedIn) -> Result<ActiveSessions> {
    let now = governance.clock().now();
    let idle_ms = i64::try_from(IDLE.as_millis()).unwrap_or(i64::MAX);
    let values = [
        signed_in.user_id.0.into(),
        instant(now),
        instant(now.plus_millis(-ABSOLUTE_MS)),
        instant(now.plus_millis(-idle_ms)),
    ];
    let rows = governance.database().query_all_raw(statement(LIST, values)).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        let row = table::Model::from_query_result(row, "")?;
        let (Some(created_at), Some(seen_at)) = (row.signed_in_at, row.seen_at) else { continue };
        items.push(ActiveSession {
            id: SessionId(row.session_id),
            created_at: column::instant(created_at),
            last_used_at: column::instant(seen_at),
            network: row.network,
            user_agent: row.user_agent,
            is_current: row.session_id == signed_in.session_id.0,
        });
    }
    Ok(ActiveSessions { items })
}

const END: &str = "DELETE FROM session_digests WHERE user_id = $1 AND session_id = $2 \
     RETURNING session_id";

/// Ends one of the sessions of a signed-in person.
///
/// # Errors
/// `NOT_FOUND` for one that has ended, or is another person's.
pub async fn end_one(governance: &Governance, signed_in: &SignedIn, id: SessionId) -> Result<()> {
    match end(governance, signed_in, END, id).await? {
        0 => Err(not_found(Noun::Session).into()),
        _ => Ok(()),
    }
}

/// Ends the current session of a person, if it has not ended already.
pub(super) async fn end_current(governance: &Governance, signed_in: &SignedIn) -> Result<()> {
    end(governance, signed_in, END, signed_in.session_id).await.map(drop)
}

const END_OTHERS: &str = "DELETE FROM session_digests WHERE user_id = $1 AND session_id <> $2 \
     RETURNING session_id";

/// Ends all sessions of a signed-in person but the current one. Returns how many there were.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn end_others(governance: &Governance, signed_in: &SignedIn) -> Result<usize> {
    end(governance, signed_in, END_OTHERS, signed_in.session_id).await
}

/// Deletes sessions by `sql`, with an event for each. Returns how many there were.
async fn end(
    governance: &Governance,
    signed_in: &SignedIn,
    sql: &'static str,
    id: SessionId,
) -> Result<usize> {
    let row = user(governance, signed_in.user_id).await?;
    let cx = governance.public(governance.correlation_id());
    let cx = by(&cx, signed_in.user_id, row.try_get_by_index(1)?);
    let logs = Logs::of(governance, signed_in.user_id).await?;
    let tx = logs.begin(&cx).await?;
    let values = [signed_in.user_id.0.into(), id.0.into()];
    let ended = tx.connection().query_all_raw(statement(sql, values)).await?;
    let mut events = Vec::with_capacity(ended.len());
    for row in &ended {
        let id = SessionId(row.try_get_by_index::<Uuid>(0)?);
        events.push(of_session("session.end", id, &Client::default()));
    }
    logs.commit(tx, &cx, &events).await?;
    Ok(ended.len())
}
