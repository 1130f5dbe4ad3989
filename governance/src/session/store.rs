//! Where sessions lie: in `PostgreSQL`, under the digest of their token.

use async_trait::async_trait;
use contract::time::Timestamp;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, QueryResult};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tower_sessions::{
    session::{Id, Record},
    session_store::{self, Error},
};
use uuid::Uuid;

use crate::{
    Governance,
    clock::Clock,
    session::{SIGNED_IN, SignedIn},
    tenancy::{instant, statement},
};

/// The sessions of people. The store keeps no token, only its SHA-256: the token has 128 random
/// bits, so nothing is gained by a slower digest.
#[derive(Clone, Debug)]
pub struct SessionStore {
    database: DatabaseConnection,
    clock: Clock,
}

impl SessionStore {
    /// The store of a service.
    pub fn of(governance: &Governance) -> Self {
        Self { database: governance.database().clone(), clock: governance.clock().clone() }
    }

    async fn write(&self, sql: &'static str, record: &Record) -> session_store::Result<()> {
        let data =
            serde_json::to_vec(&record.data).map_err(|error| Error::Encode(error.to_string()))?;
        let values = [
            digest(&record.id).into(),
            person(record).into(),
            data.into(),
            instant(from_offset(record.expiry_date)),
        ];
        self.database.execute_raw(statement(sql, values)).await.map_err(backend)?;
        Ok(())
    }
}

const CREATE: &str = "INSERT INTO session_digests (digest, user_id, data, expires_at) \
                      VALUES ($1, $2, $3, $4)";

// A session that was ended meanwhile stays ended, whatever a request that had begun would write.
const SAVE: &str = "UPDATE session_digests SET user_id = $2, data = $3, expires_at = $4 \
                    WHERE digest = $1";

const LOAD: &str =
    "SELECT data, expires_at FROM session_digests WHERE digest = $1 AND expires_at > $2";

const DELETE: &str = "DELETE FROM session_digests WHERE digest = $1 OR expires_at < $2";

#[async_trait]
impl session_store::SessionStore for SessionStore {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        // A token has 128 random bits; two that are equal will not be seen.
        self.write(CREATE, record).await
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        self.write(SAVE, record).await
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let values = [digest(id).into(), instant(self.clock.now())];
        let row = self.database.query_one_raw(statement(LOAD, values)).await.map_err(backend)?;
        row.map(|row| read(*id, &row)).transpose()
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        let values = [digest(id).into(), instant(self.clock.now())];
        self.database.execute_raw(statement(DELETE, values)).await.map_err(backend)?;
        Ok(())
    }
}

fn read(id: Id, row: &QueryResult) -> session_store::Result<Record> {
    let data: Vec<u8> = row.try_get_by_index(0).map_err(backend)?;
    let expires: sea_orm::prelude::DateTimeUtc = row.try_get_by_index(1).map_err(backend)?;
    let seconds = entity::column::instant(expires).millis() / 1_000;
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

fn person(record: &Record) -> Option<Uuid> {
    let signed_in = record.data.get(SIGNED_IN)?.clone();
    serde_json::from_value::<SignedIn>(signed_in).ok().map(|signed_in| signed_in.user_id.0)
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
