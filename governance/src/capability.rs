//! Authoring capabilities: grants under which a key works on one version of one policy.

mod carry;
mod chain;
mod chains;
mod issue;
mod pending_work;
mod revoke;
mod standing;

use contract::{capability::Capability, id::CapabilityId, json::Value, page::Page};
use entity::capability_grant as table;
use receipt::{canon::Canonical, dsse::Envelope, key::PayloadType};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, Select};

pub use self::{
    carry::carry,
    chains::{Held, OpenVersion, chain, chains, open},
    issue::{issue, issue_as},
    pending_work::pending_work,
    revoke::revoke,
    standing::{Governing, Standing},
};
pub(crate) use self::{
    revoke::revoke_of_person,
    standing::{Spending, spend, stand},
};
use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, not_found},
    page::{PageRequest, newest},
    permission,
    tenancy::TenantTx,
};

/// One page of the tenant's grants, newest first, carried and revoked ones too.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Capability>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    Ok(newest::<table::Entity>(&tenant, "capability_grants", page).await?.map(Capability::from))
}

/// One grant, with the chain that leads to it, first grant first, each as it was signed.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: CapabilityId) -> Result<Capability> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::Capability))?;
    let before = tx
        .find::<table::Entity>()
        .filter(table::Column::RootId.eq(row.root_id))
        .filter(table::Column::Depth.lte(row.depth))
        .order_by_asc(table::Column::Depth)
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let chain = before.into_iter().map(signed).collect::<Result<_>>()?;
    Ok(Capability { chain: Some(chain), ..row.into() })
}

/// The grant that governs the calling key.
///
/// # Errors
/// `FORBIDDEN` for who carries no capability; `AUTHORING_CAPABILITY_…` when it does not hold.
pub async fn current(cx: &Cx) -> Result<Capability> {
    let (tenant, governing) = cx.carrier(permission::CARRY)?;
    let tx = tenant.begin().await?;
    let row = find(&tx, governing.id).one(tx.connection()).await?;
    tx.end().await?;
    Ok(row.ok_or_else(|| not_found(Noun::Capability))?.into())
}

fn find(tx: &TenantTx, id: CapabilityId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

/// A grant with its statement, as it was signed.
fn signed(row: table::Model) -> Result<Capability> {
    let kid = row.signature_kid.as_deref().zip(row.signature.as_deref());
    let envelope = kid
        .map(|signed| {
            let statement = Canonical::read(row.statement.as_bytes())
                .map_err(|_| Error::bug("a stored grant is not canonical"))?;
            Envelope::new(PayloadType::CapabilityGrant, statement, [signed])
                .map_err(|error| Error::Bug(error.into()))
        })
        .transpose()?;
    let envelope = envelope.map(|envelope| envelope.to_value());
    Ok(Capability { envelope, ..row.into() })
}

/// What happened to a grant.
fn event(action: &'static str, grant: &table::Model) -> Event {
    let actions: Vec<Value> = grant.actions.iter().map(|word| word.as_str().into()).collect();
    Event::new(action, "capability", grant.id)
        .with("policy_id", grant.policy_id.to_string())
        .with("version", entity::column::number(grant.version))
        .with("api_key_id", grant.api_key_id.to_string())
        .with("actions", actions)
        .with("grant_digest", grant.digest.as_str())
}
