//! The door again, for work that outlives one look: an export, a stream.

use contract::{scope::Role, time::Timestamp};
use sea_orm::{ConnectionTrait, prelude::DateTimeUtc};

use super::{MEMBER, SET_TENANT};
use crate::{
    Governance,
    caller::{Caller, Human, Key},
    cx::Cx,
    database,
    error::{Error, Result, foreign_tenant, unauthorized},
    tenancy::statement,
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

const KEY: &str = "SELECT k.expires_at, k.revoked_at FROM key_digests k \
                   WHERE k.tenant_id = $1 AND k.api_key_id = $2";

async fn key_again(governance: &Governance, key: &Key, now: Timestamp) -> Result<Key> {
    let look_up = statement(KEY, [key.tenant_id.0.into(), key.id.0.into()]);
    let row = governance.database().query_one_raw(look_up).await?.ok_or_else(unauthorized)?;
    let expires: Option<DateTimeUtc> = row.try_get_by_index(0)?;
    let revoked: Option<DateTimeUtc> = row.try_get_by_index(1)?;
    if revoked.is_some() || expires.is_some_and(|at| entity::column::instant(at) <= now) {
        return Err(unauthorized().into());
    }
    Ok(key.clone())
}

async fn human_again(governance: &Governance, human: &Human) -> Result<Human> {
    let tx = database::begin(governance.database()).await?;
    tx.query_one_raw(statement(SET_TENANT, [human.tenant_id.to_string().into()])).await?;
    let look_up = statement(MEMBER, [human.tenant_id.0.into(), human.user_id.0.into()]);
    let row = tx.query_one_raw(look_up).await?;
    tx.rollback().await?;
    let role: String = row.ok_or_else(foreign_tenant)?.try_get_by_index(0)?;
    let role = role.parse::<Role>().map_err(|()| Error::bug("a role that does not exist"))?;
    Ok(Human { role, ..human.clone() })
}
