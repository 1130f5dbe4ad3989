//! How a version ends without being used: replaced by a corrected draft, or set aside.

use contract::{
    capability::CapabilityAction,
    id::PolicyId,
    policy::{PolicyVersion, Superseded, VersionStatus, WithReason},
    scope::Right,
};
use entity::{
    capability_grant as grants,
    column::{Word, at},
    policy_version as table,
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ExprTrait, QueryFilter, QuerySelect,
};
use uuid::Uuid;

use super::{Previous, change::Change, event, open, subject::Subject, whole};
use crate::{
    caller::Human,
    cx::Cx,
    error::{Refusal, Result, role_lacks},
    permission,
    policy::{
        authored::{Correction, NewVersion},
        codification,
        lifecycle::{self, Move},
    },
    tenancy::TenantTx,
};

/// Corrects a draft without overwriting it: the old one is kept as history, and a new one begins with
/// the corrected rules. An autosave at the same time comes first, and makes this stale, or finds the
/// draft replaced.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or
/// `VERSION_BOUND_TO_CAPABILITY`; `STALE_DRAFT_REVISION`; `CODIFICATION_REFUSED`.
pub async fn supersede(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    correction: Correction,
) -> Result<Superseded> {
    let Correction { mut draft, rules } = correction;
    cx.tenant(permission::SUPERSEDE)?;
    let rules = codification::codified(cx, rules, draft.codification.take()).await?;
    let mut change = Change::begin(cx, permission::SUPERSEDE, id, version, Move::Supersede).await?;
    if is_bound(&change.tx, cx, &change.before).await? {
        let reason = "VERSION_BOUND_TO_CAPABILITY";
        return Err(lifecycle::refused(&change.before, Move::Supersede, reason).into());
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
    let opened = open(&change.tx, cx, policy, new, Some(previous)).await?.version;
    let mut tx = change.tx;
    tx.also(event("policy_version.create", &opened));
    let event = event("policy_version.supersede", &replaced)
        .with("draft_id", opened.id.to_string())
        .with("superseded_by_version", entity::column::number(opened.version));
    let draft = whole(&tx, opened).await?;
    let replaced = PolicyVersion { rules: None, ..whole(&tx, replaced).await? };
    tx.commit(cx, event).await?;
    Ok(Superseded { replaced, draft })
}

/// Whether a live grant with a writing action names the version: one that is not revoked, expired or
/// carried. Issuing and carrying a grant lock the policy's row too.
async fn is_bound(tx: &TenantTx, cx: &Cx, version: &table::Model) -> Result<bool> {
    use grants::Column;
    let grant = tx
        .find::<grants::Entity>()
        .filter(Column::PolicyVersionId.eq(version.id))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::CarriedTo.is_null())
        .filter(Column::ExpiresAt.is_null().or(Column::ExpiresAt.gt(at(cx.now))))
        .filter(Column::Actions.array_overlap(CapabilityAction::writing_words()))
        .select_only()
        .column(Column::Id)
        .into_tuple::<Uuid>()
        .one(tx.connection())
        .await?;
    Ok(grant.is_some())
}

/// Closes a version that was never in force: one's own, or anybody's as a reviewer.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN` for another's version; `NOT_FOUND`; `INVALID_TRANSITION` with
/// `VERSION_CLOSED` or `VERSION_WAS_ACTIVE`.
pub async fn set_aside(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    with: WithReason,
) -> Result<PolicyVersion> {
    let mut change = Change::open(cx, permission::SET_ASIDE, id, version).await?;
    may_set_aside(cx.human()?, &change.before)?;
    change.allow(Move::SetAside).await?;
    if change.policy_before.draft_version == Some(change.before.version) {
        change.policy.draft_version = Set(None);
    }
    close(&mut change.row, cx, VersionStatus::SetAside, with.reason);
    change.commit(cx, "policy_version.set_aside").await
}

/// Refuses who neither had a part in making the version nor reviews.
fn may_set_aside(human: &Human, version: &table::Model) -> Result<(), Refusal> {
    if human.role.may(Right::Review) || version.makers.contains(&human.user_id.0) {
        return Ok(());
    }
    Err(role_lacks("setting aside what others made", human.role.as_str()))
}

fn close(row: &mut table::ActiveModel, cx: &Cx, status: VersionStatus, reason: String) {
    row.status = Set(Word(status));
    row.closed_at = Set(Some(at(cx.now)));
    row.closed_by = Set(cx.caller.principal());
    row.closed_reason = Set(Some(reason));
}
