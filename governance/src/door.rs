//! The door: is this key still good, is this person still a member, and is what we cached still
//! current? One statement each.

mod again;

use contract::{
    id::{ApiKeyId, TenantId, UserId},
    scope::{Role, Scope},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, QueryResult, TransactionTrait, prelude::DateTimeUtc};
use uuid::Uuid;

use crate::{
    Governance,
    caller::{Human, Key},
    error::{Error, Result, foreign_tenant, unauthorized},
    session::SignedIn,
    tenancy::statement,
};

/// The fixed start of every key.
pub(crate) const KEY_PREFIX: &str = "svc_";

const KEY: &str = "SELECT k.tenant_id, k.api_key_id, k.key_name, k.scopes, k.owner, \
                   k.expires_at, k.revoked_at, h.activation_counter \
                   FROM key_digests k JOIN tenant_heads h ON h.tenant_id = k.tenant_id \
                   WHERE k.digest = $1";

/// The digest under which a key is kept.
pub(crate) fn key_digest(governance: &Governance, secret: &str) -> Vec<u8> {
    governance.pepper().digest("api-key", secret.as_bytes()).to_vec()
}

/// Lets a key in.
///
/// # Errors
/// `UNAUTHORIZED` when it is unknown, revoked or expired.
pub(crate) async fn key(governance: &Governance, secret: &str, now: Timestamp) -> Result<Key> {
    if !secret.starts_with(KEY_PREFIX) {
        return Err(unauthorized().into());
    }
    let look_up = statement(KEY, [key_digest(governance, secret).into()]);
    let row = governance.database().query_one_raw(look_up).await?.ok_or_else(unauthorized)?;
    let revoked: Option<DateTimeUtc> = row.try_get_by_index(6)?;
    let expires: Option<DateTimeUtc> = row.try_get_by_index(5)?;
    let is_over = expires.is_some_and(|at| entity::column::instant(at) <= now);
    if revoked.is_some() || is_over {
        return Err(unauthorized().into());
    }
    read_key(&row)
}

fn read_key(row: &QueryResult) -> Result<Key> {
    let scopes: Vec<String> = row.try_get_by_index(3)?;
    Ok(Key {
        tenant_id: TenantId(row.try_get_by_index(0)?),
        id: ApiKeyId(row.try_get_by_index(1)?),
        name: row.try_get_by_index(2)?,
        scopes: scopes.iter().filter_map(|scope| scope.parse::<Scope>().ok()).collect(),
        owner: row.try_get_by_index::<Option<Uuid>>(4)?.map(UserId),
        activations: row.try_get_by_index(7)?,
    })
}

const SET_TENANT: &str = "SELECT set_config('app.tenant', $1, true)";

const MEMBER: &str = "SELECT m.role, u.email, h.activation_counter FROM members m \
                      JOIN users u ON u.user_id = m.user_id \
                      JOIN tenant_heads h ON h.tenant_id = m.tenant_id \
                      WHERE m.tenant_id = $1 AND m.user_id = $2";

/// Lets a signed-in person into a tenant.
///
/// # Errors
/// `FORBIDDEN` when the person does not belong to it.
#[expect(clippy::disallowed_methods, reason = "the door reads before there is a Tenant")]
pub(crate) async fn human(
    governance: &Governance,
    signed_in: &SignedIn,
    tenant: TenantId,
) -> Result<Human> {
    let tx = governance.database().begin().await?;
    tx.query_one_raw(statement(SET_TENANT, [tenant.to_string().into()])).await?;
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
