//! Sessions of users: sign in, sign out, and the session store behind the cookie.

mod active;
mod client;
mod events;
mod networks;
mod pending;
mod store;
mod user_tenants;

use std::time::Duration;

use contract::settings::AuthMethod;
use entity::{
    session_digest,
    user::{self as table, Column},
};
use tower_sessions::{Session, SessionStore as _, session::Id, session_store};

use crate::{
    access::{
        attempts::{self, Subject},
        audit_logs::AuditLogs,
        time_zone::TimeZone,
    },
    base::{
        error::{confined_session, invalid_credentials},
        prelude::*,
        tenancy::see_memberships_of,
    },
};

pub(crate) use self::events::record_failures;
pub use self::{
    active::{end_one, end_others, list},
    client::Client,
    pending::{PendingSignIn, SignIn, pending, start_pending},
    store::SessionStore,
    user_tenants::{UserTenants, session_info, user_tenants},
};

/// A signed-in user, as stored in the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    pub user_id: UserId,
    /// The ID of the session in the user's list of sessions. It is not the session token.
    #[serde(default = "no_session")]
    pub session_id: SessionId,
    /// The generation of the password that the user signed in with.
    #[serde(default)]
    pub password_generation: i64,
    pub signed_in_at: Timestamp,
    /// The time at which the user last authenticated.
    pub confirmed_at: Timestamp,
    /// The time at which the session was last used, to the minute.
    pub seen_at: Timestamp,
    /// The identity provider that started the session; absent for a password.
    #[serde(default)]
    pub provider: Option<ProviderSession>,
    /// The way the user signed in. Use [`SignedIn::method`].
    #[serde(default = "password")]
    pub auth_method: AuthMethod,
    /// The way the user last confirmed the sign-in; absent if the user did not.
    #[serde(default)]
    pub confirmed_with: Option<AuthMethod>,
}

/// The identity provider that started a session. The session gives access only to the tenant of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderSession {
    pub tenant_id: TenantId,
    pub provider_id: IdentityProviderId,
}

/// The data of a session at its identity provider.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ProviderTokens {
    /// The ID of the session at the provider, if it has one.
    pub(crate) session: Option<String>,
    /// The ID token, which the provider asks for at sign-out.
    pub(crate) id_token: String,
}

/// Returns the ID of sessions that were stored without one.
fn no_session() -> SessionId {
    SessionId(Uuid::nil())
}

/// Returns the method of sessions that were stored without one.
fn password() -> AuthMethod {
    AuthMethod::Password
}

/// The idle timeout of a session: 30 minutes (contract, section 2).
pub const IDLE_TIMEOUT: Duration = Duration::from_mins(30);

/// The time left of a session in milliseconds. It ends with the shorter one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TimeLeft {
    /// The time until the session ends if it is not used.
    pub idle_ms: i64,
    /// The time until the session ends although it is used.
    pub limit_ms: i64,
}

/// The maximum lifetime of a session in milliseconds: 12 hours (contract, section 2).
const LIFETIME_MAX_MS: i64 = 12 * 60 * 60 * 1_000;

/// The interval in milliseconds after which `seen_at` is written again: a minute.
const TOUCH_INTERVAL_MS: i64 = 60 * 1_000;

/// The member of the session data that contains the signed-in user.
const SIGNED_IN: &str = "signed_in";

/// Checks the password of a signed-in user and returns the user's email address.
///
/// # Errors
/// `UNAUTHORIZED` when the password is wrong; `FORBIDDEN` for a session of an identity provider; `TOO_MANY_REQUESTS`
/// after too many failures ([`attempts`]).
pub(crate) async fn check_password(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    password: String,
) -> Result<String> {
    signed_in.require_unconfined()?;
    let table::Model { email, password_hash: hash, .. } =
        user(governance, signed_in.user_id).await?;
    let subject = Subject::Account(&email);
    if attempts::verify(governance, subject, client.address, password, hash).await? {
        return Ok(email);
    }
    events::record_failures(governance, vec![signed_in.user_id], client);
    Err(invalid_credentials().into())
}

pub(crate) async fn user(governance: &Governance, user_id: UserId) -> Result<table::Model> {
    let row = untenanted::<table::Entity>().filter(Column::UserId.eq(user_id.0));
    Ok(row.one(governance.database()).await?.ok_or_else(unauthorized)?)
}

/// Starts a session for a user who has just signed in, with a new token. The user's tenants record an
/// audit event.
///
/// # Errors
/// `UNAUTHORIZED` when the password was changed since it was checked; `SERVICE_UNAVAILABLE` when the
/// database is unavailable.
pub async fn start(
    session: &tower_sessions::Session,
    signed_in: &SignedIn,
    client: &Client,
) -> Result<()> {
    start_with(session, signed_in, client, None).await
}

