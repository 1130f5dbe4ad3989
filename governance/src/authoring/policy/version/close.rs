//! Closing a version without using it: replacing it with a corrected draft, or setting it aside.

use contract::{
    capability::CapabilityAction,
    policy::{ReasonBody, Superseded},
};
use entity::{capability_grant as grants, policy_version as table};
use sea_orm::ExprTrait;

use super::{
    Previous, Subject, event, open_draft, to_wire_with_lineage, transition::VersionTransition,
};
use crate::{
    access::permission,
    authoring::policy::{
        codification,
        lifecycle::{self, Transition},
        rule_input::{NewVersion, SupersedeInput},
    },
    base::{error::role_lacks_permission, prelude::*},
};

/// Supersedes a draft with a new draft that contains the corrected rules. The old draft is retained
/// with the status `replaced`. A concurrent autosave either happens first and makes this call stale, or
/// fails because the draft is replaced.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or
/// `VERSION_BOUND_TO_CAPABILITY`; `STALE_DRAFT_REVISION`; `CODIFICATION_REFUSED`.
pub async fn supersede(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    input: SupersedeInput,
) -> Result<Superseded> {
    let SupersedeInput { mut draft, rules } = input;
    cx.tenant(permission::SUPERSEDE)?;
    let rules = codification::codify_rules(cx, rules, draft.codification.take()).await?;
    let mut change =
        VersionTransition::begin(cx, permission::SUPERSEDE, id, version, Transition::Supersede)
            .await?;
    if is_bound(&change.tx, cx, &change.before).await? {
        let reason = "VERSION_BOUND_TO_CAPABILITY";
        return Err(
            lifecycle::transition_error(&change.before, Transition::Supersede, reason).into()
        );
    }
    change.expect_revision(draft.expected_revision).await?;
    close(&mut change.row, cx, VersionStatus::Replaced, draft.change_reason.clone());
    let replaced = change.row.update(change.tx.connection()).await?;
    let mut policy = change.policy_before;
    policy.draft_version = None;
    let new = NewVersion {
        rules,
        change_reason: Some(draft.change_reason),
        based_on_version: u32::try_from(replaced.version).ok(),
        codification: None,
    };
    let previous = Previous { version: replaced.version, was_set_aside: false };
    let new_draft = open_draft(&change.tx, cx, policy, new, Some(previous)).await?.version;
    let mut tx = change.tx;
    tx.add_event(event("policy_version.create", &new_draft));
    let event = event("policy_version.supersede", &replaced)
        .with("draft_id", new_draft.id.to_string())
        .with("superseded_by_version", unsigned(new_draft.version));
    let draft = to_wire_with_lineage(&tx, new_draft).await?;
    let replaced = PolicyVersion { rules: None, ..to_wire_with_lineage(&tx, replaced).await? };
    tx.commit(cx, event).await?;
    Ok(Superseded { replaced, draft })
}

/// Returns whether a live grant with a writing action names the version: one that is not revoked,
/// expired or carried over. Issuing and carrying over a grant lock the policy's row too.
async fn is_bound(tx: &TenantTx, cx: &Cx, version: &table::Model) -> Result<bool> {
    use grants::Column;
    let grant = tx
        .find::<grants::Entity>()
        .filter(Column::PolicyVersionId.eq(version.id))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::CarriedTo.is_null())
        .filter(Column::ExpiresAt.is_null().or(Column::ExpiresAt.gt(to_column(cx.now))))
        .filter(Column::Actions.array_overlap(CapabilityAction::writing_names()))
        .select_only()
        .column(Column::Id)
        .into_tuple::<Uuid>()
        .one(tx.connection())
        .await?;
    Ok(grant.is_some())
}

/// Sets aside a version that was never active. Makers of the version and reviewers may do so.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN` for another user's version; `NOT_FOUND`; `INVALID_TRANSITION` with
/// `VERSION_CLOSED` or `VERSION_WAS_ACTIVE`.
pub async fn set_aside(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    body: ReasonBody,
) -> Result<PolicyVersion> {
    let mut change = VersionTransition::open(cx, permission::SET_ASIDE, id, version).await?;
    check_set_aside(cx.human()?, &change.before)?;
    change.check(Transition::SetAside).await?;
    if change.policy_before.draft_version == Some(change.before.version) {
        change.policy.draft_version = Set(None);
    }
    close(&mut change.row, cx, VersionStatus::SetAside, body.reason);
    change.commit(cx, "policy_version.set_aside").await
}

/// Checks that the user is a maker of the version or a reviewer.
fn check_set_aside(human: &Human, version: &table::Model) -> Result<(), Refusal> {
    if human.role.has(Right::Review) || version.makers.contains(&human.user_id.0) {
        return Ok(());
    }
    let action = "setting aside a version of another user";
    Err(role_lacks_permission(action, Right::Review, human.role))
}

fn close(row: &mut table::ActiveModel, cx: &Cx, status: VersionStatus, reason: String) {
    row.status = Set(TextEnum(status));
    row.closed_at = Set(Some(to_column(cx.now)));
    row.closed_by = Set(cx.caller.principal());
    row.closed_reason = Set(Some(reason));
}
