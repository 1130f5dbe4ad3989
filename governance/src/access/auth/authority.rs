//! Repeats the authorization of the caller and locks its basis until a transaction ends.

use contract::member::Member;
use entity::{api_key, member, user};
use sea_orm::sea_query::ExprTrait;

use crate::{
    access::{
        membership::{self, MembershipRow},
        permission::Permission,
    },
    base::{
        caller::ApiKeyCaller,
        error::{role_lacks_permission, tenant_mismatch},
        prelude::*,
    },
};

/// Repeats the authorization for `permission` and locks the rows that it depends on: the membership of
/// the user, and the row of the calling key. A concurrent removal, role change or revocation waits for
/// this transaction, or is seen here.
///
/// Call it before any other row is locked: memberships come first in the lock order.
///
/// # Errors
/// `FORBIDDEN` for a user who lost the membership or the right; `UNAUTHORIZED` for a key that was
/// revoked; `CONFLICT` for a key that was transferred.
pub(crate) async fn lock_authority(tx: &TenantTx, cx: &Cx, permission: Permission) -> Result<()> {
    match &cx.caller {
        Caller::Human(human) => lock_human(tx, human, permission).await,
        Caller::Key(key) => lock_key(tx, key).await,
        _ => Ok(()),
    }
}

async fn lock_human(tx: &TenantTx, human: &Human, permission: Permission) -> Result<()> {
    let role = membership::lock_role(tx, human.user_id).await?.ok_or_else(tenant_mismatch)?;
    if role.has(permission.right) {
        return Ok(());
    }
    Err(role_lacks_permission(permission.name, permission.right, role).into())
}

async fn lock_key(tx: &TenantTx, key: &ApiKeyCaller) -> Result<()> {
    if let Some(owner) = key.owner {
        membership::lock_role(tx, owner).await?;
    }
    let rows = tx.find_by_id::<api_key::Entity>(key.id);
    let row = rows.lock_shared().one(tx.connection()).await?;
    let row = row.filter(|row| row.revoked_at.is_none()).ok_or_else(unauthorized)?;
    if row.owner.map(UserId) == key.owner {
        return Ok(());
    }
    Err(conflict("the key was transferred to another user; send the request again").into())
}

/// Locks the memberships of an email address and that of the caller, and repeats the authorization of
/// the caller. Rows of accounts come before memberships in the lock order.
///
/// # Errors
/// As [`lock_authority`].
pub(crate) async fn lock_inviter(
    tx: &TenantTx,
    cx: &Cx,
    permission: Permission,
    email: &str,
) -> Result<()> {
    let invited = user::Column::Email.eq(email);
    lock_memberships(tx, cx, permission, invited).await.map(drop)
}

/// Locks the memberships that match `condition` and that of the caller, repeats the authorization of the
/// caller and returns the memberships.
pub(crate) async fn lock_memberships(
    tx: &TenantTx,
    cx: &Cx,
    permission: Permission,
    condition: Expr,
) -> Result<Vec<Member>> {
    let is_caller = member::Column::UserId.eq_any(cx.caller.person().map(|person| person.0));
    let rows = membership::of_tenant(tx).filter(condition.or(is_caller));
    // A fixed order prevents deadlocks.
    let rows =
        membership::locked(rows.order_by_asc(member::Column::UserId)).into_model::<MembershipRow>();
    let rows = rows.all(tx.connection()).await?;
    lock_authority(tx, cx, permission).await?;
    Ok(rows.into_iter().map(Member::from).collect())
}
