//! An invitation to a tenant, as shown to the invited user.

use contract::{id::TenantId, member::PendingInvitation, scope::Role};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    pub tenant: TenantId,
    pub name: String,
    /// The role that the user gets by accepting.
    pub role: Role,
}

impl From<PendingInvitation> for Invitation {
    fn from(pending: PendingInvitation) -> Self {
        Self { tenant: pending.tenant_id, name: pending.tenant_name, role: pending.role }
    }
}
