//! Resetting the second factors of a user who has lost them, by an admin or the operator.

use entity::user;

use super::change::delete_all;
use crate::{
    access::{
        audit_logs::AuditLogs,
        auth::lock_authority,
        mail::{self, FactorChange, Notice},
        membership, permission, session,
    },
    base::{error::account_not_confined, prelude::*},
};

/// Removes all second factors of a member whose account is confined to the tenant, and ends the sessions of the account.
/// The member signs in with the password and adds a factor again.
///
/// A proven account also gives access to other tenants, so only its owner and the operator can change its factors.
///
/// # Errors
/// `HUMAN_REQUIRED`, `FORBIDDEN`; `CONFIRMATION_REQUIRED`; `NOT_FOUND` for a user who is not a member; `FORBIDDEN` for
/// an account that is not confined to the tenant.
pub async fn reset(cx: &Cx, user_id: UserId) -> Result<()> {
    let tenant = cx.tenant(permission::RESET_SECOND_FACTORS)?;
    let tx = tenant.begin().await?;
    // Rows of accounts come before memberships in the lock order.
    let account = untenanted::<user::Entity>().filter(user::Column::UserId.eq(user_id.0));
    let account = account.lock_exclusive().one(tx.connection()).await?;
    lock_authority(&tx, cx, permission::RESET_SECOND_FACTORS).await?;
    let is_member = membership::lock_role(&tx, user_id).await?.is_some();
    let account = account.filter(|_| is_member).or_not_found(ResourceKind::Member)?;
    if account.confined_tenant_id != Some(tenant.id().0) {
        return Err(account_not_confined().into());
    }
    if !remove(&tx, cx, user_id).await? {
        return tx.finish_read().await;
    }
    tx.commit(cx, event(user_id)).await
}

/// Removes all second factors of an account for the operator: the account that `tenant` created for the address, or the
/// proven account of the address. Returns the ID of the account, and whether it had a factor.
///
/// # Errors
/// `NOT_FOUND` for an address without such an account.
pub(crate) async fn reset_by_operator(
    cx: &Cx,
    tenant: Option<TenantId>,
    email: &str,
) -> Result<(UserId, bool)> {
    let accounts = untenanted::<user::Entity>().filter(user::Column::Email.eq(email));
    let accounts = match tenant {
        Some(tenant) => accounts.filter(user::Column::ConfinedTenantId.eq(tenant.0)),
        None => accounts.filter(user::Column::ConfinedTenantId.is_null()),
    };
    let account = accounts.one(cx.governance.database()).await?;
    let account = account.or_not_found(ResourceKind::User)?;
    let user_id = UserId(account.user_id);
    let logs = AuditLogs::of_user(&cx.governance, user_id).await?;
    let tx = logs.begin(cx).await?;
    let locked = untenanted::<user::Entity>().filter(user::Column::UserId.eq(user_id.0));
    locked.lock_exclusive().one(tx.connection()).await?;
    let had_any = remove(&tx, cx, user_id).await?;
    let events = had_any.then(|| event(user_id));
    logs.commit(tx, cx, events.as_slice()).await?;
    Ok((user_id, had_any))
}

/// Removes the factors, ends the sessions and queues the notice. Returns whether the account had a factor.
async fn remove(tx: &TenantTx, cx: &Cx, user_id: UserId) -> Result<bool> {
    if !delete_all(tx.connection(), user_id).await? {
        return Ok(false);
    }
    session::end_all(tx.connection(), user_id).await?;
    let notice = Notice::SecondFactor { at: cx.now, change: FactorChange::Reset, name: None };
    mail::notify(tx, cx, user_id, notice).await?;
    Ok(true)
}

fn event(user_id: UserId) -> Event {
    Event::new("second_factor.reset", "user", user_id)
}
