//! Choosing a password with a link: the first password, or a new one after a reset.

use contract::{member::AccountSetup, session::User};
use entity::user as table;
use sea_orm::SelectExt;

use super::{creation, set_password};
use crate::{
    access::{
        account_link::{self, Link, Purpose},
        audit_logs::AuditLogs,
        mail::{self, Notice},
        membership, password, session,
    },
    base::{error::address_proven, prelude::*},
};

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
