//! Accounts of people: made by a tenant, opened by a link, and the password behind them.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    error::FieldError,
    id::{TenantId, UserId},
    member::{PasswordChange, SetUp, UserCreated, UserDraft},
    session::User,
};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use crate::{
    SignedIn,
    audit::Event,
    caller::Person,
    cx::Cx,
    error::{Noun, Result, invalid, log_in_failed, not_found},
    operator, password, permission, session,
    tenancy::{TenantTx, instant, statement},
};

/// How long a link waits to be used, in milliseconds: a week.
const LINK_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Makes a person without a password, who belongs to no tenant yet, and a link to choose one with.
/// Whoever was made here before and has no password yet gets a new link instead; the one before is
/// void.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `CONFLICT` when somebody else has the address: whoever may ask
/// learns the same of an invitation.
pub async fn create(cx: &Cx, draft: UserDraft) -> Result<UserCreated> {
    let tenant = cx.tenant(permission::CHANGE_MEMBERS)?;
    let token = URL_SAFE_NO_PAD.encode(cx.governance.chance().bytes::<32>());
    let digest = digest(cx, &token);
    let tx = tenant.begin().await?;
    let (user, event) = match renew(&tx, cx, &draft.email, &digest).await? {
        Some(user) => (user, "user.renew_link"),
        None => (insert(&tx, cx, draft, &digest).await?, "user.create"),
    };
    tx.commit(cx, Event::new(event, "user", user.id)).await?;
    let setup_url = cx.governance.link(&format!("/setup?token={token}"));
    Ok(UserCreated { user, setup_url })
}

/// What is kept of a token: without the server's secret it leads nowhere.
fn digest(cx: &Cx, token: &str) -> Vec<u8> {
    cx.governance.pepper().digest("setup", token.as_bytes()).to_vec()
}

const RENEW: &str = "UPDATE users SET setup_digest = $3, setup_expires_at = $4 \
     WHERE email = $2 AND password_hash IS NULL AND setup_tenant_id = $1 \
     RETURNING user_id, email, display_name";

/// Gives a new link to whoever was made in this tenant and never chose a password.
async fn renew(tx: &TenantTx, cx: &Cx, email: &str, digest: &[u8]) -> Result<Option<User>> {
    let row = [email.into(), digest.to_vec().into(), instant(cx.now.plus_millis(LINK_MS))];
    tx.one(RENEW, row).await?.as_ref().map(user).transpose()
}

const INSERT: &str = "INSERT INTO users (setup_tenant_id, user_id, email, display_name, created_at, \
     setup_digest, setup_expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";

async fn insert(tx: &TenantTx, cx: &Cx, draft: UserDraft, digest: &[u8]) -> Result<User> {
    let UserDraft { email, display_name } = draft;
    let user = User { id: cx.governance.chance().id(), email, display_name };
    let row = [
        user.id.0.into(),
        user.email.as_str().into(),
        user.display_name.as_str().into(),
        instant(cx.now),
        digest.to_vec().into(),
        instant(cx.now.plus_millis(LINK_MS)),
    ];
    tx.execute(INSERT, row).await.map_err(operator::taken)?;
    Ok(user)
}

const LINK: &str = "SELECT user_id, email, display_name, setup_tenant_id FROM users \
                    WHERE setup_digest = $1 AND setup_expires_at > $2";

const USE_LINK: &str = "UPDATE users SET password_hash = $3, password_changed_at = $4, \
     setup_digest = NULL, setup_expires_at = NULL \
     WHERE setup_tenant_id = $1 AND setup_digest = $2 AND setup_expires_at > $4";

