//! Authentication: checks that an API key or membership is valid and reads the tenant's current
//! activation counter.

mod api_keys;
mod authority;
mod key_usage;
mod reauthenticate;
mod sign_in_rules;

use contract::settings::AuthMethod;

pub(crate) use self::{
    api_keys::{KEY_PREFIX, key_digest, resolve_key},
    authority::{lock_authority, lock_inviter, lock_memberships},
    key_usage::write as write_uses,
    sign_in_rules::SignInRules,
};
use self::{
    api_keys::{KeyDigest, StoredKey},
    key_usage::KeyUsage,
};
use crate::{
    access::session::{SignedIn, UserTenants},
    base::{
        batch_lookup::BatchLookup,
        database,
        error::{second_factor_required, tenant_mismatch},
        prelude::*,
        tenancy::see_tenant,
    },
};

/// The authentication state of a process: waiting look-ups and the recorded key usage.
#[derive(Debug, Default)]
pub(crate) struct Authenticator {
    keys: BatchLookup<KeyDigest, StoredKey>,
    uses: KeyUsage,
}

impl Authenticator {
    /// Returns the last use of a key, if this process has seen one that may not be stored yet.
    pub(crate) fn last_use(&self, id: ApiKeyId) -> Option<Timestamp> {
        self.uses.last(id)
    }
}

// SQL: runs for every request of a signed-in user.
const SELECT_MEMBER: &str = "SELECT m.role, u.email, h.activation_counter, s.sign_in, \
                      s.second_factor_required FROM members m \
                      JOIN users u ON u.user_id = m.user_id \
                      JOIN settings s ON s.tenant_id = m.tenant_id \
                      JOIN tenant_heads h ON h.tenant_id = m.tenant_id \
                      WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.status = 'active'";

/// Resolves a signed-in user as a member of a tenant.
///
/// # Errors
/// `FORBIDDEN` when the user is not an active member, or the tenant excludes the sign-in; `SECOND_FACTOR_REQUIRED`.
pub(crate) async fn resolve_user(
    governance: &Governance,
    signed_in: &SignedIn,
    tenant: TenantId,
) -> Result<Human> {
    let user_id = signed_in.user_id;
    if !signed_in.gives_access_to(tenant) {
        return Err(tenant_mismatch().into());
    }
    let method = signed_in.method();
    let (role, row) = load_member(governance, tenant, user_id, method).await?;
    let (confirmed_at, confirmed_with) = SignInRules::read(&row, 3)?.confirmation(signed_in);
    Ok(Human {
        tenant_id: tenant,
        user_id,
        role,
        method,
        email: row.try_get_by_index(1)?,
        confirmed_at,
        confirmed_with,
        activations: row.try_get_by_index(2)?,
    })
}

/// Resolves a signed-in user as a member of one of the user's tenants, which were read before.
///
/// # Errors
/// `FORBIDDEN` when the user is not an active member; `SECOND_FACTOR_REQUIRED`.
pub(crate) fn resolve_member(
    signed_in: &SignedIn,
    tenants: &UserTenants,
    tenant: TenantId,
) -> Result<Human> {
    let session = &tenants.session;
    if session.second_factor_required.iter().any(|other| other.tenant_id == tenant) {
        return Err(second_factor_required().into());
    }
    let mut memberships = session.memberships.iter().zip(&tenants.details);
    let found = memberships.find(|(membership, _)| membership.tenant_id == tenant);
    let (membership, details) = found.ok_or_else(tenant_mismatch)?;
    let (confirmed_at, confirmed_with) = details.rules.confirmation(signed_in);
    Ok(Human {
        tenant_id: tenant,
        user_id: signed_in.user_id,
        role: membership.role,
        method: signed_in.method(),
        email: session.user.email.clone(),
        confirmed_at,
        confirmed_with,
        activations: details.activations,
    })
}

/// Returns the role and the row of an active member, as [`SELECT_MEMBER`] selects it.
///
/// # Errors
/// `FORBIDDEN` when the user is not an active member, or the tenant excludes the sign-in; `SECOND_FACTOR_REQUIRED`.
async fn load_member(
    governance: &Governance,
    tenant: TenantId,
    user_id: UserId,
    method: AuthMethod,
) -> Result<(Role, QueryResult)> {
    let tx = database::begin(governance.database()).await?;
    see_tenant(&tx, tenant).await?;
    let look_up = statement(SELECT_MEMBER, [tenant.0.into(), user_id.0.into()]);
    let row = tx.query_one_raw(look_up).await?;
    tx.rollback().await?;
    let row = row.ok_or_else(tenant_mismatch)?;
    let role: TextEnum<Role> = row.try_get_by_index(0)?;
    SignInRules::read(&row, 3)?.check(method)?;
    Ok((role.0, row))
}
