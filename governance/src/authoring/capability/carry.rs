//! Carrying over: moves a live grant to a successor of the draft that it names.

use contract::capability::{Capability, CapabilityCarry};
use entity::{
    capability_grant::{self as table, Model},
    policy_version,
};
use receipt::grant::LINEAGE_MAX;

use super::{
    event, issue,
    lineage::{self, GrantLineage},
};
use crate::{
    access::{auth::lock_authority, permission},
    authoring::policy::{self, version},
    base::{error::invalid_transition, prelude::*},
};

/// Grants the key the same actions on a successor draft, with the same terms and use count. The previous
/// grant is marked as carried and no longer binds its version.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND` for the grant or the version; `INVALID_TRANSITION` with
/// `CAPABILITY_NOT_LIVE`, `CAPABILITY_CHAIN_FULL` or `VERSION_NOT_DRAFT`; `VALIDATION_ERROR` for a
/// version that is not later than that of the grant; `CONFLICT` when signing is not configured;
/// `AUTHORING_CAPABILITY_INTEGRITY` for a grant that differs from what was signed.
pub async fn carry(cx: &Cx, id: CapabilityId, request: CapabilityCarry) -> Result<Capability> {
    let tenant = cx.tenant(permission::CARRY_OVER_CAPABILITIES)?;
    let issuer = cx.human()?.user_id;
    let signer = issue::signer(cx)?;
    let mut tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::CARRY_OVER_CAPABILITIES).await?;
    let previous = lock(&tx, id).await?;
    let policy = PolicyId(previous.policy_id);
    let version = version::find(&tx, policy, request.version).one(tx.connection()).await?;
    let version = version.or_not_found(ResourceKind::Version)?;
    check_carry(&previous, &version, cx)?;
    // Terms that were changed in the database must not be signed.
    GrantLineage::load_intact(&tx, &cx.governance, previous.api_key_id.into()).await?;
    let new: CapabilityId = cx.governance.entropy().id();
    let mut row = Model {
        id: new.0,
        sequence: tx.next_sequence().await?,
        parent_id: Some(previous.id),
        depth: previous.depth.saturating_add(1),
        policy_version_id: version.id,
        version: version.version,
        issued_by: issuer.0,
        issued_at: to_column(cx.now),
        ..previous.clone()
    };
    lineage::sign(&mut row, Some(&previous), signer).await?;
    let row = replace_governing_grant(&tx, &previous, row).await?;
    let event =
        event("capability.carry", &row).with("parent_capability_id", previous.id.to_string());
    tx.commit(cx, event).await?;
    Ok(row.into())
}

/// Returns a grant after locking its policy. Version transitions and counted uses take the same lock.
async fn lock(tx: &TenantTx, id: CapabilityId) -> Result<Model> {
    let grant = tx.get::<table::Entity>(id, ResourceKind::Capability).await?;
    policy::lock(tx, PolicyId(grant.policy_id)).await?;
    tx.get::<table::Entity>(id, ResourceKind::Capability).await
}

/// Checks that the grant can be carried over, and that the version can receive it.
fn check_carry(previous: &Model, version: &policy_version::Model, cx: &Cx) -> Result<(), Refusal> {
    let refuse = |reason, from| Err(invalid_transition(reason, from, "carry"));
    let end_states = [
        ("revoked", previous.revoked_at.is_some()),
        ("carried", previous.carried_to.is_some()),
        ("expired", lineage::has_expired(previous, cx.now)),
    ];
    if let Some((state, _)) = end_states.into_iter().find(|(_, applies)| *applies) {
        return refuse("CAPABILITY_NOT_LIVE", state);
    }
    if usize::try_from(previous.depth).is_ok_and(|depth| depth >= LINEAGE_MAX) {
        return refuse("CAPABILITY_CHAIN_FULL", "live");
    }
    if version.version <= previous.version {
        let message = "must be a later version than the one of the grant";
        return Err(invalid_field("/version", "range", message));
    }
    if version.status.0 != VersionStatus::Draft {
        return refuse("VERSION_NOT_DRAFT", version.status.0.as_str());
    }
    Ok(())
}

/// Stores the new grant and makes it the governing grant of the key in place of the previous one.
///
/// A key has exactly one grant that is not carried, and a carried grant must refer to an existing
/// grant. So the new row is first inserted as carried to itself, until the previous grant is marked as
/// carried.
async fn replace_governing_grant(tx: &TenantTx, previous: &Model, row: Model) -> Result<Model> {
    let placeholder =
        Model { carried_to: Some(row.id), carried_at: Some(row.issued_at), ..row.clone() };
    issue::insert(tx, placeholder).await?;
    set_carried(tx, previous, Some(&row)).await?;
    set_carried(tx, &row, None).await?;
    Ok(row)
}

/// Stores the grant that a grant was carried to, if any.
async fn set_carried(tx: &TenantTx, grant: &Model, to: Option<&Model>) -> Result<()> {
    let changes = table::ActiveModel {
        carried_to: Set(to.map(|to| to.id)),
        carried_at: Set(to.map(|to| to.issued_at)),
        ..Default::default()
    };
    let rows = tx.update::<table::Entity>().filter(table::Column::Id.eq(grant.id));
    rows.set(changes).exec(tx.connection()).await?;
    Ok(())
}