/// Gives a person the first password, by the link: once. The person signs in with it afterwards.
///
/// # Errors
/// `NOT_FOUND` for a link that was never made, was used, was replaced or has expired: all look alike;
/// `VALIDATION_ERROR` at `/password` for a weak one, which leaves the link as it is.
pub async fn set_up(cx: &Cx, set_up: SetUp) -> Result<User> {
    let digest = digest(cx, &set_up.token);
    let no_link = || not_found(Noun::SetupLink);
    let link = statement(LINK, [digest.clone().into(), instant(cx.now)]);
    let row = cx.governance.database().query_one_raw(link).await?.ok_or_else(no_link)?;
    let user = user(&row)?;
    let tenant = TenantId(row.try_get_by_index::<Uuid>(3)?);
    if let Some(weak) = password::refuse(&set_up.password, &user.email) {
        return Err(invalid(&[weak]).into());
    }
    let hash = password::hash(set_up.password, cx.governance.chance()).await?;
    let cx = cx.by(Person { user_id: user.id, email: user.email.clone() });
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let spent = tx.execute(USE_LINK, [digest.into(), hash.into(), instant(cx.now)]).await?;
    if spent.rows_affected() == 0 {
        return Err(no_link().into());
    }
    tx.commit(&cx, Event::new("user.set_up", "user", user.id)).await?;
    Ok(user)
}

/// The person of a row that begins with id, address and name.
fn user(row: &QueryResult) -> Result<User> {
    Ok(User {
        id: UserId(row.try_get_by_index::<Uuid>(0)?),
        email: row.try_get_by_index(1)?,
        display_name: row.try_get_by_index(2)?,
    })
}

const SET_PASSWORD: &str =
    "UPDATE users SET password_hash = $2, password_changed_at = $3 WHERE user_id = $1";

/// Changes the password of a signed-in person, and ends all sessions of that person. Each tenant that
/// the person belongs to is told. What is given back is to be put into a session of its own.
///
/// # Errors
/// `UNAUTHORIZED` for a wrong password; `VALIDATION_ERROR` at `/new_password` for a weak one;
/// `TOO_MANY_REQUESTS` after five failures within a minute.
pub async fn change_password(
    cx: &Cx,
    signed_in: &SignedIn,
    ip: Option<IpAddr>,
    change: PasswordChange,
) -> Result<SignedIn> {
    let governance = &cx.governance;
    let person = signed_in.user_id;
    let row = session::user(governance, person).await?;
    let email: String = row.try_get_by_index(1)?;
    let mut failures = governance.failures().turn(&email, ip).await?;
    if !password::verify(change.password, row.try_get_by_index(3)?).await? {
        *failures += 1;
        return Err(log_in_failed().into());
    }
    if let Some(weak) = password::refuse(&change.new_password, &email) {
        return Err(invalid(&[FieldError { path: "/new_password".to_owned(), ..weak }]).into());
    }
    let hash = password::hash(change.new_password, governance.chance()).await?;
    let cx = cx.by(Person { user_id: person, email });
    let tenants = session::tenants(governance, person).await?;
    let mut tenants = tenants.into_iter();
    // Somebody who belongs nowhere stands in no log.
    let first = tenants.next();
    let mut tx = cx.tenant_unchecked(first.unwrap_or(TenantId(Uuid::nil()))).begin().await?;
    let set = [person.0.into(), hash.into(), instant(cx.now)];
    tx.connection().execute_raw(statement(SET_PASSWORD, set)).await?;
    tx.connection().execute_raw(statement(END_SESSIONS, [person.0.into()])).await?;
    let event = || Event::new("user.change_password", "user", person);
    for tenant in tenants {
        tx.also(event());
        tx = tx.go_on_in(&cx, tenant).await?;
    }
    match first {
        Some(_) => tx.commit(&cx, event()).await?,
        None => tx.settle().await?,
    }
    Ok(SignedIn { confirmed_at: cx.now, ..*signed_in })
}

const END_SESSIONS: &str = "DELETE FROM session_digests WHERE user_id = $1";

const AS_PERSON: &str = "SELECT set_config('app.user', $1, true)";

const END_SESSIONS_OF_NOBODY: &str = "DELETE FROM session_digests WHERE user_id = $1 \
     AND NOT EXISTS (SELECT FROM members WHERE user_id = $1)";

/// Ends the sessions of a person who belongs to no tenant any more. Those of somebody who still does
/// go on there: one tenant does not sign people out of another.
pub(crate) async fn end_sessions_of_nobody(tx: &TenantTx, person: UserId) -> Result<()> {
    // People see where they belong; so the transaction looks for this one, in all tenants.
    let see = statement(AS_PERSON, [person.to_string().into()]);
    tx.connection().query_one_raw(see).await?;
    let end = statement(END_SESSIONS_OF_NOBODY, [person.0.into()]);
    tx.connection().execute_raw(end).await?;
    Ok(())
}
