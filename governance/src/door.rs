//! The door: is this key still good, is this person still a member, and is what we cached still
//! current?

mod again;
mod authority;
mod keys;
mod uses;

use contract::{id::TenantId, scope::Role};
use sea_orm::ConnectionTrait;

pub(crate) use self::{
    authority::lock_authority,
    keys::{KEY_PREFIX, key, key_digest},
    uses::write as write_uses,
};
use self::{
    keys::{Kept, KeyDigest},
    uses::Uses,
};
use crate::{
    Governance,
    caller::Human,
    database,
    error::{Error, Result, foreign_tenant},
    session::SignedIn,
    shared::Shared,
    tenancy::{see_tenant, statement},
};

/// The door of a process: who waits at it, and what was noted of those who went in.
#[derive(Debug, Default)]
pub(crate) struct Door {
    keys: Shared<KeyDigest, Kept>,
    uses: Uses,
}

// SQL: read for every request of a signed-in person.
const MEMBER: &str = "SELECT m.role, u.email, h.activation_counter FROM members m \
                      JOIN users u ON u.user_id = m.user_id \
                      JOIN tenant_heads h ON h.tenant_id = m.tenant_id \
                      WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.status = 'active'";

/// Lets a signed-in person into a tenant.
///
/// # Errors
/// `FORBIDDEN` when the person does not belong to it.
pub(crate) async fn human(
    governance: &Governance,
    signed_in: &SignedIn,
    tenant: TenantId,
) -> Result<Human> {
    let tx = database::begin(governance.database()).await?;
    see_tenant(&tx, tenant).await?;
    let look_up = statement(MEMBER, [tenant.0.into(), signed_in.user_id.0.into()]);
    let row = tx.query_one_raw(look_up).await?;
    tx.rollback().await?;
    let row = row.ok_or_else(foreign_tenant)?;
    let role: String = row.try_get_by_index(0)?;
    Ok(Human {
        tenant_id: tenant,
        user_id: signed_in.user_id,
        role: role.parse::<Role>().map_err(|()| Error::bug("a role that does not exist"))?,
        email: row.try_get_by_index(1)?,
        confirmed_at: signed_in.confirmed_at,
        activations: row.try_get_by_index(2)?,
    })
}
