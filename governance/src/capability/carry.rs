//! Carrying: a live grant goes on with the successor of the draft that it names.

use contract::{
    capability::{Capability, CapabilityCarry},
    id::{CapabilityId, PolicyId},
    policy::VersionStatus,
};
use entity::{
    capability_grant::{self as table, Model},
    column::at,
    policy_version,
};
use receipt::grant::LINEAGE_MAX;
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter};

use super::{
    chain::{self, Chain},
    event, find, issue,
};
use crate::{
    cx::Cx,
    door::lock_authority,
    error::{Noun, Refusal, Result, invalid_field, invalid_transition, not_found},
    permission,
    policy::{self, version},
    tenancy::TenantTx,
};

/// Grants the same key the same work on a successor draft, on the same terms and with the uses made so
/// far. The grant before it is carried, and binds its version no longer.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND` for the grant or the version; `INVALID_TRANSITION` with
/// `CAPABILITY_NOT_LIVE`, `CAPABILITY_CHAIN_FULL` or `VERSION_NOT_DRAFT`; `VALIDATION_ERROR` for a
/// version that is no later one; `CONFLICT` where nothing is signed; `AUTHORING_CAPABILITY_INTEGRITY`
/// for a grant that is not what was signed.
pub async fn carry(cx: &Cx, id: CapabilityId, carry: CapabilityCarry) -> Result<Capability> {
    let tenant = cx.tenant(permission::CARRY_CAPABILITIES)?;
    let issuer = cx.human()?.user_id;
    let signer = issue::signer(cx)?;
    let mut tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::CARRY_CAPABILITIES).await?;
    let before = locked(&tx, id).await?;
    let policy = PolicyId(before.policy_id);
    let version = version::find(&tx, policy, carry.version).one(tx.connection()).await?;
    let version = version.ok_or_else(|| not_found(Noun::Version))?;
    may_follow(&before, &version, cx)?;
    // Terms that somebody has changed in the store are not signed anew.
    Chain::intact(&tx, &cx.governance, before.api_key_id.into()).await?;
    let new: CapabilityId = cx.governance.chance().id();
    let mut row = Model {
        id: new.0,
        sequence: tx.next_sequence().await?,
        parent_id: Some(before.id),
        depth: before.depth.saturating_add(1),
        policy_version_id: version.id,
        version: version.version,
        issued_by: issuer.0,
        issued_at: at(cx.now),
        ..before.clone()
    };
    chain::sign(&mut row, Some(&before), signer).await?;
    let row = hand_over(&tx, &before, row).await?;
    let event = event("capability.carry", &row).with("parent_capability_id", before.id.to_string());
    tx.commit(cx, event).await?;
    Ok(row.into())
}

/// A grant under the locks of its policy, which whoever moves a version or counts a use holds too.
async fn locked(tx: &TenantTx, id: CapabilityId) -> Result<Model> {
    let unheld = find(tx, id).one(tx.connection()).await?;
    let unheld = unheld.ok_or_else(|| not_found(Noun::Capability))?;
    policy::lock(tx, PolicyId(unheld.policy_id)).await?;
    let row = find(tx, id).one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(Noun::Capability))?)
}

/// Refuses what cannot be carried, and what it cannot be carried to.
fn may_follow(before: &Model, version: &policy_version::Model, cx: &Cx) -> Result<(), Refusal> {
    let refused = |reason, from| Err(invalid_transition(reason, from, "carry"));
    let ended = [
        ("revoked", before.revoked_at.is_some()),
        ("carried", before.carried_to.is_some()),
        ("expired", chain::has_expired(before, cx.now)),
    ];
    if let Some((state, _)) = ended.into_iter().find(|(_, is_so)| *is_so) {
        return refused("CAPABILITY_NOT_LIVE", state);
    }
    if usize::try_from(before.depth).is_ok_and(|depth| depth >= LINEAGE_MAX) {
        return refused("CAPABILITY_CHAIN_FULL", "live");
    }
    if version.version <= before.version {
        let message = "must be a later version than the one of the grant";
        return Err(invalid_field("/version", "range", message));
    }
    if version.status.0 != VersionStatus::Draft {
        return refused("VERSION_NOT_DRAFT", version.status.0.as_str());
    }
    Ok(())
}

/// Stores the new grant, and lets it govern the key in place of the one before.
///
/// A key has one grant that is not carried, and a carried one names a grant that is there. So the new
/// row comes in as one that is carried, to itself, until the old one has given way.
async fn hand_over(tx: &TenantTx, before: &Model, row: Model) -> Result<Model> {
    let waiting =
        Model { carried_to: Some(row.id), carried_at: Some(row.issued_at), ..row.clone() };
    issue::insert(tx, waiting).await?;
    set_carried(tx, before, Some(&row)).await?;
    set_carried(tx, &row, None).await?;
    Ok(row)
}

/// Stores where a grant was carried to, if it was.
async fn set_carried(tx: &TenantTx, grant: &Model, to: Option<&Model>) -> Result<()> {
    let carried = table::ActiveModel {
        carried_to: Set(to.map(|to| to.id)),
        carried_at: Set(to.map(|to| to.issued_at)),
        ..Default::default()
    };
    let rows = tx.update::<table::Entity>().filter(table::Column::Id.eq(grant.id));
    rows.set(carried).exec(tx.connection()).await?;
    Ok(())
}
