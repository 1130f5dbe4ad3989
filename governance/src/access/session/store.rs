//! The session store: `PostgreSQL` rows under the digests of session tokens.

use async_trait::async_trait;
use entity::{
    column,
    session_digest::{self as table, Column},
    user,
};
use sea_orm::sea_query::ExprTrait;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tower_sessions::{
    session::{Id, Record},
    session_store::{self, Error},
};

use super::{Client, ProviderTokens, SIGNED_IN, SignedIn, events::session_event, networks};
use crate::{access::audit_logs::AuditLogs, base::prelude::*};

/// The session store. The database stores only the SHA-256 of a token. A token has 128 random bits, so
/// a slower digest would add no security.
#[derive(Clone, Debug)]
pub struct SessionStore {
    governance: Governance,
}

/// The member of the session data that marks a sign-in until it is stored.
pub(super) const IS_SIGN_IN: &str = "begins";

/// The member of the session data that contains the client of the sign-in.
pub(super) const CLIENT: &str = "client";

/// The member of the session data that contains the data of the identity provider.
pub(super) const PROVIDER_TOKENS: &str = "provider_tokens";

/// The member of the loaded session data that contains the name of the user's time zone. It is read with every
/// session and not stored in it.
pub(super) const TIME_ZONE: &str = "time_zone";

/// The error message for a password that was changed since it was checked.
pub(super) const PASSWORD_CHANGED: &str = "the password was changed";

impl SessionStore {
    pub fn new(governance: &Governance) -> Self {
        Self { governance: governance.clone() }
    }

    fn database(&self) -> &DatabaseConnection {
        self.governance.database()
    }

    fn now(&self) -> Timestamp {
        self.governance.clock().now()
    }

    /// Stores the session of a signed-in user.
    ///
    /// The user's row is locked first. So a concurrent password change either waits and then ends this
    /// session, or is seen here.
    ///
    /// # Errors
    /// `UNAUTHORIZED` when the password is no longer the one that was checked.
    async fn insert(&self, record: &mut Record, signed_in: &SignedIn) -> Result<()> {
        let governance = &self.governance;
        let is_sign_in = record.data.remove(IS_SIGN_IN).is_some();
        let client = client(record);
        let user_id = signed_in.user_id;
        let logs =
            if is_sign_in { signed_in.audit_logs(governance).await? } else { AuditLogs::none() };
        let cx = governance.public(governance.correlation_id());
        let tx = logs.begin(&cx).await?;
        let user_row = untenanted::<user::Entity>()
            .filter(user::Column::UserId.eq(user_id.0))
            .filter(user::Column::PasswordGeneration.eq(signed_in.password_generation))
            .lock_shared();
        let user_row = user_row.one(tx.connection()).await?.ok_or_else(unauthorized)?;
        let cx = cx.with_person(Person { user_id, email: user_row.email });
        let row = table::ActiveModel {
            digest: Set(digest(&record.id)),
            user_id: Set(Some(user_id.0)),
            data: Set(encode(record)?),
            expires_at: Set(to_column(from_offset(record.expiry_date))),
            session_id: Set(signed_in.session_id.0),
            password_generation: Set(signed_in.password_generation),
            signed_in_at: Set(Some(to_column(signed_in.signed_in_at))),
            seen_at: Set(Some(to_column(signed_in.seen_at))),
            network: Set(client.network()),
            user_agent: Set(client.user_agent.clone()),
            confined_tenant_id: Set(signed_in.provider.map(|provider| provider.tenant_id.0)),
            provider_id: Set(signed_in.provider.map(|provider| provider.provider_id.0)),
            provider_session: Set(provider_tokens(record).and_then(|tokens| tokens.session)),
        };
        table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
        if !is_sign_in {
            return logs.commit(tx, &cx, &[]).await;
        }
        let provider = signed_in.provider.map(|provider| provider.tenant_id);
        networks::record(&tx, &cx, user_id, provider, &client).await?;
        let event = session_event("session.begin", signed_in.session_id, &client)
            .with("auth_method", signed_in.method().as_str());
        logs.commit(tx, &cx, &[event]).await?;
        governance.emit(Observed::SignIn { is_successful: true });
        Ok(())
    }
}

