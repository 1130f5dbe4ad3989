//! The caller's authority once more, locked until a transaction ends.

use contract::id::UserId;
use entity::api_key;
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};

use crate::{
    caller::{Caller, Human, Key},
    cx::Cx,
    error::{Result, conflict, foreign_tenant, role_lacks, unauthorized},
    member,
    permission::Permission,
    tenancy::TenantTx,
};

/// Checks once more that the caller may do what `permission` names, and locks what that depends on: the
/// membership of the person, and the row of the calling key. A removal, a change of role or a revocation
/// at the same time waits for this transaction, or has come first and is seen here.
///
/// To be called before any other row is locked: memberships come first in the order of locks.
///
/// # Errors
/// `FORBIDDEN` for a person who lost membership or right; `UNAUTHORIZED` for a key that was revoked;
/// `CONFLICT` for a key that was transferred.
pub(crate) async fn lock_authority(tx: &TenantTx, cx: &Cx, permission: Permission) -> Result<()> {
    match &cx.caller {
        Caller::Human(human) => lock_human(tx, human, permission).await,
        Caller::Key(key) => lock_key(tx, key).await,
        _ => Ok(()),
    }
}

async fn lock_human(tx: &TenantTx, human: &Human, permission: Permission) -> Result<()> {
    let role = member::lock_role(tx, human.user_id).await?.ok_or_else(foreign_tenant)?;
    if role.may(permission.right) {
        return Ok(());
    }
    Err(role_lacks(permission.name, role.as_str()).into())
}

async fn lock_key(tx: &TenantTx, key: &Key) -> Result<()> {
    if let Some(owner) = key.owner {
        member::lock_role(tx, owner).await?;
    }
    let rows = tx.find::<api_key::Entity>().filter(api_key::Column::Id.eq(key.id.0));
    let row = rows.lock_shared().one(tx.connection()).await?;
    let row = row.filter(|row| row.revoked_at.is_none()).ok_or_else(unauthorized)?;
    if row.owner.map(UserId) == key.owner {
        return Ok(());
    }
    Err(conflict("the key was transferred to another person; send the request again").into())
}
