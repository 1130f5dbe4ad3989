//! Keys at the door: one statement at a time reads what all waiting requests must know.

use std::{collections::HashMap, sync::Arc};

use contract::{
    id::{ApiKeyId, TenantId, UserId},
    scope::Scope,
    time::Timestamp,
};
use sea_orm::{
    DbErr, QueryResult, RuntimeErr,
    prelude::DateTimeUtc,
    sqlx::{self, Postgres, pool::PoolConnection},
};
use uuid::Uuid;

use crate::{
    Governance,
    caller::Key,
    database,
    error::{Error, Result, unauthorized},
    shared::{Waiting, tell},
};

/// The fixed start of every key.
pub(crate) const KEY_PREFIX: &str = "svc_";

/// At most so many keys are looked up by one statement.
const KEYS_MAX: usize = 256;

// SQL: read for every request that carries a key.
const KEYS: &str = "SELECT k.tenant_id, k.api_key_id, k.key_name, k.scopes, k.owner, \
                    k.expires_at, k.revoked_at, h.activation_counter, k.digest \
                    FROM key_digests k JOIN tenant_heads h ON h.tenant_id = k.tenant_id \
                    WHERE k.digest = ANY($1)";

/// The digest of a key.
pub(super) type KeyDigest = [u8; 32];

/// A key as it is kept.
#[derive(Debug)]
pub(super) struct Kept {
    key: Key,
    is_revoked: bool,
}

/// The digest under which a key is kept.
pub(crate) fn key_digest(governance: &Governance, secret: &str) -> Vec<u8> {
    digest(governance, secret).to_vec()
}

fn digest(governance: &Governance, secret: &str) -> KeyDigest {
    governance.pepper().digest("api-key", secret.as_bytes())
}

/// Lets a key in. What it rests on was read after the call began, so that a revocation or an
/// activation counts from the very next request, in every process.
///
/// # Errors
/// `UNAUTHORIZED` when it is unknown, revoked or expired.
pub(crate) async fn key(governance: &Governance, secret: &str, now: Timestamp) -> Result<Key> {
    if !secret.starts_with(KEY_PREFIX) {
        return Err(unauthorized().into());
    }
    let asked = governance.door().keys.ask(digest(governance, secret));
    if asked.leads {
        tokio::spawn(look_up(governance.clone()));
    }
    let kept = asked.answer().await?.ok_or_else(unauthorized)?;
    if kept.is_revoked || kept.key.expires_at.is_some_and(|at| at <= now) {
        return Err(unauthorized().into());
    }
    governance.door().uses.note(&kept.key, now);
    Ok(kept.key.clone())
}

/// Looks up for as long as somebody waits: in a task of its own, which no caller takes along.
///
/// It keeps its connection meanwhile, because one that goes back to the pool is tried first, which
/// costs as much as the look-up.
async fn look_up(governance: Governance) {
    let mut connection = None;
    loop {
        // Requests that have arrived by now, and can be read without waiting, come along: the fewer
        // look-ups, the less each request costs.
        tokio::task::yield_now().await;
        let Some(waiting) = governance.door().keys.next(KEYS_MAX) else { return };
        // A task of its own, too: should it panic, those who waited are told and the next go on.
        let answering = tokio::spawn(answer(governance.clone(), waiting, connection.take()));
        connection = answering.await.unwrap_or_default();
    }
}

type Connection = PoolConnection<Postgres>;

/// Tells those who wait; returns the connection, if it is still good.
async fn answer(
    governance: Governance,
    waiting: Waiting<KeyDigest, Kept>,
    connection: Option<Connection>,
) -> Option<Connection> {
    let digests: Vec<Vec<u8>> = waiting.keys().map(|digest| digest.to_vec()).collect();
    let (found, connection) = match read(&governance, digests, connection).await {
        Ok((found, connection)) => (Ok(found), Some(connection)),
        Err(error) => (Err(error), None),
    };
    tell(waiting, &found);
    connection
}

async fn read(
    governance: &Governance,
    digests: Vec<Vec<u8>>,
    connection: Option<Connection>,
) -> Result<(HashMap<KeyDigest, Arc<Kept>>, Connection)> {
    let mut connection = match connection {
        Some(connection) => connection,
        None => database::acquire(governance.database()).await?,
    };
    let rows = sqlx::query(KEYS).bind(digests).fetch_all(&mut *connection).await;
    let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))?;
    let kept = |row| -> Result<_> {
        let row = QueryResult::from(row);
        Ok((row_digest(&row)?, Arc::new(kept(&row)?)))
    };
    Ok((rows.into_iter().map(kept).collect::<Result<_>>()?, connection))
}

fn row_digest(row: &QueryResult) -> Result<KeyDigest> {
    let digest: Vec<u8> = row.try_get_by_index(8)?;
    digest.try_into().map_err(|_| Error::bug("a key's digest has another length"))
}

fn kept(row: &QueryResult) -> Result<Kept> {
    let scopes: Vec<String> = row.try_get_by_index(3)?;
    let expires_at: Option<DateTimeUtc> = row.try_get_by_index(5)?;
    let revoked_at: Option<DateTimeUtc> = row.try_get_by_index(6)?;
    let expires_at = expires_at.map(entity::column::instant);
    let key = Key {
        tenant_id: TenantId(row.try_get_by_index(0)?),
        id: ApiKeyId(row.try_get_by_index(1)?),
        name: row.try_get_by_index(2)?,
        scopes: scopes.iter().filter_map(|scope| scope.parse::<Scope>().ok()).collect(),
        owner: row.try_get_by_index::<Option<Uuid>>(4)?.map(UserId),
        expires_at,
        activations: row.try_get_by_index(7)?,
        capability: None,
    };
    Ok(Kept { key, is_revoked: revoked_at.is_some() })
}
