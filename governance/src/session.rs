//! People at the door: signing in and out, and the store behind the cookie.

mod active;
mod events;
mod networks;
mod store;
mod token;

use std::{net::IpAddr, time::Duration};

use contract::{
    id::{SessionId, TenantId, UserId},
    member::MemberStatus,
    scope::Role,
    session::{Confirm, LogIn, Membership, Session, User},
    time::Timestamp,
};
use entity::{
    column::Word,
    member as members, tenant,
    user::{self as table, Column},
};
use sea_orm::{ColumnTrait, JoinType, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};
use tower_sessions::session_store;
use uuid::Uuid;

use crate::{
    Governance,
    attempts::{self, Subject},
    cx::Cx,
    database::{self, untenanted},
    error::{Error, Result, log_in_failed, unauthorized},
    member, network,
    tenancy::see_places_of,
};

pub use self::{
    active::{end_one, end_others, list},
    store::SessionStore,
    token::Token,
};

/// A signed-in person, as the cookie's session remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    /// The person.
    pub user_id: UserId,
    /// The session, as its owner finds it; not the token.
    #[serde(default = "no_session")]
    pub session_id: SessionId,
    /// The number of the password that the person signed in with.
    #[serde(default)]
    pub password_generation: i64,
    /// When the person signed in.
    pub signed_in_at: Timestamp,
    /// When the password was last asked for.
    pub confirmed_at: Timestamp,
    /// When the session was last used, to the minute.
    pub seen_at: Timestamp,
}

/// The id of a session from before sessions had one.
fn no_session() -> SessionId {
    SessionId(Uuid::nil())
}

/// The client that a person signs in with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Its network address.
    pub address: Option<IpAddr>,
    /// Its user agent, as it names itself.
    pub user_agent: Option<String>,
}

/// The most characters of a user agent that are stored.
const USER_AGENT_MAX: usize = 300;

impl Client {
    /// Returns a client at `address` with the text of its `User-Agent` header.
    pub fn new(address: Option<IpAddr>, user_agent: Option<&str>) -> Self {
        let shortened = |text: &str| {
            text.chars().filter(|c| !c.is_control()).take(USER_AGENT_MAX).collect::<String>()
        };
        let user_agent = user_agent.map(shortened).filter(|text| !text.is_empty());
        Self { address, user_agent }
    }

    /// Returns the network block of the address.
    pub(crate) fn network(&self) -> Option<String> {
        self.address.map(network::block_text)
    }
}

/// How long an unused session lives: 30 minutes (contract, section 2).
pub const IDLE: Duration = Duration::from_mins(30);

/// How long any session lives, in milliseconds: 12 hours (contract, section 2).
const ABSOLUTE_MS: i64 = 12 * 60 * 60 * 1_000;

/// How stale `seen_at` may grow before it is written again, in milliseconds: a minute.
const SEEN_MS: i64 = 60 * 1_000;

/// The member of a session's data that holds who is signed in.
const SIGNED_IN: &str = "signed_in";

/// Checks an e-mail address and a password. An address may have several accounts: the password names
/// which one is meant, and the first one wins where two have the same.
///
/// # Errors
/// `UNAUTHORIZED` when either is wrong, in the same words and the same time; `TOO_MANY_REQUESTS` after
/// too many failures ([`attempts`]); `SERVICE_UNAVAILABLE` when too many passwords wait to be checked.
pub async fn log_in(governance: &Governance, client: &Client, log_in: LogIn) -> Result<SignedIn> {
    let email = log_in.email.trim().to_lowercase();
    // The accounts of the address with a password, in the order in which a password is tried.
    let accounts = untenanted::<table::Entity>()
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::PasswordHash.is_not_null())
        .order_by_asc(Column::ConfinedTenantId.is_not_null())
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::UserId);
    let rows = accounts.all(governance.database()).await?;
    let hashes = rows.iter().filter_map(|row| row.password_hash.clone()).collect();
    let subject = Subject::Account(&email);
    let password = log_in.password;
    let found = attempts::check(governance, subject, client.address, password, hashes).await?;
    let Some(row) = found.and_then(|index| rows.get(index)) else {
        let accounts = rows.iter().map(|row| UserId(row.user_id)).collect();
        events::failed(governance, accounts, client);
        return Err(log_in_failed().into());
    };
    Ok(SignedIn {
        session_id: governance.chance().id(),
        password_generation: row.password_generation,
        ..SignedIn::of(UserId(row.user_id), governance.clock().now())
    })
}

/// Asks for the password again, before a signing act.
///
/// # Errors
/// `UNAUTHORIZED` when it is wrong; otherwise as [`log_in`].
pub async fn confirm(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    confirm: Confirm,
) -> Result<SignedIn> {
    check_password(governance, signed_in, client, confirm.password).await?;
    Ok(SignedIn { confirmed_at: governance.clock().now(), ..*signed_in })
}

