//! An invitation to a tenant, as its holder sees it.

use contract::{id::TenantId, member::PendingInvitation, scope::Role};
use serde::{Deserialize, Serialize};

/// An invitation that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// The tenant.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// The role after accepting.
    pub role: Role,
}

impl From<PendingInvitation> for Invitation {
    fn from(pending: PendingInvitation) -> Self {
        Self { tenant: pending.tenant_id, name: pending.tenant_name, role: pending.role }
    }
}
