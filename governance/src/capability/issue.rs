//! Issuing: a person grants a new key some work on one version.

use contract::{
    api_key::ApiKeyDraft,
    capability::{CapabilityAction, CapabilityCreated, CapabilityDraft},
    id::CapabilityId,
    policy::VersionStatus,
    scope::Scope,
};
use entity::{capability_grant::Model, column::at, policy_version};
use sea_orm::{ActiveModelTrait, IntoActiveModel};

use super::{chain, event, find};
use crate::{
    api_key::{self, Maker, Token},
    cx::Cx,
    door::lock_authority,
    error::{Noun, Refusal, Result, conflict, invalid_field, invalid_transition, not_found},
    permission,
    policy::{self, version},
    signing::ServiceKey,
    tenancy::TenantTx,
};

/// Makes a key, and grants it some work on one version, which is bound to the grant from here on. The
/// key can do nothing else; it acts for the person who issues it, where people are compared.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND` for the policy or the version; `INVALID_TRANSITION` with
/// `VERSION_CLOSED`; `VALIDATION_ERROR` for an end that has passed; `CONFLICT` where nothing is signed.
pub async fn issue(cx: &Cx, draft: CapabilityDraft) -> Result<CapabilityCreated> {
    issue_as(cx, cx.governance.chance().id(), draft).await
}

/// Issues a grant under an id that was given out before, so that a form that is sent twice issues one.
///
/// # Errors
/// As [`issue`]; `CONFLICT` when there is a grant with this id.
pub async fn issue_as(
    cx: &Cx,
    id: CapabilityId,
    draft: CapabilityDraft,
) -> Result<CapabilityCreated> {
    let tenant = cx.tenant(permission::ISSUE_CAPABILITIES)?;
    let issuer = cx.human()?.user_id;
    let signer = signer(cx)?;
    if draft.expires_at.is_some_and(|end| end <= cx.now) {
        return Err(invalid_field("/expires_at", "range", "must lie in the future").into());
    }
    let mut tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::ISSUE_CAPABILITIES).await?;
    policy::lock(&tx, draft.policy_id).await?;
    let version = version::find(&tx, draft.policy_id, draft.version).one(tx.connection()).await?;
    let version = version.ok_or_else(|| not_found(Noun::Version))?;
    is_open(&version)?;
    // Whoever comes second waits here until the first is done, and then sees its grant.
    tx.head().await?;
    if find(&tx, id).one(tx.connection()).await?.is_some() {
        let message = "a grant with this id was issued before; if its key was not seen, revoke it";
        return Err(conflict(message).into());
    }
    let token = Token::new(cx.governance.chance());
    let key = ApiKeyDraft {
        name: draft.name.clone(),
        scopes: vec![Scope::AuthoringCapability],
        expires_at: None,
    };
    let key = api_key::insert(&mut tx, cx, &token, key, Maker::from(issuer)).await?;
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
        actions: words(&draft.actions),
        not_before: draft.not_before.map(at),
        expires_at: draft.expires_at.map(at),
        max_uses: draft.max_uses.and_then(|max| i32::try_from(max).ok()),
        issued_by: issuer.0,
        issued_at: at(cx.now),
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
    chain::sign(&mut row, None, signer).await?;
    let row = insert(&tx, row).await?;
    tx.also(api_key::created(&key));
    tx.commit(cx, event("capability.issue", &row)).await?;
    Ok(CapabilityCreated { capability: row.into(), key, plaintext_key: token.plaintext })
}

/// The key that signs grants. Without one a grant would be no more than a row.
pub(super) fn signer(cx: &Cx) -> Result<&ServiceKey, Refusal> {
    let unsigned = || conflict("this service has no signing key, and grants must be signed");
    cx.governance.grant_signer().ok_or_else(unsigned)
}

/// Refuses a version on which there is no more work.
fn is_open(version: &policy_version::Model) -> Result<(), Refusal> {
    let status = version.status.0;
    if matches!(status, VersionStatus::Replaced | VersionStatus::SetAside) {
        return Err(invalid_transition("VERSION_CLOSED", status.as_str(), "issue"));
    }
    Ok(())
}

fn words(actions: &[CapabilityAction]) -> Vec<String> {
    actions.iter().map(CapabilityAction::to_string).collect()
}

/// Stores a new grant.
pub(super) async fn insert(tx: &TenantTx, row: Model) -> Result<Model> {
    Ok(row.into_active_model().reset_all().insert(tx.connection()).await?)
}