/// Checks the password of a signed-in person. Returns the person's address.
///
/// # Errors
/// As [`confirm`].
pub(crate) async fn check_password(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    password: String,
) -> Result<String> {
    let table::Model { email, password_hash: hash, .. } =
        user(governance, signed_in.user_id).await?;
    let subject = Subject::Account(&email);
    if attempts::verify(governance, subject, client.address, password, hash).await? {
        return Ok(email);
    }
    events::failed(governance, vec![signed_in.user_id], client);
    Err(log_in_failed().into())
}

/// The account of a person.
pub(crate) async fn user(governance: &Governance, user_id: UserId) -> Result<table::Model> {
    let row = untenanted::<table::Entity>().filter(Column::UserId.eq(user_id.0));
    Ok(row.one(governance.database()).await?.ok_or_else(unauthorized)?)
}

/// The signed-in person and the tenants that the person belongs to.
///
/// # Errors
/// `UNAUTHORIZED` when the person is gone.
pub async fn who(governance: &Governance, signed_in: &SignedIn) -> Result<Session> {
    let row = user(governance, signed_in.user_id).await?;
    let tx = database::begin(governance.database()).await?;
    let user_id = signed_in.user_id;
    see_places_of(&tx, user_id).await?;
    let memberships = member::places_of(user_id, MemberStatus::Active)
        .join(JoinType::InnerJoin, member::tenant())
        .order_by_asc(tenant::Column::Name)
        .order_by_asc(members::Column::TenantId)
        .select_only()
        .columns([members::Column::TenantId, members::Column::Role])
        .column(tenant::Column::Name);
    let memberships: Vec<(Uuid, Word<Role>, String)> = memberships.into_tuple().all(&tx).await?;
    tx.rollback().await?;
    let membership = |(tenant_id, role, tenant_name): (Uuid, Word<Role>, String)| Membership {
        tenant_id: TenantId(tenant_id),
        tenant_name,
        role: role.0,
    };
    Ok(Session {
        user: User { id: user_id, email: row.email, display_name: row.display_name },
        memberships: memberships.into_iter().map(membership).collect(),
    })
}

/// The tenants that a person belongs to, in the order in which their heads are locked.
pub(crate) async fn tenants(governance: &Governance, person: UserId) -> Result<Vec<TenantId>> {
    let tx = database::begin(governance.database()).await?;
    see_places_of(&tx, person).await?;
    let places = member::places_of(person, MemberStatus::Active)
        .order_by_asc(members::Column::TenantId)
        .all(&tx)
        .await?;
    tx.rollback().await?;
    Ok(places.into_iter().map(|place| TenantId(place.tenant_id)).collect())
}

/// Begins a session for a person who has just signed in, under a new token. The tenants of the person get
/// an audit event of it.
///
/// # Errors
/// `UNAUTHORIZED` when the password was changed since it was checked; `SERVICE_UNAVAILABLE` when the
/// store is away.
pub async fn begin(
    session: &tower_sessions::Session,
    signed_in: &SignedIn,
    client: &Client,
) -> Result<()> {
    // Nothing of a session that the browser had before goes on.
    session.clear().await;
    session.insert(store::BEGINS, true).await.map_err(store_fault)?;
    session.insert(store::CLIENT, client).await.map_err(store_fault)?;
    renew(session, signed_in).await
}

/// Goes on with a session under a new token, after the person has confirmed or changed the password.
///
/// # Errors
/// As [`begin`].
pub async fn renew(session: &tower_sessions::Session, signed_in: &SignedIn) -> Result<()> {
    session.cycle_id().await.map_err(store_fault)?;
    session.insert(SIGNED_IN, signed_in).await.map_err(store_fault)?;
    match session.save().await {
        Ok(()) => Ok(()),
        Err(error) => {
            // Without its data, nothing tries to store it again.
            session.clear().await;
            let is_void = matches!(&error, tower_sessions::session::Error::Store(
                session_store::Error::Backend(cause)) if cause == store::VOID);
            Err(if is_void { unauthorized().into() } else { store_fault(error) })
        }
    }
}

/// Ends the cookie's session, if it has one. The tenants of the person get an audit event of it.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn end(governance: &Governance, session: &tower_sessions::Session) -> Result<()> {
    let signed_in: Option<SignedIn> = session.get(SIGNED_IN).await.map_err(store_fault)?;
    if let Some(signed_in) = signed_in {
        active::end_current(governance, &signed_in).await?;
    }
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
        session.flush().await.map_err(store_fault)?;
        return Ok(None);
    }
    if since(signed_in.seen_at, now) > SEEN_MS {
        signed_in.seen_at = now;
        session.insert(SIGNED_IN, &signed_in).await.map_err(store_fault)?;
    }
    Ok(Some(signed_in))
}

/// Reads the cookie's session from the store again: one that was ended meanwhile is empty.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn reload(session: &tower_sessions::Session) -> Result<()> {
    if session.id().is_none() {
        return Ok(());
    }
    session.load().await.map_err(store_fault)
}

impl SignedIn {
    /// Returns a sign-in at `now` that no stored session belongs to.
    pub fn of(user_id: UserId, now: Timestamp) -> Self {
        Self {
            user_id,
            session_id: no_session(),
            password_generation: 0,
            signed_in_at: now,
            confirmed_at: now,
            seen_at: now,
        }
    }

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
