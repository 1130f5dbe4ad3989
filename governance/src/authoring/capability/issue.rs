//! Issuing: a user creates a key and grants it actions on one version.

use contract::{
    api_key::ApiKeyDraft,
    capability::{CapabilityAction, CapabilityCreated, CapabilityDraft},
};
use entity::{
    capability_grant::{self as table, Model},
    policy_version,
};

use super::{event, lineage};
use crate::{
    access::{
        api_key::{self, KeyCreator, NewApiKey},
        auth::lock_authority,
        permission,
    },
    authoring::policy::{self, version},
    base::{error::invalid_transition, prelude::*},
    proof::signing::ServiceKey,
};

/// Creates a key and grants it actions on one version, which is then bound to the grant. The key can do
/// nothing else. In comparisons of users, it counts as the user who issues the grant.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND` for the policy or the version; `INVALID_TRANSITION` with
/// `VERSION_CLOSED`; `VALIDATION_ERROR` for an expiry in the past; `CONFLICT` when signing is not
/// configured.
pub async fn issue(cx: &Cx, draft: CapabilityDraft) -> Result<CapabilityCreated> {
    issue_as(cx, cx.governance.entropy().id(), draft).await
}

/// Issues a grant with an ID that was allocated before, so that a form that is submitted twice issues
/// one grant.
///
/// # Errors
/// As [`issue`]; `CONFLICT` when a grant with this ID exists.
pub async fn issue_as(
    cx: &Cx,
    id: CapabilityId,
    draft: CapabilityDraft,
) -> Result<CapabilityCreated> {
    let tenant = cx.tenant(permission::ISSUE_CAPABILITIES)?;
    let issuer = cx.human()?.user_id;
    let signer = signer(cx)?;
    if draft.expires_at.is_some_and(|expires_at| expires_at <= cx.now) {
        return Err(invalid_field("/expires_at", "range", "must be in the future").into());
    }
    let mut tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::ISSUE_CAPABILITIES).await?;
    policy::lock(&tx, draft.policy_id).await?;
    let version = version::find(&tx, draft.policy_id, draft.version).one(tx.connection()).await?;
    let version = version.or_not_found(ResourceKind::Version)?;
    check_open(&version)?;
    // A concurrent call with the same ID waits here, and then finds the grant.
    tx.lock_head().await?;
    if tx.find_by_id::<table::Entity>(id).one(tx.connection()).await?.is_some() {
        let message = "a grant with this id already exists; revoke it if you have not seen its key";
        return Err(conflict(message).into());
    }
    let new_key = NewApiKey::new(cx.governance.entropy());
    let key_draft = ApiKeyDraft {
        name: draft.name.clone(),
        scopes: vec![Scope::AuthoringCapability],
        expires_at: None,
    };
    let key = api_key::insert(&mut tx, cx, &new_key, key_draft, KeyCreator::from(issuer)).await?;
    let mut row = Model {
        tenant_id: tx.tenant_id().0,
        id: id.0,
        sequence: tx.next_sequence().await?,
        root_id: id.0,
        parent_id: None,
        depth: 1,
        api_key_id: key.id.0,
        policy_id: version.policy_id,
        policy_version_id: version.id,
        version: version.version,
        actions: draft.actions.iter().map(CapabilityAction::to_string).collect(),
        not_before: draft.not_before.map(to_column),
        expires_at: draft.expires_at.map(to_column),
        max_uses: draft.max_uses.and_then(|max| i32::try_from(max).ok()),
        issued_by: issuer.0,
        issued_at: to_column(cx.now),
        statement: String::new(),
        digest: String::new(),
        signature: None,
        signature_kid: None,
        uses: 0,
        revoked_at: None,
        revoked_by: None,
        carried_to: None,
        carried_at: None,
    };
    lineage::sign(&mut row, None, signer).await?;
    let row = insert(&tx, row).await?;
    tx.add_event(api_key::created_event(&key));
    tx.commit(cx, event("capability.issue", &row)).await?;
    Ok(CapabilityCreated { capability: row.into(), key, plaintext_key: new_key.plaintext })
}

/// Returns the key that signs grants. Grants are always signed.
pub(super) fn signer(cx: &Cx) -> Result<&ServiceKey, Refusal> {
    let unsigned = || conflict("this service has no signing key to sign grants with");
    cx.governance.grant_signer().ok_or_else(unsigned)
}

fn check_open(version: &policy_version::Model) -> Result<(), Refusal> {
    let status = version.status.0;
    if matches!(status, VersionStatus::Replaced | VersionStatus::SetAside) {
        return Err(invalid_transition("VERSION_CLOSED", status.as_str(), "issue"));
    }
    Ok(())
}

pub(super) async fn insert(tx: &TenantTx, row: Model) -> Result<Model> {
    Ok(row.into_active_model().reset_all().insert(tx.connection()).await?)
}
