//! The signed-in user with all memberships, read with one query.

use contract::{
    session::{Membership, Session, TenantName, User},
    settings::{AuthMethod, SignInPolicy},
};

use super::SignedIn;
use crate::{
    access::auth::SignInRules,
    base::{database, prelude::*, tenancy::see_memberships_of},
};

/// A signed-in user with all memberships that the session gives access to.
#[derive(Clone, Debug)]
pub struct UserTenants {
    pub(crate) session: Session,
    /// Details of each tenant, in the order of the memberships.
    pub(crate) details: Vec<TenantDetails>,
}

/// Details of a tenant that the session does not show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TenantDetails {
    pub(crate) activations: i64,
    pub(crate) rules: SignInRules,
}

impl UserTenants {
    pub fn session(&self) -> &Session {
        &self.session
    }
}

// SQL: runs for every page. Outer joins return one row for a user without tenants.
const SELECT_USER_TENANTS: &str = "SELECT u.email, u.display_name, m.tenant_id, m.role, t.name, \
     h.activation_counter, s.sign_in, s.second_factor_required FROM users u LEFT JOIN (members m \
     JOIN tenants t ON t.tenant_id = m.tenant_id \
     JOIN tenant_heads h ON h.tenant_id = m.tenant_id \
     JOIN settings s ON s.tenant_id = m.tenant_id AND s.sign_in = ANY ($2)) \
     ON m.user_id = u.user_id AND m.status = 'active' AND ($3::uuid IS NULL OR m.tenant_id = $3) \
     WHERE u.user_id = $1 ORDER BY t.name, m.tenant_id";

/// Returns the signed-in user and the user's tenants, read with one query.
///
/// # Errors
/// `UNAUTHORIZED` when the account no longer exists.
pub async fn user_tenants(governance: &Governance, signed_in: &SignedIn) -> Result<UserTenants> {
    let user_id = signed_in.user_id;
    let tx = database::begin(governance.database()).await?;
    see_memberships_of(&tx, user_id).await?;
    let method = signed_in.method();
    let confined_to = signed_in.provider.map(|provider| provider.tenant_id.0);
    let values = [user_id.0.into(), policies(method).into(), confined_to.into()];
    let rows = tx.query_all_raw(statement(SELECT_USER_TENANTS, values)).await?;
    tx.rollback().await?;
    let first = rows.first().ok_or_else(unauthorized)?;
    let user = User {
        id: user_id,
        email: first.try_get_by_index(0)?,
        display_name: first.try_get_by_index(1)?,
    };
    let (mut memberships, mut details) = (Vec::new(), Vec::new());
    let mut second_factor_required = Vec::new();
    for row in &rows {
        let Some(tenant_id) = row.try_get_by_index::<Option<Uuid>>(2)? else { continue };
        let (tenant_id, tenant_name) = (TenantId(tenant_id), row.try_get_by_index(4)?);
        let policy: TextEnum<SignInPolicy> = row.try_get_by_index(6)?;
        let requires_second_factor = row.try_get_by_index(7)?;
        let rules = SignInRules { policy: policy.0, requires_second_factor };
        if rules.check(method).is_err() {
            second_factor_required.push(TenantName { tenant_id, tenant_name });
            continue;
        }
        let role = row.try_get_by_index::<TextEnum<Role>>(3)?.0;
        memberships.push(Membership { tenant_id, tenant_name, role });
        details.push(TenantDetails { activations: row.try_get_by_index(5)?, rules });
    }
    let session = Session { user, memberships, auth_method: method, second_factor_required };
    Ok(UserTenants { session, details })
}

/// Returns the values of the setting `sign_in` that permit a method.
fn policies(method: AuthMethod) -> Vec<String> {
    let policies = SignInPolicy::ALL.into_iter().filter(|policy| policy.permits(method));
    policies.map(|policy| policy.to_string()).collect()
}

/// Returns the signed-in user and the user's tenants.
///
/// # Errors
/// As [`user_tenants`].
pub async fn session_info(governance: &Governance, signed_in: &SignedIn) -> Result<Session> {
    Ok(user_tenants(governance, signed_in).await?.session)
}
