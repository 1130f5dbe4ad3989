//! People at the door: signing in and out, and the store behind the cookie.

mod store;
mod token;

use std::{net::IpAddr, sync::Arc, time::Duration};

use contract::{
    id::{TenantId, UserId},
    scope::Role,
    session::{Confirm, LogIn, Membership, Session, User},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, QueryResult};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, OwnedMutexGuard};
use uuid::Uuid;

use crate::{
    Governance,
    cx::Cx,
    database,
    error::{Error, Result, log_in_failed, too_many_attempts, unauthorized},
    password,
    tenancy::statement,
};

pub use self::{store::SessionStore, token::Token};

/// A signed-in person, as the cookie's session remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    /// The person.
    pub user_id: UserId,
    /// When the person signed in.
    pub signed_in_at: Timestamp,
    /// When the password was last asked for.
    pub confirmed_at: Timestamp,
    /// When the session was last used, to the minute.
    pub seen_at: Timestamp,
}

/// How long an unused session lives: 30 minutes (contract, section 2).
pub const IDLE: Duration = Duration::from_mins(30);

/// How long any session lives, in milliseconds: 12 hours (contract, section 2).
const ABSOLUTE_MS: i64 = 12 * 60 * 60 * 1_000;

/// How stale `seen_at` may grow before it is written again, in milliseconds: a minute.
const SEEN_MS: i64 = 60 * 1_000;

/// The member of a session's data that holds who is signed in.
const SIGNED_IN: &str = "signed_in";

/// Failed sign-ins, counted for a minute by account and address.
#[derive(Clone, Debug)]
pub(crate) struct Failures(moka::sync::Cache<(String, Option<IpAddr>), Arc<Mutex<u32>>>);

/// How many failures a minute an account and address may have (contract, section 2).
const FAILURES_MAX: u32 = 5;

/// How many accounts and addresses are remembered; the oldest are forgotten first.
const FAILURES_KEPT: u64 = 100_000;

impl Default for Failures {
    fn default() -> Self {
        let minute = Duration::from_mins(1);
        Self(moka::sync::Cache::builder().max_capacity(FAILURES_KEPT).time_to_live(minute).build())
    }
}

impl Failures {
    /// The count of an account and address, held while a password is checked: attempts take turns,
    /// so that guessing at once gives no more guesses.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS` after five failures.
    pub(crate) async fn turn(
        &self,
        email: &str,
        ip: Option<IpAddr>,
    ) -> Result<OwnedMutexGuard<u32>> {
        let count = self.0.get_with((email.to_owned(), ip), Arc::default).lock_owned().await;
        if *count >= FAILURES_MAX { Err(too_many_attempts(60).into()) } else { Ok(count) }
    }
}

const USER_BY_EMAIL: &str = "SELECT user_id, password_hash FROM users WHERE email = $1";

const USER: &str =
    "SELECT user_id, email, display_name, password_hash FROM users WHERE user_id = $1";

/// Checks an e-mail address and a password.
///
/// # Errors
/// `UNAUTHORIZED` when either is wrong, in the same words and the same time; `TOO_MANY_REQUESTS`
/// after five failures within a minute.
pub async fn log_in(
    governance: &Governance,
    ip: Option<IpAddr>,
    log_in: LogIn,
) -> Result<SignedIn> {
    let email = log_in.email.trim().to_lowercase();
    let mut failures = governance.failures().turn(&email, ip).await?;
    let row = governance
        .database()
        .query_one_raw(statement(USER_BY_EMAIL, [email.as_str().into()]))
        .await?;
    let (user_id, hash) = match row {
        Some(row) => (Some(row.try_get_by_index::<Uuid>(0)?), row.try_get_by_index(1)?),
        None => (None, None),
    };
    let good = password::verify(log_in.password, hash).await?;
    let Some(user_id) = user_id.filter(|_| good) else {
        *failures += 1;
        return Err(log_in_failed().into());
    };
    let now = governance.clock().now();
    Ok(SignedIn { user_id: UserId(user_id), signed_in_at: now, confirmed_at: now, seen_at: now })
}

/// Asks for the password again, before a signing act.
///
/// # Errors
/// `UNAUTHORIZED` when it is wrong; `TOO_MANY_REQUESTS` after five failures within a minute.
pub async fn confirm(
    governance: &Governance,
    signed_in: &SignedIn,
    ip: Option<IpAddr>,
    confirm: Confirm,
) -> Result<SignedIn> {
    let row = user(governance, signed_in.user_id).await?;
    let email: String = row.try_get_by_index(1)?;
    let mut failures = governance.failures().turn(&email, ip).await?;
    if !password::verify(confirm.password, row.try_get_by_index(3)?).await? {
        *failures += 1;
        return Err(log_in_failed().into());
    }
    Ok(SignedIn { confirmed_at: governance.clock().now(), ..*signed_in })
}

