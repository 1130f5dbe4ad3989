//! Authoring capabilities: grants that permit an API key to work on one version of a policy.

mod carry;
mod issue;
mod lineage;
mod lineages;
mod pending_work;

use self::lineage::GrantLineage;
use contract::capability::Capability;
use entity::{
    capability_grant as table,
    capability_grant::{Column, Entity, Model},
    policy as policies,
};
use receipt::{dsse::Envelope, key::PayloadType};
use sea_orm::sea_query::ExprTrait;

pub use self::{
    carry::carry,
    issue::{issue, issue_as},
    lineages::{GrantLineageStatus, lineage, list_lineages, open_versions},
    pending_work::pending_work,
};
use crate::{
    access::permission,
    base::{caller::GoverningGrant, error::capability as refuse, pagination::newest, prelude::*},
};

/// Returns a page of the tenant's grants, newest first, including carried and revoked ones.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Capability>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    Ok(newest::<table::Entity>(&tenant, "capability_grants", page).await?.map(Capability::from))
}

/// Returns a grant with its lineage, oldest grant first, each with its signed statement.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: CapabilityId) -> Result<Capability> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = tx.get::<table::Entity>(id, ResourceKind::Capability).await?;
    let rows = tx
        .find::<table::Entity>()
        .filter(table::Column::RootId.eq(row.root_id))
        .filter(table::Column::Depth.lte(row.depth))
        .order_by_asc(table::Column::Depth)
        .all(tx.connection())
        .await?;
    tx.finish_read().await?;
    let lineage = rows.into_iter().map(to_wire_with_envelope).collect::<Result<_>>()?;
    Ok(Capability { chain: Some(lineage), ..row.into() })
}

/// Returns the governing grant of the calling key.
///
/// # Errors
/// `FORBIDDEN` for callers other than capability holders; `AUTHORING_CAPABILITY_…` when the capability
/// is not valid.
pub async fn current(cx: &Cx) -> Result<Capability> {
    let (tenant, governing) = cx.capability_holder(permission::USE_CAPABILITY)?;
    let row = tenant.get::<table::Entity>(governing.id, ResourceKind::Capability).await?;
    Ok(row.into())
}

/// Converts a grant with its signed statement.
fn to_wire_with_envelope(row: table::Model) -> Result<Capability> {
    let signature = row.signature_kid.as_deref().zip(row.signature.as_deref());
    let envelope = signature
        .map(|signature| {
            let statement = CanonicalJson::parse(row.statement.as_bytes())
                .map_err(|_| Error::bug("a stored grant is not canonical"))?;
            Envelope::new(PayloadType::CapabilityGrant, statement, [signature])
                .map_err(Error::internal)
        })
        .transpose()?;
    let envelope = envelope.map(|envelope| envelope.to_value());
    Ok(Capability { envelope, ..row.into() })
}

fn event(action: &'static str, grant: &table::Model) -> Event {
    let actions: Vec<Value> =
        grant.actions.iter().map(|action_name| action_name.as_str().into()).collect();
    Event::new(action, "capability", grant.id)
        .with("policy_id", grant.policy_id.to_string())
        .with("version", unsigned(grant.version))
        .with("api_key_id", grant.api_key_id.to_string())
        .with("actions", actions)
        .with("grant_digest", grant.digest.as_str())
}

// SQL: one statement revokes a grant and all grants that it was carried over to.
// `UNION` ends the recursion even if a restored database contains a cycle.
const REVOKE_LINEAGE: &str = "WITH RECURSIVE ended AS ( \
       SELECT id, carried_to FROM capability_grants WHERE tenant_id = $1 AND id = $2 \
       UNION \
       SELECT g.id, g.carried_to FROM ended e \
         JOIN capability_grants g ON g.tenant_id = $1 AND g.id = e.carried_to) \
     UPDATE capability_grants g SET revoked_at = $3, revoked_by = $4 FROM ended e \
       WHERE g.tenant_id = $1 AND g.id = e.id AND g.revoked_at IS NULL";

/// Revokes a grant permanently, with all grants that it was carried over to. No write under it is
/// counted after this call returns. A grant that is already revoked does not change.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`.
pub async fn revoke(cx: &Cx, id: CapabilityId) -> Result<()> {
    let tx = cx.tenant(permission::REVOKE_CAPABILITIES)?.begin().await?;
    let row = tx.get::<table::Entity>(id, ResourceKind::Capability).await?;
    // Carrying over and using a grant take the same lock. The policy may have been deleted.
    let policy = tx.find_by_id::<policies::Entity>(row.policy_id);
    policy.lock_exclusive().one(tx.connection()).await?;
    let values = [id.0.into(), to_column(cx.now).into(), cx.caller.principal().into()];
    let ended = tx.execute(REVOKE_LINEAGE, values).await?.rows_affected();
    if ended == 0 {
        return tx.finish_read().await;
    }
    let revoked = u32::try_from(ended).unwrap_or(u32::MAX);
    tx.commit(cx, event("capability.revoke", &row).with("revoked", revoked)).await
}

impl From<&Model> for GoverningGrant {
    fn from(row: &Model) -> Self {
        Self {
            id: row.id.into(),
            root_id: row.root_id.into(),
            policy_id: row.policy_id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: unsigned(row.version),
            actions: row.actions.iter().filter_map(|action| action.parse().ok()).collect(),
        }
    }
}

/// Loads the capability status of a capability holder during authentication. An invalid grant is not an
/// error here: it is reported where the grant is needed, and the key stays authenticated.
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
