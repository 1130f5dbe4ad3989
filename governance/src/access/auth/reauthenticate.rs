//! Repeated authentication for long-running work such as exports and streams.

use entity::key_digest;

use super::load_member;
use crate::base::{caller::ApiKeyCaller, prelude::*};

impl Cx {
    /// Authenticates the same caller again at the current time. Revoked keys and removed members are
    /// refused, and a changed role takes effect.
    ///
    /// # Errors
    /// `UNAUTHORIZED` for a key that was revoked or has expired; `FORBIDDEN` for a user who is no
    /// longer a member of the tenant.
    pub(crate) async fn reauthenticate(&self) -> Result<Self> {
        let now = self.governance.clock().now();
        let caller = match &self.caller {
            Caller::Key(key) => Caller::Key(reauthenticate_key(&self.governance, key, now).await?),
            Caller::Human(human) => {
                let Human { tenant_id, user_id, method, .. } = human;
                let member = load_member(&self.governance, *tenant_id, *user_id, *method).await?;
                Caller::Human(Human { role: member.role, ..human.clone() })
            }
            other => other.clone(),
        };
        Ok(Self { caller, now, ..self.clone() })
    }
}

async fn reauthenticate_key(
    governance: &Governance,
    key: &ApiKeyCaller,
    now: Timestamp,
) -> Result<ApiKeyCaller> {
    let row = untenanted::<key_digest::Entity>()
        .filter(key_digest::Column::TenantId.eq(key.tenant_id.0))
        .filter(key_digest::Column::ApiKeyId.eq(key.id.0));
    let row = row.one(governance.database()).await?.ok_or_else(unauthorized)?;
    if row.revoked_at.is_some() || row.expires_at.is_some_and(|at| from_column(at) <= now) {
        return Err(unauthorized().into());
    }
    Ok(key.clone())
}