/// The person's id, address, name and hash of the password, in that order.
pub(crate) async fn user(governance: &Governance, user_id: UserId) -> Result<QueryResult> {
    let row = governance.database().query_one_raw(statement(USER, [user_id.0.into()])).await?;
    Ok(row.ok_or_else(unauthorized)?)
}

const SET_USER: &str = "SELECT set_config('app.user', $1, true)";

const MEMBERSHIPS: &str = "SELECT m.tenant_id, t.name, m.role FROM members m \
                           JOIN tenants t ON t.tenant_id = m.tenant_id \
                           WHERE m.user_id = $1 ORDER BY t.name, m.tenant_id";

/// The signed-in person and the tenants that the person belongs to.
///
/// # Errors
/// `UNAUTHORIZED` when the person is gone.
pub async fn who(governance: &Governance, signed_in: &SignedIn) -> Result<Session> {
    let row = user(governance, signed_in.user_id).await?;
    let tx = database::begin(governance.database()).await?;
    let user_id = signed_in.user_id;
    tx.query_one_raw(statement(SET_USER, [user_id.to_string().into()])).await?;
    let rows = tx.query_all_raw(statement(MEMBERSHIPS, [user_id.0.into()])).await?;
    tx.rollback().await?;
    Ok(Session {
        user: User {
            id: user_id,
            email: row.try_get_by_index(1)?,
            display_name: row.try_get_by_index(2)?,
        },
        memberships: rows.iter().map(membership).collect::<Result<_>>()?,
    })
}

const TENANTS: &str = "SELECT tenant_id FROM members WHERE user_id = $1 ORDER BY tenant_id";

/// The tenants that a person belongs to, in the order in which their heads are locked.
pub(crate) async fn tenants(governance: &Governance, person: UserId) -> Result<Vec<TenantId>> {
    let tx = database::begin(governance.database()).await?;
    tx.query_one_raw(statement(SET_USER, [person.to_string().into()])).await?;
    let rows = tx.query_all_raw(statement(TENANTS, [person.0.into()])).await?;
    tx.rollback().await?;
    rows.iter().map(|row| Ok(TenantId(row.try_get_by_index(0)?))).collect()
}

fn membership(row: &QueryResult) -> Result<Membership> {
    let role: String = row.try_get_by_index(2)?;
    Ok(Membership {
        tenant_id: TenantId(row.try_get_by_index(0)?),
        tenant_name: row.try_get_by_index(1)?,
        role: role.parse::<Role>().map_err(|()| Error::bug("a role that does not exist"))?,
    })
}

/// Puts a signed-in person into the cookie's session, under a new token.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn begin(session: &tower_sessions::Session, signed_in: &SignedIn) -> Result<()> {
    session.cycle_id().await.map_err(store_fault)?;
    session.insert(SIGNED_IN, signed_in).await.map_err(store_fault)
}

/// Forgets who is signed in, and the cookie's session with it.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn end(session: &tower_sessions::Session) -> Result<()> {
    session.flush().await.map_err(store_fault)
}

/// Who is signed in, if anybody: the session is neither idle for too long nor too old.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn current(
    governance: &Governance,
    session: &tower_sessions::Session,
) -> Result<Option<SignedIn>> {
    let signed_in: Option<SignedIn> = session.get(SIGNED_IN).await.map_err(store_fault)?;
    let Some(mut signed_in) = signed_in else { return Ok(None) };
    let now = governance.clock().now();
    if signed_in.is_over(now) {
        end(session).await?;
        return Ok(None);
    }
    if since(signed_in.seen_at, now) > SEEN_MS {
        signed_in.seen_at = now;
        session.insert(SIGNED_IN, &signed_in).await.map_err(store_fault)?;
    }
    Ok(Some(signed_in))
}

impl SignedIn {
    /// Whether the session has been idle for too long, or is too old.
    fn is_over(&self, now: Timestamp) -> bool {
        let idle_ms = i64::try_from(IDLE.as_millis()).unwrap_or(i64::MAX);
        since(self.signed_in_at, now) > ABSOLUTE_MS || since(self.seen_at, now) > idle_ms
    }
}

/// Milliseconds.
const fn since(at: Timestamp, now: Timestamp) -> i64 {
    now.millis().saturating_sub(at.millis())
}

fn store_fault(error: tower_sessions::session::Error) -> Error {
    Error::Unavailable { retry_after: Duration::from_secs(2), cause: error.into() }
}

impl Cx {
    /// The sign-in behind this operation, when a person asks.
    pub fn user_id(&self) -> Option<UserId> {
        self.human().ok().map(|human| human.user_id)
    }
}
