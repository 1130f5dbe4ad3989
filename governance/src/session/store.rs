//! Where sessions lie: in `PostgreSQL`, under the digest of their token.

use async_trait::async_trait;
use contract::{error::ErrorCode, time::Timestamp};
use entity::column;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, QueryResult};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tower_sessions::{
    session::{Id, Record},
    session_store::{self, Error},
};

use super::{
    Client, SIGNED_IN, SignedIn,
    events::{Logs, by, of_session},
    networks,
};
use crate::{
    Governance,
    error::{Result, unauthorized},
    tenancy::{instant, statement},
};

/// The sessions of people. The store holds no token, only its SHA-256: the token has 128 random
/// bits, so nothing is gained by a slower digest.
#[derive(Clone, Debug)]
pub struct SessionStore {
    governance: Governance,
}

/// The member of a session's data that is there while a sign-in is stored, and not afterwards.
pub(super) const BEGINS: &str = "begins";

/// The member of a session's data that holds the client of the sign-in.
pub(super) const CLIENT: &str = "client";

/// The cause of an error: the password was changed since it was checked.
pub(super) const VOID: &str = "the password was changed";

impl SessionStore {
    /// The store of a service.
    pub fn of(governance: &Governance) -> Self {
        Self { governance: governance.clone() }
    }

    fn database(&self) -> &DatabaseConnection {
        self.governance.database()
    }

    fn now(&self) -> Timestamp {
        self.governance.clock().now()
    }

    /// Stores the session of a signed-in person.
    ///
    /// The row of the person is locked first, so that a change of the password either waits and then ends
    /// this session, or is seen here.
    ///
    /// # Errors
    /// `UNAUTHORIZED` when the password is no longer the one that was checked.
    async fn insert(&self, record: &mut Record, signed_in: &SignedIn) -> Result<()> {
        let governance = &self.governance;
        let is_sign_in = record.data.remove(BEGINS).is_some();
        let client = client(record);
        let user_id = signed_in.user_id;
        let logs = if is_sign_in { Logs::of(governance, user_id).await? } else { Logs::none() };
        let cx = governance.public(governance.correlation_id());
        let tx = logs.begin(&cx).await?;
        let values = [user_id.0.into(), signed_in.password_generation.into()];
        let row = tx.connection().query_one_raw(statement(LOCK_PERSON, values)).await?;
        let row = row.ok_or_else(unauthorized)?;
        let cx = by(&cx, user_id, row.try_get_by_index(0)?);
        let row = [
            digest(&record.id).into(),
            user_id.0.into(),
            encoded(record)?.into(),
            instant(from_offset(record.expiry_date)),
            signed_in.session_id.0.into(),
            signed_in.password_generation.into(),
            instant(signed_in.signed_in_at),
            instant(signed_in.seen_at),
            client.network().into(),
            client.user_agent.clone().into(),
        ];
        tx.connection().execute_raw(statement(INSERT, row)).await?;
        if !is_sign_in {
            return logs.commit(tx, &cx, &[]).await;
        }
        networks::note(&tx, &cx, user_id, &client).await?;
        let event = of_session("session.begin", signed_in.session_id, &client);
        logs.commit(tx, &cx, &[event]).await
    }
}

const LOCK_PERSON: &str = "SELECT email FROM users \
     WHERE user_id = $1 AND password_generation = $2 FOR SHARE";

const INSERT: &str = "INSERT INTO session_digests (digest, user_id, data, expires_at, session_id, \
     password_generation, signed_in_at, seen_at, network, user_agent) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

/// A session without a person.
const INSERT_ANONYMOUS: &str =
    "INSERT INTO session_digests (digest, data, expires_at) VALUES ($1, $2, $3)";

// A session that was ended meanwhile stays ended, whatever a request that had begun would write.
const SAVE: &str = "UPDATE session_digests SET data = $2, expires_at = $3, seen_at = $4 \
                    WHERE digest = $1";

const LOAD: &str = "SELECT s.data, s.expires_at FROM session_digests s \
     LEFT JOIN users u ON u.user_id = s.user_id \
     WHERE s.digest = $1 AND s.expires_at > $2 \
     AND (s.user_id IS NULL OR s.password_generation = u.password_generation)";

const DELETE: &str = "DELETE FROM session_digests WHERE digest = $1 OR expires_at < $2";

#[async_trait]
impl session_store::SessionStore for SessionStore {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        // A token has 128 random bits; two that are equal will not be seen.
        if let Some(signed_in) = signed_in(record) {
            return self.insert(record, &signed_in).await.map_err(|error| match error.code() {
                ErrorCode::Unauthorized => Error::Backend(VOID.to_owned()),
                _ => Error::Backend(error.to_string()),
            });
        }
        let data = encoded(record).map_err(|error| Error::Encode(error.to_string()))?;
        let expires_at = instant(from_offset(record.expiry_date));
        let values = [digest(&record.id).into(), data.into(), expires_at];
        let insert = statement(INSERT_ANONYMOUS, values);
        self.database().execute_raw(insert).await.map_err(backend)?;
        Ok(())
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let values = [
            digest(&record.id).into(),
            encoded(record).map_err(|error| Error::Encode(error.to_string()))?.into(),
            instant(from_offset(record.expiry_date)),
            signed_in(record).map(|signed_in| column::at(signed_in.seen_at)).into(),
        ];
        self.database().execute_raw(statement(SAVE, values)).await.map_err(backend)?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let values = [digest(id).into(), instant(self.now())];
        let row = self.database().query_one_raw(statement(LOAD, values)).await.map_err(backend)?;
        row.map(|row| read(*id, &row)).transpose()
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        let values = [digest(id).into(), instant(self.now())];
        self.database().execute_raw(statement(DELETE, values)).await.map_err(backend)?;
        Ok(())
    }
}

fn read(id: Id, row: &QueryResult) -> session_store::Result<Record> {
    let data: Vec<u8> = row.try_get_by_index(0).map_err(backend)?;
    let expires: sea_orm::prelude::DateTimeUtc = row.try_get_by_index(1).map_err(backend)?;
    let seconds = column::instant(expires).millis() / 1_000;
    Ok(Record {
        id,
        data: serde_json::from_slice(&data).map_err(|error| Error::Decode(error.to_string()))?,
        expiry_date: OffsetDateTime::from_unix_timestamp(seconds)
            .map_err(|error| Error::Decode(error.to_string()))?,
    })
}

fn digest(id: &Id) -> Vec<u8> {
    Sha256::digest(id.0.to_le_bytes()).to_vec()
}

fn signed_in(record: &Record) -> Option<SignedIn> {
    serde_json::from_value(record.data.get(SIGNED_IN)?.clone()).ok()
}

fn client(record: &Record) -> Client {
    let client = record.data.get(CLIENT).cloned();
    client.and_then(|client| serde_json::from_value(client).ok()).unwrap_or_default()
}

fn encoded(record: &Record) -> Result<Vec<u8>> {
    serde_json::to_vec(&record.data).map_err(|error| crate::Error::Bug(error.into()))
}

fn from_offset(at: OffsetDateTime) -> Timestamp {
    let millis = i64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX);
    Timestamp::from_millis(0)
        .unwrap_or_else(|| unreachable!("1970 is an instant"))
        .plus_millis(millis)
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
fn backend(error: DbErr) -> Error {
    Error::Backend(error.to_string())
}