/// The maximum size of session data that is loaded, in bytes. The console limits what it keeps in a session to less,
/// so only a session of an earlier release is larger. It counts as ended.
const DATA_BYTES_MAX: i32 = 524_288;

// SQL: runs for every request with a session.
const SELECT_SESSION: &str = "SELECT s.data, s.expires_at, u.time_zone FROM session_digests s \
     LEFT JOIN users u ON u.user_id = s.user_id \
     WHERE s.digest = $1 AND s.expires_at > $2 AND octet_length(s.data) <= $3 \
     AND (s.user_id IS NULL OR s.password_generation = u.password_generation)";

#[async_trait]
impl session_store::SessionStore for SessionStore {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        // A token has 128 random bits, so a collision is not expected.
        if let Some(signed_in) = signed_in(record) {
            return self.insert(record, &signed_in).await.map_err(|error| match error.code() {
                ErrorCode::Unauthorized => Error::Backend(PASSWORD_CHANGED.to_owned()),
                _ => Error::Backend(error.to_string()),
            });
        }
        let row = table::ActiveModel { digest: Set(digest(&record.id)), ..content(record)? };
        let insert = table::Entity::insert(row).exec_without_returning(self.database());
        insert.await.map_err(backend)?;
        Ok(())
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let seen_at = signed_in(record).map(|signed_in| to_column(signed_in.seen_at));
        let row = table::ActiveModel { seen_at: Set(seen_at), ..content(record)? };
        // An update does not recreate a session that was ended concurrently.
        let save = update_untenanted::<table::Entity>().set(row);
        let save = save.filter(Column::Digest.eq(digest(&record.id)));
        save.exec(self.database()).await.map_err(backend)?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let values = [digest(id).into(), timestamp_value(self.now()), DATA_BYTES_MAX.into()];
        let row = sql::optional(self.database(), SELECT_SESSION, values).await.map_err(backend)?;
        row.map(|row| read(*id, row)).transpose()
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        let has_expired = Column::ExpiresAt.lt(to_column(self.now()));
        let filter = Column::Digest.eq(digest(id)).or(has_expired);
        let delete = delete_untenanted::<table::Entity>().filter(filter);
        delete.exec(self.database()).await.map_err(backend)?;
        Ok(())
    }
}

fn read(
    id: Id,
    (data, expires, time_zone): (Vec<u8>, DateTimeUtc, Option<String>),
) -> session_store::Result<Record> {
    let seconds = column::from_column(expires).millis() / 1_000;
    let mut data: HashMap<String, serde_json::Value> =
        serde_json::from_slice(&data).map_err(|error| Error::Decode(error.to_string()))?;
    data.extend(time_zone.map(|name| (TIME_ZONE.to_owned(), name.into())));
    Ok(Record {
        id,
        data,
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

fn provider_tokens(record: &Record) -> Option<ProviderTokens> {
    serde_json::from_value(record.data.get(PROVIDER_TOKENS)?.clone()).ok()
}

fn client(record: &Record) -> Client {
    let client = record.data.get(CLIENT).cloned();
    client.and_then(|client| serde_json::from_value(client).ok()).unwrap_or_default()
}

/// Returns the columns that every change of a session updates.
fn content(record: &Record) -> session_store::Result<table::ActiveModel> {
    let data = encode(record).map_err(|error| Error::Encode(error.to_string()))?;
    let expires_at = to_column(from_offset(record.expiry_date));
    Ok(table::ActiveModel { data: Set(data), expires_at: Set(expires_at), ..Default::default() })
}

fn encode(record: &Record) -> Result<Vec<u8>> {
    let stored = record.data.iter().filter(|(name, _)| *name != TIME_ZONE);
    Ok(serde_json::to_vec(&stored.collect::<HashMap<_, _>>())?)
}

fn from_offset(time: OffsetDateTime) -> Timestamp {
    let millis = i64::try_from(time.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX);
    Timestamp::from_millis(0)
        .unwrap_or_else(|| unreachable!("1970 is a valid time"))
        .plus_millis(millis)
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
fn backend(error: impl ToString) -> Error {
    Error::Backend(error.to_string())
}
