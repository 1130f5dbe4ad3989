//! Accounts of people: made by a tenant, opened by a link, and the password behind them.
//!
//! An account is confined to the tenant that made it until its address is proven, by a link that was mailed
//! to it or by the operator. An address has at most one proven account, which any tenant may invite, and at
//! most one account that a given tenant made.

pub mod invitation;
pub(crate) mod link;
mod made;
mod opened;

use contract::{
    error::FieldError,
    id::{TenantId, UserId},
    member::{PasswordChange, ResetRequest},
    session::User,
};
use entity::{column::at, session_digest, user as table};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, UpdateMany};
use uuid::Uuid;

use crate::{
    SignedIn,
    audit::Event,
    caller::Person,
    cx::Cx,
    database::{delete_untenanted, update_untenanted},
    error::{Result, invalid, unauthorized},
    mail::{self, Notice},
    password,
    session::{self, Client},
    tenancy::{TenantTx, see_places_of, statement},
};

pub(crate) use self::made::{insert, is_known, prove, taken};
pub use self::{
    made::{create, create_member},
    opened::set_up,
};

/// Returns the person of a row.
fn user(row: table::Model) -> User {
    User { id: UserId(row.user_id), email: row.email, display_name: row.display_name }
}

/// Asks for a mail with which the passwords of an address can be reset. The outcome is the same for every
/// address, and takes the same time: whether it has an account is looked up when the mail is sent.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn request_reset(cx: &Cx, request: ResetRequest) -> Result<()> {
    mail::queue_reset(&cx.governance, cx.now, request.email).await
}

/// Changes the password of a signed-in person, and ends all sessions of that person. Each tenant that
/// the person belongs to is told. What is given back is to be put into a session of its own.
///
/// # Errors
/// `UNAUTHORIZED` for a wrong password, or when another request changes it at the same time;
/// `VALIDATION_ERROR` at `/new_password` for a weak one; `TOO_MANY_REQUESTS` after too many failures.
pub async fn change_password(
    cx: &Cx,
    signed_in: &SignedIn,
    client: &Client,
    change: PasswordChange,
) -> Result<SignedIn> {
    let governance = &cx.governance;
    let person = signed_in.user_id;
    let email = session::check_password(governance, signed_in, client, change.password).await?;
    if let Some(weak) = password::refuse(&change.new_password, &email) {
        return Err(invalid(&[FieldError { path: "/new_password".to_owned(), ..weak }]).into());
    }
    let salt = password::salt_of(governance, &email).await?;
    let hash = governance.passwords().hash(change.new_password, salt).await?;
    let cx = cx.by(Person { user_id: person, email });
    let tenants = session::tenants(governance, person).await?;
    let mut tenants = tenants.into_iter();
    // Somebody who belongs nowhere stands in no log.
    let first = tenants.next();
    let mut tx = cx.tenant_unchecked(first.unwrap_or(TenantId(Uuid::nil()))).begin().await?;
    let generation = signed_in.password_generation;
    // The password must still be the one that was checked.
    let set =
        set_password(&cx, person, hash).filter(table::Column::PasswordGeneration.eq(generation));
    let changed = set.exec_with_returning(tx.connection()).await?;
    let password_generation = changed.first().ok_or_else(unauthorized)?.password_generation;
    end_sessions(tx.connection(), person).await?;
    // A link for the password before is no way past the new one.
    link::void(tx.connection(), person).await?;
    let notice = Notice::PasswordChanged { at: cx.now };
    mail::notify(governance, tx.connection(), cx.now, person, notice).await?;
    let event = || Event::new("user.change_password", "user", person);
    for tenant in tenants {
        tx.also(event());
        tx = tx.go_on_in(&cx, tenant).await?;
    }
    match first {
        Some(_) => tx.commit(&cx, event()).await?,
        None => tx.settle().await?,
    }
    Ok(SignedIn { confirmed_at: cx.now, password_generation, ..*signed_in })
}

/// Returns the change of a person's password to the one with this hash.
fn set_password(cx: &Cx, person: UserId, hash: String) -> UpdateMany<table::Entity> {
    let set = table::ActiveModel {
        password_hash: Set(Some(hash)),
        password_changed_at: Set(Some(at(cx.now))),
        ..Default::default()
    };
    update_untenanted::<table::Entity>().set(set).filter(table::Column::UserId.eq(person.0))
}

/// Ends all sessions of a person.
async fn end_sessions(connection: &impl ConnectionTrait, person: UserId) -> Result<()> {
    let sessions = delete_untenanted::<session_digest::Entity>();
    sessions.filter(session_digest::Column::UserId.eq(person.0)).exec(connection).await?;
    Ok(())
}

// SQL: the deletion depends on rows of another table.
const END_SESSIONS_OF_NOBODY: &str = "DELETE FROM session_digests WHERE user_id = $1 \
     AND NOT EXISTS (SELECT FROM members WHERE user_id = $1 AND status = 'active')";

/// Ends the sessions of a person who belongs to no tenant any more. Those of somebody who still does
/// go on there: one tenant does not sign people out of another.
pub(crate) async fn end_sessions_of_nobody(tx: &TenantTx, person: UserId) -> Result<()> {
    // People see where they belong; so the transaction looks for this one, in all tenants.
    see_places_of(tx.connection(), person).await?;
    let end = statement(END_SESSIONS_OF_NOBODY, [person.0.into()]);
    tx.connection().execute_raw(end).await?;
    Ok(())
}
