//! Ratification, activation and deactivation of versions.

use contract::{
    capability::CapabilityAction,
    policy::{Ratification, ReviewVerdict},
    settings::Settings,
};
use entity::{capability_grant as grants, policy_version as table};

use super::{
    Subject,
    approval::{self, ApprovalSubject},
    event, review,
    transition::VersionTransition,
};
use crate::{
    access::permission,
    authoring::{
        policy::{
            active_size,
            lifecycle::{self, RatificationContext, Transition},
        },
        settings,
    },
    base::{prelude::*, tenancy::ChangeScope},
};

/// Returns why a ratifier could not ratify a version now. `verdict` is that of the review of exactly this revision.
pub(super) async fn refusal(
    tx: &TenantTx,
    ratifier: UserId,
    version: &table::Model,
    verdict: Option<ReviewVerdict>,
    settings: &Settings,
) -> Result<Option<Refusal>> {
    let context = ratification_context(tx, version, verdict).await?;
    let ratifiable = lifecycle::check_transition(version, Transition::Ratify)
        .and_then(|()| lifecycle::ratifiable(version, &context, ratifier, settings));
    Ok(ratifiable.err())
}

/// Ratifies a version as a user who did not help to create it, and stores the signed approval. The
/// version must be submitted, or be a draft whose current revision was sealed and accepted.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN`; `CONFIRMATION_REQUIRED`; `NOT_FOUND`; `STALE_DRAFT_REVISION`;
/// `INVALID_TRANSITION` with `VERSION_RETURNED`, `VERSION_NOT_SUBMITTED` or `REVIEW_REQUIRED`;
/// `MAKER_CHECKER_VIOLATION`, with `MAKER_UNKNOWN` when a maker is not a known user.
pub async fn ratify(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    ratification: Ratification,
) -> Result<PolicyVersion> {
    let mut change =
        VersionTransition::begin(cx, permission::RATIFY, id, version, Transition::Ratify).await?;
    change.expect_revision(ratification.expected_revision).await?;
    let human = cx.human()?;
    let settings = settings::load_locked(&change.tx).await?;
    let review = review::status_of_revision(&change.tx, &change.before).await?;
    let verdict = review.as_ref().and_then(|review| review.verdict);
    let context = ratification_context(&change.tx, &change.before, verdict).await?;
    lifecycle::ratifiable(&change.before, &context, human.user_id, &settings)?;
    let row = &mut change.row;
    row.status = Set(TextEnum(VersionStatus::Ratified));
    row.ratified_at = Set(Some(to_column(cx.now)));
    row.ratified_by = Set(cx.caller.principal());
    row.ratification_note = Set(ratification.note);
    change.policy.draft_version = Set(None);
    change.policy.was_ratified = Set(true);
    let approved = ApprovalSubject {
        policy: &change.policy_before,
        version: &change.before,
        makers: &context.makers,
        is_maker_checked: settings.maker_checker_enabled,
        review,
    };
    let digest = approval::sign_approval(&change.tx, cx, human, &approved).await?;
    let to_event =
        |version: &_| event("policy_version.ratify", version).with("approval_digest", digest);
    change.commit_with(cx, to_event).await
}

/// Returns the makers of a version, with the review verdict of its current revision.
async fn ratification_context(
    tx: &TenantTx,
    version: &table::Model,
    verdict: Option<ReviewVerdict>,
) -> Result<RatificationContext> {
    let mut makers = version.makers.clone();
    let issuers = tx
        .find::<grants::Entity>()
        .filter(grants::Column::PolicyVersionId.eq(version.id))
        .filter(grants::Column::Actions.array_overlap(CapabilityAction::writing_names()))
        .select_only()
        .column(grants::Column::IssuedBy)
        .distinct()
        .into_tuple::<Uuid>()
        .all(tx.connection())
        .await?;
    for issuer in issuers {
        makers = lifecycle::with_maker(&makers, Some(UserId(issuer)));
    }
    Ok(RatificationContext { makers, has_unknown_maker: version.has_unknown_maker, verdict })
}

/// Activates a ratified version. The previously active version is deactivated in the same transaction.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_RATIFIED` or
/// `VERSION_ALREADY_ACTIVE`; `CONFLICT` if the active versions would have too many rules.
pub async fn activate(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<PolicyVersion> {
    let mut change =
        VersionTransition::begin(cx, permission::ACTIVATE, id, version, Transition::Activate)
            .await?;
    if let Some(active_version) = change.policy_before.active_version {
        deactivate_version(&change.tx, id, active_version).await?;
    }
    let row = &mut change.row;
    row.is_active = Set(true);
    row.activated_at = Set(Some(to_column(cx.now)));
    row.activated_by = Set(cx.caller.principal());
    change.policy.active_version = Set(Some(change.before.version));
    change
        .tx
        .bump_activation_counter(ChangeScope::for_policy(change.policy_before.inheritable))
        .await?;
    active_size::check(&change.tx, Some(change.before.id.into())).await?;
    change.commit(cx, "policy_version.activate").await
}

pub(crate) async fn deactivate_version(tx: &TenantTx, id: PolicyId, version: i32) -> Result<()> {
    tx.update::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(version))
        .set(table::ActiveModel { is_active: Set(false), ..Default::default() })
        .exec(tx.connection())
        .await?;
    Ok(())
}
