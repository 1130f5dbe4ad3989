//! User accounts: creation by a tenant, setup links, passwords and time zones.
//!
//! An account is confined to the tenant that created it until its address is proven, by a link mailed
//! to the address or by the operator. An address has at most one proven account, which any tenant may
//! invite, and at most one account created by a given tenant.

mod creation;
pub mod invitation;
mod setup;
mod time_zone;

use contract::member::{PasswordChange, ResetRequest};
use entity::user as table;
use sea_orm::UpdateMany;

use crate::{
    SignedIn,
    access::{
        account_link,
        audit_logs::AuditLogs,
        mail::{self, Notice},
        password, second_factor,
        session::{self, Client},
    },
    base::prelude::*,
};

pub(crate) use self::creation::{
    create_or_renew, insert, is_known, map_insert_error, prove, visible_link,
};
pub use self::{
    creation::{create, read},
    setup::{is_link_valid, set_up},
    time_zone::set_time_zone,
};

/// Requests a mail with links to reset the passwords of an address.
///
/// The result and the response time are the same for every address: accounts are looked up when the
/// mail is sent.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn request_reset(cx: &Cx, request: ResetRequest) -> Result<()> {
    mail::queue_reset(cx, request.email).await
}

/// Changes the password of a signed-in user and ends all sessions of the user.
///
/// Each tenant of the user records an audit event. The caller must store the returned value in a new
/// session.
///
/// # Errors
/// `UNAUTHORIZED` for a wrong password, or when another request changes it at the same time;
/// `VALIDATION_ERROR` at `/new_password` for a weak password; `TOO_MANY_REQUESTS` after too many
/// failures.
pub async fn change_password(
    cx: &Cx,
    signed_in: &SignedIn,
    client: &Client,
    change: PasswordChange,
) -> Result<SignedIn> {
    let governance = &cx.governance;
    let user_id = signed_in.user_id;
    let email = session::check_password(governance, signed_in, client, change.password).await?;
    if let Some(weak) = password::validate(&change.new_password, &email) {
        return Err(invalid(&[FieldError { path: "/new_password".to_owned(), ..weak }]).into());
    }
    let salt = password::salt_of(governance, &email).await?;
    let hash = governance.access().passwords.hash(change.new_password, salt).await?;
    let cx = cx.with_person(Person { user_id, email });
    let logs = AuditLogs::of_user(governance, user_id).await?;
    let tx = logs.begin(&cx).await?;
    let generation = signed_in.password_generation;
    // The stored password must still be the one that was checked.
    let update =
        set_password(&cx, user_id, hash).filter(table::Column::PasswordGeneration.eq(generation));
    let changed = update.exec_with_returning(tx.connection()).await?;
    let password_generation = changed.first().ok_or_else(unauthorized)?.password_generation;
    session::end_all(tx.connection(), user_id).await?;
    // A link issued before the change must not replace the new password.
    account_link::revoke_all(tx.connection(), user_id).await?;
    let notice = Notice::PasswordChanged { at: cx.now };
    mail::notify(&tx, &cx, user_id, notice).await?;
    logs.commit(tx, &cx, &[Event::new("user.change_password", "user", user_id)]).await?;
    let signed_in = SignedIn { password_generation, ..*signed_in };
    // The password alone does not confirm the session of an account with a second factor.
    if second_factor::methods_of(governance, user_id).await?.is_empty() {
        return Ok(SignedIn { confirmed_at: cx.now, ..signed_in });
    }
    Ok(signed_in)
}

fn set_password(cx: &Cx, user_id: UserId, hash: String) -> UpdateMany<table::Entity> {
    let changes = table::ActiveModel {
        password_hash: Set(Some(hash)),
        password_changed_at: Set(Some(to_column(cx.now))),
        ..Default::default()
    };
    update_untenanted::<table::Entity>().set(changes).filter(table::Column::UserId.eq(user_id.0))
}
