//! Where a key stands that carries a capability: at the door, and again where it writes.

use std::sync::Arc;

use contract::{
    capability::CapabilityAction,
    id::{ApiKeyId, CapabilityId, PolicyId, PolicyVersionId},
};
use entity::capability_grant::{Column, Entity, Model};
use sea_orm::{
    ColumnTrait, QueryFilter,
    sea_query::{Expr, ExprTrait},
};

use super::chain::Chain;
use crate::{
    caller::Caller,
    cx::Cx,
    error::{Error, Refusal, Result, capability as refuse},
    tenancy::TenantTx,
};

/// The grant that governs a key, or why none does.
pub type Standing = Arc<Result<Governing, Refusal>>;

/// The grant that governs a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Governing {
    /// The grant.
    pub id: CapabilityId,
    /// Where its chain starts.
    pub root_id: CapabilityId,
    /// The policy.
    pub policy_id: PolicyId,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// What it allows.
    pub actions: Vec<CapabilityAction>,
}

impl From<&Model> for Governing {
    fn from(row: &Model) -> Self {
        Self {
            id: row.id.into(),
            root_id: row.root_id.into(),
            policy_id: row.policy_id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: entity::column::number(row.version),
            actions: row.actions.iter().filter_map(|action| action.parse().ok()).collect(),
        }
    }
}

impl Governing {
    /// Refuses what the grant does not allow.
    pub(crate) fn allows(&self, actions: &[CapabilityAction]) -> Result<(), Refusal> {
        let lacking = actions.iter().find(|action| !self.actions.contains(action));
        lacking.map_or(Ok(()), |lacking| Err(refuse::lacks(*lacking)))
    }

    /// Refuses another version than the one that the grant names, whether or not there is such a one.
    pub(crate) fn names(&self, policy: PolicyId, version: u32) -> Result<(), Refusal> {
        let is_own = self.policy_id == policy && self.version == version;
        if is_own { Ok(()) } else { Err(refuse::another_version()) }
    }
}

/// Looks at the door for the grant of a key that carries one. What is wrong with it is told where the
/// grant is needed: a key is still one without it.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub(crate) async fn stand(cx: &mut Cx) -> Result<()> {
    let Caller::Key(key) = &cx.caller else { return Ok(()) };
    if !key.is_carrier() {
        return Ok(());
    }
    let tx = cx.tenant_unchecked(key.tenant_id).begin().await?;
    let standing = match Chain::held(&tx, &cx.governance, key.id, cx.now).await {
        Ok(chain) => Ok(Governing::from(chain.governing()?)),
        Err(Error::Refused(refusal)) => Err(*refusal),
        Err(error) => return Err(error),
    };
    tx.end().await?;
    if let Caller::Key(key) = &mut cx.caller {
        key.capability = Some(Arc::new(standing));
    }
    Ok(())
}

/// The grant under which a write happens, to be counted when the write is done.
#[derive(Debug)]
pub(crate) struct Spending(CapabilityId);

impl Spending {
    /// Counts the use.
    pub(crate) async fn count(self, tx: &TenantTx) -> Result<()> {
        let grant = tx.update::<Entity>().filter(Column::Id.eq(self.0.0));
        let counted = grant.col_expr(Column::Uses, Expr::col(Column::Uses).add(1));
        counted.exec(tx.connection()).await?;
        Ok(())
    }
}

/// The grant under which a key writes, looked at once more. To be called with the policy's row held,
/// which whoever carries, revokes or uses a grant holds too: what is seen here stays until the write
/// is done. Nothing for a caller who needs no grant.
///
/// # Errors
/// `AUTHORING_CAPABILITY_…`.
pub(crate) async fn spend(tx: &TenantTx, cx: &Cx) -> Result<Option<Spending>> {
    let Some((key, governing)) = carried(cx) else { return Ok(None) };
    let chain = Chain::held(tx, &cx.governance, key, cx.now).await?;
    if chain.governing()?.id != governing.id.0 {
        return Err(refuse::carried_meanwhile().into());
    }
    Ok(Some(Spending(governing.id)))
}

/// The key that carries a capability, and the grant that the door saw.
fn carried(cx: &Cx) -> Option<(ApiKeyId, &Governing)> {
    let Caller::Key(key) = &cx.caller else { return None };
    let governing = key.capability.as_deref()?.as_ref().ok()?;
    Some((key.id, governing))
}