/// Starts a session as [`start`] does. `tokens` are those of the identity provider that signed the user in.
pub(crate) async fn start_with(
    session: &tower_sessions::Session,
    signed_in: &SignedIn,
    client: &Client,
    tokens: Option<&ProviderTokens>,
) -> Result<()> {
    // Data of an earlier session of the browser is discarded.
    session.clear().await;
    session.insert(store::IS_SIGN_IN, true).await.map_err(store_error)?;
    if let Some(tokens) = tokens {
        session.insert(store::PROVIDER_TOKENS, tokens).await.map_err(store_error)?;
    }
    session.insert(store::CLIENT, client).await.map_err(store_error)?;
    renew(session, signed_in).await
}

/// Continues a session with a new token, after the user has confirmed or changed the password.
///
/// # Errors
/// As [`start`].
pub async fn renew(session: &tower_sessions::Session, signed_in: &SignedIn) -> Result<()> {
    session.cycle_id().await.map_err(store_error)?;
    session.insert(SIGNED_IN, signed_in).await.map_err(store_error)?;
    match session.save().await {
        Ok(()) => Ok(()),
        Err(error) => {
            // Without data, nothing stores the session again.
            session.clear().await;
            let is_password_changed = matches!(&error, tower_sessions::session::Error::Store(
                session_store::Error::Backend(cause)) if cause == store::PASSWORD_CHANGED);
            Err(if is_password_changed { unauthorized().into() } else { store_error(error) })
        }
    }
}

/// Continues a session as [`renew`] does, or ends it without `signed_in`, because the user signed in with a factor that was
/// removed.
///
/// # Errors
/// As [`start`].
pub async fn renew_or_end(
    session: &tower_sessions::Session,
    signed_in: Option<&SignedIn>,
) -> Result<()> {
    match signed_in {
        Some(signed_in) => renew(session, signed_in).await,
        None => session.flush().await.map_err(store_error),
    }
}

/// Ends the cookie's session, if there is one. The user's tenants record an audit event.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn destroy(governance: &Governance, session: &tower_sessions::Session) -> Result<()> {
    let signed_in: Option<SignedIn> = session.get(SIGNED_IN).await.map_err(store_error)?;
    if let Some(signed_in) = signed_in {
        active::end_current(governance, &signed_in).await?;
    }
    session.flush().await.map_err(store_error)
}

/// Returns the signed-in user of a session, unless the session was idle for too long or is too old.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn current(
    governance: &Governance,
    session: &tower_sessions::Session,
) -> Result<Option<SignedIn>> {
    let signed_in: Option<SignedIn> = session.get(SIGNED_IN).await.map_err(store_error)?;
    let Some(mut signed_in) = signed_in else { return Ok(None) };
    let now = governance.clock().now();
    if signed_in.has_expired(now) {
        session.flush().await.map_err(store_error)?;
        return Ok(None);
    }
    if elapsed_ms(signed_in.seen_at, now) > TOUCH_INTERVAL_MS {
        signed_in.seen_at = now;
        session.insert(SIGNED_IN, &signed_in).await.map_err(store_error)?;
    }
    Ok(Some(signed_in))
}

/// Returns the data of a session at its identity provider; `None` for a session with a password.
pub(crate) async fn provider_tokens(
    session: &tower_sessions::Session,
) -> Result<Option<ProviderTokens>> {
    session.get(store::PROVIDER_TOKENS).await.map_err(store_error)
}

/// Returns the time zone of the signed-in user of a session; `None` for UTC.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn time_zone(session: &tower_sessions::Session) -> Result<Option<TimeZone>> {
    let name: Option<String> = session.get(store::TIME_ZONE).await.map_err(store_error)?;
    Ok(name.and_then(|name| TimeZone::from_name(&name)))
}

/// Reloads the cookie's session from the database. A session that was ended concurrently is empty.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn reload(session: &tower_sessions::Session) -> Result<()> {
    if session.id().is_none() {
        return Ok(());
    }
    session.load().await.map_err(store_error)
}

impl SignedIn {
    /// Returns a sign-in at `now` without a stored session.
    pub fn new(user_id: UserId, now: Timestamp) -> Self {
        Self {
            user_id,
            session_id: no_session(),
            password_generation: 0,
            signed_in_at: now,
            confirmed_at: now,
            seen_at: now,
            provider: None,
            auth_method: AuthMethod::Password,
            confirmed_with: None,
        }
    }

    /// Returns the way the user signed in.
    pub fn method(&self) -> AuthMethod {
        if self.provider.is_some() { AuthMethod::Oidc } else { self.auth_method }
    }

