//! User accounts: creation by a tenant, setup links, passwords and time zones.
//!
//! An account is confined to the tenant that created it until its address is proven, by a link mailed
//! to the address or by the operator. An address has at most one proven account, which any tenant may
//! invite, and at most one account created by a given tenant.

mod creation;
pub mod invitation;

use contract::{
    member::{AccountSetup, PasswordChange, ResetRequest},
    session::User,
};
use entity::user as table;
use sea_orm::{SelectExt, UpdateMany, sea_query::ExprTrait};

use crate::{
    SignedIn,
    access::{
        account_link::{self, Link, Purpose},
        audit_logs::AuditLogs,
        mail::{self, Notice},
        membership, password, second_factor,
        session::{self, Client},
        time_zone::TimeZone,
    },
    base::{error::address_proven, prelude::*},
};

pub use self::creation::{create, read};
pub(crate) use self::creation::{
    create_or_renew, insert, is_known, map_insert_error, prove, visible_link,
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

/// Changes the time zone of a signed-in user to the zone with an IANA name.
///
/// Each tenant of the user records an audit event. It has no details, because a time zone is personal data.
/// Without a change, nothing is recorded.
///
/// # Errors
/// `VALIDATION_ERROR` at `/time_zone` for an unknown name; `FORBIDDEN` for a session of an identity provider and an account
/// that other tenants share.
pub async fn set_time_zone(cx: &Cx, signed_in: &SignedIn, name: &str) -> Result<()> {
    let unknown = || invalid_field("/time_zone", "unknown", "is not the name of a time zone");
    let zone = TimeZone::from_name(name.trim()).ok_or_else(unknown)?;
    let governance = &cx.governance;
    let user_id = signed_in.user_id;
    let account = session::user(governance, user_id).await?;
    signed_in.require_whole_account(&account)?;
    let cx = cx.with_person(Person { user_id, email: account.email });
    let logs = signed_in.audit_logs(governance).await?;
    let tx = logs.begin(&cx).await?;
    let name = (zone != TimeZone::UTC).then(|| zone.name().to_owned());
    let column = table::Column::TimeZone;
    let is_other = match &name {
        Some(name) => column.is_null().or(column.ne(name.as_str())),
        None => column.is_not_null(),
    };
    let changes = table::ActiveModel { time_zone: Set(name), ..Default::default() };
    let update = update_untenanted::<table::Entity>().set(changes);
    let update = update.filter(table::Column::UserId.eq(user_id.0)).filter(is_other);
    let is_changed = update.exec(tx.connection()).await?.rows_affected > 0;
    let event = is_changed.then(|| Event::new("user.change_time_zone", "user", user_id));
    logs.commit(tx, &cx, event.as_slice()).await
}

/// Returns whether a link can still be used. Unknown, used, replaced and expired links are indistinguishable.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn is_link_valid(cx: &Cx, token: &str) -> Result<bool> {
    let digest = account_link::digest(&cx.governance, token);
    Ok(account_link::find(&cx.governance, &digest, cx.now).await?.is_some())
}

/// Sets the password of an account with a one-time link. All sessions of the account end and all its
/// other links become void. The user then signs in with the password.
///
/// A mailed link proves the address, so the account is no longer confined to the tenant that created
/// it, and loses the second factors that a reader of an earlier link may have added. An account that already had a password stays confined when the address has another proven
/// account. The first password of an account created by a tenant accepts the invitation of that tenant.
///
/// # Errors
/// - `NOT_FOUND` for a link that is unknown, used, replaced or expired. The cases are
///   indistinguishable.
/// - `VALIDATION_ERROR` at `/password` for a weak password.
/// - `CONFLICT` for the first password with a mailed link when the address has a proven account. The
///   user signs in with the proven account and accepts there.
///
/// After an error the link remains valid.
pub async fn set_up(cx: &Cx, request: AccountSetup) -> Result<User> {
    let governance = &cx.governance;
    let digest = account_link::digest(governance, &request.token);
    let link = account_link::find(governance, &digest, cx.now).await?.ok_or_else(no_link)?;
    if let Some(weak) = password::validate(&request.password, &link.user.email) {
        return Err(invalid(&[weak]).into());
    }
    let proves_address = proves_address(cx, &link).await?;
    let salt = password::salt_of(governance, &link.user.email).await?;
    let hash = governance.access().passwords.hash(request.password, salt).await?;
    let user_id = link.user.id;
    let cx = cx.with_person(Person { user_id, email: link.user.email.clone() });
    let logs = AuditLogs::new(affected_tenants(&cx, &link).await?);
    let mut tx = logs.begin(&cx).await?;
    if !account_link::consume(tx.connection(), digest, cx.now).await? {
        return Err(no_link().into());
    }
    account_link::revoke_all(tx.connection(), user_id).await?;
    // A link replaces any password, so the password generation is not compared.
    set_password(&cx, user_id, hash).exec(tx.connection()).await?;
    let had_second_factor = proves_address && creation::prove(&tx, user_id).await?;
    session::end_all(tx.connection(), user_id).await?;
    let action = match link.purpose {
        Purpose::SetUp => "user.set_up",
        Purpose::Reset => "user.reset_password",
    };
    if link.purpose == Purpose::Reset {
        let notice = Notice::PasswordChanged { at: cx.now };
        mail::notify(&tx, &cx, user_id, notice).await?;
    }
    accept_invitation(&mut tx, &link).await?;
    let mut events = vec![Event::new(action, "user", user_id)];
    events.extend(had_second_factor.then(|| Event::new("second_factor.reset", "user", user_id)));
    logs.commit(tx, &cx, &events).await?;
    Ok(link.user)
}

fn no_link() -> crate::Refusal {
    not_found(ResourceKind::SetupLink)
}

async fn proves_address(cx: &Cx, link: &Link) -> Result<bool> {
    if !link.is_mailed || link.confined_to.is_none() {
        return Ok(false);
    }
    let proven = untenanted::<table::Entity>()
        .filter(table::Column::Email.eq(link.user.email.as_str()))
        .filter(table::Column::ConfinedTenantId.is_null());
    let has_proven = proven.exists(cx.governance.database()).await?;
    if has_proven && !link.has_password {
        // A second proven account with the same address would be ambiguous.
        return Err(address_proven().into());
    }
    Ok(!has_proven)
}

/// Returns the tenants whose audit logs record the use of a link, in the lock order of their heads.
async fn affected_tenants(cx: &Cx, link: &Link) -> Result<Vec<TenantId>> {
    let mut tenants = membership::tenants_of(&cx.governance, link.user.id).await?;
    let tenant = match link.purpose {
        Purpose::SetUp => link.created_by,
        Purpose::Reset => link.confined_to,
    };
    tenants.extend(tenant.filter(|tenant| !tenants.contains(tenant)));
    tenants.sort_unstable();
    Ok(tenants)
}

/// Accepts the invitation of the tenant that the account was confined to. Choosing the first password
/// accepts it.
async fn accept_invitation(tx: &mut TenantTx, link: &Link) -> Result<()> {
    match (link.purpose, link.confined_to) {
        (Purpose::SetUp, Some(tenant)) if tenant == tx.tenant_id() => {
            membership::activate(tx, link.user.id).await
        }
        _ => Ok(()),
    }
}
