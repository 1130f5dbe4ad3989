//! An invitation to a tenant, as shown to the invited user.

use contract::{id::TenantId, member::PendingInvitation, scope::Role, time::Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    pub tenant: TenantId,
    pub name: String,
    /// The role that the user gets by accepting.
    pub role: Role,
    /// The name of the person who invited the user; absent if a program did.
    pub invited_by: Option<String>,
    pub invited_at: Timestamp,
}

impl From<PendingInvitation> for Invitation {
    fn from(pending: PendingInvitation) -> Self {
        Self {
            tenant: pending.tenant_id,
            name: pending.tenant_name,
            role: pending.role,
            invited_by: pending.invited_by,
            invited_at: pending.created_at,
        }
    }
}
