//! Authentication of API keys. One query resolves all waiting requests.

use sea_orm::{
    RuntimeErr,
    sqlx::{self, Postgres, pool::PoolConnection},
};

use crate::base::{
    batch_lookup::{Waiters, resolve},
    caller::ApiKeyCaller,
    database,
    prelude::*,
};

pub(crate) const KEY_PREFIX: &str = "svc_";

/// The maximum number of keys in one look-up query.
const KEYS_MAX: usize = 256;

// SQL: runs for every request with an API key. The plan of the function is stored in the session.
const SELECT_KEYS: &str = "SELECT tenant_id, api_key_id, key_name, scopes, owner, expires_at, \
                    revoked_at, activation_counter, digest FROM api_keys_by_digest($1)";

pub(super) type KeyDigest = [u8; 32];

#[derive(Debug)]
pub(super) struct StoredKey {
    key: ApiKeyCaller,
    is_revoked: bool,
}

pub(crate) fn key_digest(governance: &Governance, secret: &str) -> Vec<u8> {
    digest(governance, secret).to_vec()
}

fn digest(governance: &Governance, secret: &str) -> KeyDigest {
    governance.pepper().digest("api-key", secret.as_bytes())
}

/// Resolves an API key.
///
/// The key is read after this call starts. So a revocation or an activation takes effect with the next
/// request, in every process.
///
/// # Errors
/// `UNAUTHORIZED` when the key is unknown, revoked or expired.
pub(crate) async fn resolve_key(
    governance: &Governance,
    secret: &str,
    now: Timestamp,
) -> Result<ApiKeyCaller> {
    if !secret.starts_with(KEY_PREFIX) {
        return Err(unauthorized().into());
    }
    let pending = governance.access().authenticator.keys.join(digest(governance, secret));
    if pending.is_leader {
        tokio::spawn(run_lookups(governance.clone()));
    }
    let stored = pending.result().await?.ok_or_else(unauthorized)?;
    if stored.is_revoked || stored.key.expires_at.is_some_and(|at| at <= now) {
        return Err(unauthorized().into());
    }
    governance.access().authenticator.uses.record(&stored.key, now);
    Ok(stored.key.clone())
}

/// Runs look-ups while requests wait, in a task that does not depend on any caller.
///
/// It reuses its connection, because the pool tests a returned connection before reuse, which costs as
/// much as the look-up.
async fn run_lookups(governance: Governance) {
    let mut connection = None;
    loop {
        // Lets requests that have already arrived join this look-up: fewer look-ups cost less per
        // request.
        tokio::task::yield_now().await;
        let Some(waiting) = governance.access().authenticator.keys.next(KEYS_MAX) else { return };
        // A separate task: if it panics, its waiters receive an error and later look-ups continue.
        let task = tokio::spawn(resolve_waiters(governance.clone(), waiting, connection.take()));
        connection = task.await.unwrap_or_default();
    }
}

type Connection = PoolConnection<Postgres>;

/// Sends the results to the waiters. Returns the connection if it is still usable.
async fn resolve_waiters(
    governance: Governance,
    waiting: Waiters<KeyDigest, StoredKey>,
    connection: Option<Connection>,
) -> Option<Connection> {
    let digests: Vec<Vec<u8>> = waiting.keys().map(|digest| digest.to_vec()).collect();
    let (keys, connection) = match read(&governance, digests, connection).await {
        Ok((keys, connection)) => (Ok(keys), Some(connection)),
        Err(error) => (Err(error), None),
    };
    resolve(waiting, &keys);
    connection
}

async fn read(
    governance: &Governance,
    digests: Vec<Vec<u8>>,
    connection: Option<Connection>,
) -> Result<(HashMap<KeyDigest, Arc<StoredKey>>, Connection)> {
    let mut connection = match connection {
        Some(connection) => connection,
        None => database::acquire(governance.database()).await?,
    };
    let rows = sqlx::query(SELECT_KEYS).bind(digests).fetch_all(&mut *connection).await;
    let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))?;
    let to_entry = |row| -> Result<_> {
        let row = QueryResult::from(row);
        Ok((row_digest(&row)?, Arc::new(to_stored(&row)?)))
    };
    Ok((rows.into_iter().map(to_entry).collect::<Result<_>>()?, connection))
}

fn row_digest(row: &QueryResult) -> Result<KeyDigest> {
    let digest: Vec<u8> = row.try_get_by_index(8)?;
    digest.try_into().map_err(|_| Error::bug("a key digest has the wrong length"))
}

fn to_stored(row: &QueryResult) -> Result<StoredKey> {
    let scopes: Vec<String> = row.try_get_by_index(3)?;
    let expires_at: Option<DateTimeUtc> = row.try_get_by_index(5)?;
    let revoked_at: Option<DateTimeUtc> = row.try_get_by_index(6)?;
    let expires_at = expires_at.map(entity::column::from_column);
    let key = ApiKeyCaller {
        tenant_id: TenantId(row.try_get_by_index(0)?),
        id: ApiKeyId(row.try_get_by_index(1)?),
        name: row.try_get_by_index(2)?,
        scopes: scopes.iter().filter_map(|scope| scope.parse::<Scope>().ok()).collect(),
        owner: row.try_get_by_index::<Option<Uuid>>(4)?.map(UserId),
        expires_at,
        activations: row.try_get_by_index(7)?,
        capability: None,
    };
    Ok(StoredKey { key, is_revoked: revoked_at.is_some() })
}
