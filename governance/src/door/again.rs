//! The door again, for work that outlives one look: an export, a stream.

use contract::{scope::Role, time::Timestamp};
use entity::{column::instant, key_digest};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use super::MEMBER;
use crate::{
    Governance,
    caller::{Caller, Human, Key},
    cx::Cx,
    database::{self, untenanted},
    error::{Error, Result, foreign_tenant, unauthorized},
    tenancy::{see_tenant, statement},
};

impl Cx {
    /// The same caller, let in once more, at this moment: revoked keys and removed members stay out,
    /// and a changed role counts.
    ///
    /// # Errors
    /// `UNAUTHORIZED` for a key that was revoked or has expired; `FORBIDDEN` for a person who does
    /// not belong to the tenant any more.
    pub(crate) async fn again(&self) -> Result<Self> {
        let now = self.governance.clock().now();
        let caller = match &self.caller {
            Caller::Key(key) => Caller::Key(key_again(&self.governance, key, now).await?),
            Caller::Human(human) => Caller::Human(human_again(&self.governance, human).await?),
            other => other.clone(),
        };
        Ok(Self { caller, now, ..self.clone() })
    }
}

async fn key_again(governance: &Governance, key: &Key, now: Timestamp) -> Result<Key> {
    let row = untenanted::<key_digest::Entity>()
        .filter(key_digest::Column::TenantId.eq(key.tenant_id.0))
        .filter(key_digest::Column::ApiKeyId.eq(key.id.0));
    let row = row.one(governance.database()).await?.ok_or_else(unauthorized)?;
    if row.revoked_at.is_some() || row.expires_at.is_some_and(|at| instant(at) <= now) {
        return Err(unauthorized().into());
    }
    Ok(key.clone())
}

async fn human_again(governance: &Governance, human: &Human) -> Result<Human> {
    let tx = database::begin(governance.database()).await?;
    see_tenant(&tx, human.tenant_id).await?;
    let look_up = statement(MEMBER, [human.tenant_id.0.into(), human.user_id.0.into()]);
    let row = tx.query_one_raw(look_up).await?;
    tx.rollback().await?;
    let role: String = row.ok_or_else(foreign_tenant)?.try_get_by_index(0)?;
    let role = role.parse::<Role>().map_err(|()| Error::bug("a role that does not exist"))?;
    Ok(Human { role, ..human.clone() })
}
