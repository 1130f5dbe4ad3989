//! The signed-in user with all memberships, read with one query.

use contract::{
    id::TenantId,
    scope::Role,
    session::{Membership, Session, User},
};
use entity::column::TextEnum;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::SignedIn;
use crate::{
    Governance,
    base::{
        database,
        error::{Result, unauthorized},
        tenancy::{see_memberships_of, statement},
    },
};

/// A signed-in user with all memberships that the session gives access to.
#[derive(Clone, Debug)]
pub struct UserTenants {
    pub(crate) session: Session,
    /// The activation counter of each tenant, in the order of the memberships.
    pub(crate) activations: Vec<i64>,
}

impl UserTenants {
    pub fn session(&self) -> &Session {
        &self.session
    }
}

// SQL: runs for every page. Outer joins return one row for a user without tenants.
const SELECT_USER_TENANTS: &str = "SELECT u.email, u.display_name, m.tenant_id, m.role, t.name, \
     h.activation_counter FROM users u LEFT JOIN (members m \
     JOIN tenants t ON t.tenant_id = m.tenant_id \
     JOIN tenant_heads h ON h.tenant_id = m.tenant_id \
     JOIN settings s ON s.tenant_id = m.tenant_id AND s.sign_in IN ('any', $2)) \
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
    let method = signed_in.method().as_str();
    let confined_to = signed_in.provider.map(|provider| provider.tenant_id.0);
    let values = [user_id.0.into(), method.into(), confined_to.into()];
    let rows = tx.query_all_raw(statement(SELECT_USER_TENANTS, values)).await?;
    tx.rollback().await?;
    let first = rows.first().ok_or_else(unauthorized)?;
    let user = User {
        id: user_id,
        email: first.try_get_by_index(0)?,
        display_name: first.try_get_by_index(1)?,
    };
    let (mut memberships, mut activations) = (Vec::new(), Vec::new());
    for row in &rows {
        let Some(tenant_id) = row.try_get_by_index::<Option<Uuid>>(2)? else { continue };
        memberships.push(Membership {
            tenant_id: TenantId(tenant_id),
            role: row.try_get_by_index::<TextEnum<Role>>(3)?.0,
            tenant_name: row.try_get_by_index(4)?,
        });
        activations.push(row.try_get_by_index(5)?);
    }
    Ok(UserTenants { session: Session { user, memberships }, activations })
}

/// Returns the signed-in user and the user's tenants.
///
/// # Errors
/// As [`user_tenants`].
pub async fn session_info(governance: &Governance, signed_in: &SignedIn) -> Result<Session> {
    Ok(user_tenants(governance, signed_in).await?.session)
}
