//! Loads and checks the capability status of a key, at authentication and again before each write.

use entity::capability_grant::{Column, Entity, Model};
use sea_orm::sea_query::ExprTrait;

use super::lineage::GrantLineage;
use crate::base::{caller::GoverningGrant, error::capability as refuse, prelude::*};

impl From<&Model> for GoverningGrant {
    fn from(row: &Model) -> Self {
        Self {
            id: row.id.into(),
            root_id: row.root_id.into(),
            policy_id: row.policy_id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: entity::column::unsigned(row.version),
            actions: row.actions.iter().filter_map(|action| action.parse().ok()).collect(),
        }
    }
}

/// Loads the capability status of a capability holder during authentication. An invalid grant is not an
/// error here: it is reported where the grant is needed, and the key stays authenticated.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub(crate) async fn load_status(cx: &mut Cx) -> Result<()> {
    let Caller::Key(key) = &cx.caller else { return Ok(()) };
    if !key.holds_capability() {
        return Ok(());
    }
    let tx = cx.tenant_unchecked(key.tenant_id).begin().await?;
    let status = match GrantLineage::load_valid(&tx, &cx.governance, key.id, cx.now).await {
        Ok(lineage) => Ok(GoverningGrant::from(lineage.governing()?)),
        Err(Error::Refused(refusal)) => Err(*refusal),
        Err(error) => return Err(error),
    };
    tx.finish_read().await?;
    if let Caller::Key(key) = &mut cx.caller {
        key.capability = Some(Arc::new(status));
    }
    Ok(())
}

/// A use of a grant, to be counted after the write.
#[derive(Debug)]
pub(crate) struct PendingUse(CapabilityId);

impl PendingUse {
    pub(crate) async fn count(self, tx: &TenantTx) -> Result<()> {
        let rows = tx.update::<Entity>().filter(Column::Id.eq(self.0.0));
        let update = rows.col_expr(Column::Uses, Expr::col(Column::Uses).add(1));
        update.exec(tx.connection()).await?;
        Ok(())
    }
}

/// Checks the grant of a writing key again. Call it with the policy's row locked: carrying over,
/// revoking and using a grant take the same lock, so the result remains valid until the write is done.
/// Returns `None` for a caller who needs no grant.
///
/// # Errors
/// `AUTHORING_CAPABILITY_…`.
pub(crate) async fn reserve_use(tx: &TenantTx, cx: &Cx) -> Result<Option<PendingUse>> {
    let Some((key, governing)) = governing_grant_of(cx) else { return Ok(None) };
    let lineage = GrantLineage::load_valid(tx, &cx.governance, key, cx.now).await?;
    if lineage.governing()?.id != governing.id.0 {
        return Err(refuse::carried_concurrently().into());
    }
    Ok(Some(PendingUse(governing.id)))
}

/// Returns the ID of a capability holder and the governing grant loaded at authentication.
fn governing_grant_of(cx: &Cx) -> Option<(ApiKeyId, &GoverningGrant)> {
    let Caller::Key(key) = &cx.caller else { return None };
    let governing = key.capability.as_deref()?.as_ref().ok()?;
    Some((key.id, governing))
}
