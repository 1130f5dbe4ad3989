//! Repeated authentication for long-running work such as exports and streams.

use contract::{scope::Role, time::Timestamp};
use entity::{column::from_column, key_digest};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use super::SELECT_MEMBER;
use crate::{
    Governance,
    base::{
        caller::{ApiKeyCaller, Caller, Human},
        cx::Cx,
        database::{self, untenanted},
        error::{Error, Result, tenant_mismatch, unauthorized},
        tenancy::{see_tenant, statement},
    },
};

impl Cx {
    /// Authenticates the same caller again at the current time. Revoked keys and removed members are
    /// rejected, and a changed role takes effect.
    ///
    /// # Errors
    /// `UNAUTHORIZED` for a key that was revoked or has expired; `FORBIDDEN` for a user who is no
    /// longer a member of the tenant.
    pub(crate) async fn reauthenticate(&self) -> Result<Self> {
        let now = self.governance.clock().now();
        let caller = match &self.caller {
            Caller::Key(key) => Caller::Key(reauthenticate_key(&self.governance, key, now).await?),
            Caller::Human(human) => {
                Caller::Human(reauthenticate_user(&self.governance, human).await?)
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

async fn reauthenticate_user(governance: &Governance, human: &Human) -> Result<Human> {
    let tx = database::begin(governance.database()).await?;
    see_tenant(&tx, human.tenant_id).await?;
    let look_up = statement(SELECT_MEMBER, [human.tenant_id.0.into(), human.user_id.0.into()]);
    let row = tx.query_one_raw(look_up).await?;
    tx.rollback().await?;
    let role: String = row.ok_or_else(tenant_mismatch)?.try_get_by_index(0)?;
    let role = role.parse::<Role>().map_err(|()| Error::bug("a role that does not exist"))?;
    Ok(Human { role, ..human.clone() })
}