    /// Returns whether the session can give access to a tenant.
    pub(crate) fn gives_access_to(&self, tenant: TenantId) -> bool {
        self.provider.is_none_or(|provider| provider.tenant_id == tenant)
    }

    /// Returns the audit logs that record events of the session: that of the tenant it is confined to, or those of
    /// all tenants of the user.
    pub(crate) async fn audit_logs(&self, governance: &Governance) -> Result<AuditLogs> {
        match self.provider {
            Some(provider) => Ok(AuditLogs::new(vec![provider.tenant_id])),
            None => AuditLogs::of_user(governance, self.user_id).await,
        }
    }

    /// Checks that the session is not confined to the tenant of an identity provider.
    pub(crate) fn require_unconfined(&self) -> Result<()> {
        if self.provider.is_some() { Err(confined_session().into()) } else { Ok(()) }
    }

    /// Checks that the session may change what all tenants of the account share: it is not confined to the tenant of an
    /// identity provider, or the account is.
    pub(crate) fn require_whole_account(&self, account: &table::Model) -> Result<()> {
        let is_confined =
            |provider: &ProviderSession| account.confined_tenant_id == Some(provider.tenant_id.0);
        if self.provider.as_ref().is_some_and(is_confined) {
            Ok(())
        } else {
            self.require_unconfined()
        }
    }

    /// Returns the time left at `now`. It is negative after the end.
    pub fn time_left(&self, now: Timestamp) -> TimeLeft {
        let idle_ms = i64::try_from(IDLE_TIMEOUT.as_millis()).unwrap_or(i64::MAX);
        TimeLeft {
            idle_ms: idle_ms.saturating_sub(elapsed_ms(self.seen_at, now)),
            limit_ms: LIFETIME_MAX_MS.saturating_sub(elapsed_ms(self.signed_in_at, now)),
        }
    }

    /// Returns whether the session has been idle for too long or is too old.
    fn has_expired(&self, now: Timestamp) -> bool {
        let left = self.time_left(now);
        left.idle_ms.min(left.limit_ms) < 0
    }
}

const fn elapsed_ms(time: Timestamp, now: Timestamp) -> i64 {
    now.millis().saturating_sub(time.millis())
}

fn store_error(error: tower_sessions::session::Error) -> Error {
    Error::Unavailable { retry_after: Duration::from_secs(2), cause: error.into() }
}

impl Cx {
    pub fn user_id(&self) -> Option<UserId> {
        self.human().ok().map(|human| human.user_id)
    }
}

/// Ends all sessions of a user.
pub(crate) async fn end_all(connection: &impl ConnectionTrait, user_id: UserId) -> Result<()> {
    let sessions = delete_untenanted::<session_digest::Entity>();
    sessions.filter(session_digest::Column::UserId.eq(user_id.0)).exec(connection).await?;
    Ok(())
}

// SQL: the deletion depends on rows of another table.
const DELETE_SESSIONS_WITHOUT_MEMBERSHIP: &str = "DELETE FROM session_digests WHERE user_id = $1 \
     AND NOT EXISTS (SELECT FROM members WHERE user_id = $1 AND status = 'active')";

/// Ends the sessions of a user without any active membership. A user with a membership elsewhere stays
/// signed in, so one tenant cannot sign users out of another.
pub(crate) async fn end_without_membership(tx: &TenantTx, user_id: UserId) -> Result<()> {
    // Row-level security shows users their own memberships, so the transaction acts as this user to see
    // all tenants.
    see_memberships_of(tx.connection(), user_id).await?;
    let delete = statement(DELETE_SESSIONS_WITHOUT_MEMBERSHIP, [user_id.0.into()]);
    tx.connection().execute_raw(delete).await?;
    Ok(())
}

/// Read-only access to a session, which does not count as use of it.
#[derive(Clone, derive_more::Debug, Copy)]
#[debug("SessionToken")]
pub struct SessionToken(Id);

impl SessionToken {
    /// Returns the token of a request's session; `None` for a request without a cookie.
    pub fn from_session(session: &Session) -> Option<Self> {
        session.id().map(Self)
    }

    /// Returns the user who is signed in with this token, read from the database. `None` when the
    /// session was ended, was idle for too long or is too old. Unlike a request, this does not extend
    /// the session.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the database is unavailable.
    pub async fn signed_in(self, governance: &Governance) -> Result<Option<SignedIn>> {
        let loaded = SessionStore::new(governance).load(&self.0).await;
        let record = loaded.map_err(|error| store_error(error.into()))?;
        let signed_in = record.and_then(|mut record| record.data.remove(SIGNED_IN));
        let signed_in = signed_in.and_then(|value| serde_json::from_value(value).ok());
        let now = governance.clock().now();
        Ok(signed_in.filter(|signed_in: &SignedIn| !signed_in.has_expired(now)))
    }
}
