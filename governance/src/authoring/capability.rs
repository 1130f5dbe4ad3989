//! Authoring capabilities: grants that permit an API key to work on one version of a policy.

mod carry;
mod issue;
mod lineage;
mod lineages;
mod pending_work;
mod revoke;
mod status;

use contract::capability::Capability;
use entity::capability_grant as table;
use receipt::{dsse::Envelope, key::PayloadType};

pub(crate) use self::status::{PendingUse, load_status, reserve_use};
pub use self::{
    carry::carry,
    issue::{issue, issue_as},
    lineages::{GrantLineageStatus, lineage, list_lineages, open_versions},
    pending_work::pending_work,
    revoke::revoke,
};
use crate::{
    access::permission,
    base::{pagination::newest, prelude::*},
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
    let tx = tenant.begin().await?;
    let row = tx.get::<table::Entity>(governing.id, ResourceKind::Capability).await?;
    tx.finish_read().await?;
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
                .map_err(|error| Error::Bug(error.into()))
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
        .with("version", entity::column::unsigned(grant.version))
        .with("api_key_id", grant.api_key_id.to_string())
        .with("actions", actions)
        .with("grant_digest", grant.digest.as_str())
}
