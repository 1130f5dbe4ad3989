//! Ratifying, and bringing into force what was ratified.

use contract::{
    capability::CapabilityAction,
    id::{PolicyId, UserId},
    policy::{PolicyVersion, Ratification, VersionStatus},
};
use entity::{
    capability_grant as grants,
    column::{Word, at},
    policy_version as table,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use super::{
    approval::{self, Approved},
    change::Change,
    event, find,
    review::{self, Reviewed},
    subject::Subject,
};
use crate::{
    cx::Cx,
    error::{Noun, Refusal, Result, not_found},
    permission::{self, Permission},
    policy::lifecycle::{self, Move, Standing},
    settings,
    tenancy::{Reach, TenantTx},
};

/// What stands in the way of the next acts on a version, for a person who may do them by role.
#[derive(Clone, Debug)]
pub struct Prospects {
    /// Why the caller cannot ratify it.
    pub ratify: Option<Refusal>,
    /// Why it cannot be activated.
    pub activate: Option<Refusal>,
}

/// Whether the signed-in person could ratify or activate a version now, and if not, why. How old
/// the sign-in is does not matter: the act itself asks for the password.
///
/// # Errors
/// `NOT_FOUND`; `HUMAN_REQUIRED`; `FORBIDDEN` for who is no ratifier.
pub async fn prospects(cx: &Cx, id: PolicyId, version: u32) -> Result<Prospects> {
    let ratifier = cx.human()?.user_id;
    let asking = Permission { signs: false, ..permission::RATIFY };
    let tx = cx.tenant(asking)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::Version))?;
    let settings = settings::of(&tx).await?;
    let (standing, _) = standing(&tx, &row).await?;
    tx.end().await?;
    let ratify = lifecycle::allow(&row, Move::Ratify)
        .and_then(|()| lifecycle::ratifiable(&row, &standing, ratifier, &settings));
    let activate = lifecycle::allow(&row, Move::Activate);
    Ok(Prospects { ratify: ratify.err(), activate: activate.err() })
}

/// Approves a version, as a person who had no part in making it: one that was submitted, or a draft
/// whose very revision was sealed and accepted. The approval is signed and kept.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN` with `CONFIRMATION_REQUIRED`; `NOT_FOUND`; `STALE_DRAFT_REVISION`;
/// `INVALID_TRANSITION` with `VERSION_RETURNED`, `VERSION_NOT_SUBMITTED` or `REVIEW_REQUIRED`;
/// `MAKER_CHECKER_VIOLATION`, with `MAKER_UNKNOWN` when a maker is not a known person.
pub async fn ratify(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    ratification: Ratification,
) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::RATIFY, id, version, Move::Ratify).await?;
    change.expect_revision(ratification.expected_revision).await?;
    let human = cx.human()?;
    let settings = settings::held(&change.tx).await?;
    let (standing, review) = standing(&change.tx, &change.before).await?;
    lifecycle::ratifiable(&change.before, &standing, human.user_id, &settings)?;
    let row = &mut change.row;
    row.status = Set(Word(VersionStatus::Ratified));
    row.ratified_at = Set(Some(at(cx.now)));
    row.ratified_by = Set(cx.caller.principal());
    row.ratification_note = Set(ratification.note);
    change.policy.draft_version = Set(None);
    change.policy.ratified_ever = Set(true);
    let approved = Approved {
        policy: &change.policy_before,
        version: &change.before,
        makers: &standing.makers,
        is_maker_checked: settings.maker_checker_enabled,
        review,
    };
    let digest = approval::give(&change.tx, cx, human, &approved).await?;
    let ratified =
        |version: &_| event("policy_version.ratify", version).with("approval_digest", digest);
    change.commit_with(cx, ratified).await
}

/// Who made a version and how its reviews stand, with the submission that they are about.
async fn standing(tx: &TenantTx, version: &table::Model) -> Result<(Standing, Option<Reviewed>)> {
    let mut makers = version.makers.clone();
    let issuers = tx
        .find::<grants::Entity>()
        .filter(grants::Column::PolicyVersionId.eq(version.id))
        .filter(grants::Column::Actions.array_overlap(CapabilityAction::writing_words()))
        .select_only()
        .column(grants::Column::IssuedBy)
        .distinct()
        .into_tuple::<Uuid>()
        .all(tx.connection())
        .await?;
    for issuer in issuers {
        makers = lifecycle::with_maker(&makers, Some(UserId(issuer)));
    }
    let review = review::of_revision(tx, version).await?;
    let verdict = review.as_ref().and_then(|review| review.verdict);
    let has_unknown_maker = version.has_unknown_maker;
    Ok((Standing { makers, has_unknown_maker, verdict }, review))
}

/// Makes a ratified version the one that decides; the earlier one stops in the same transaction.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_RATIFIED` or
/// `VERSION_ALREADY_ACTIVE`.
pub async fn activate(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::ACTIVATE, id, version, Move::Activate).await?;
    if let Some(earlier) = change.policy_before.active_version {
        stop_deciding(&change.tx, id, earlier).await?;
    }
    let row = &mut change.row;
    row.is_active = Set(true);
    row.activated_at = Set(Some(at(cx.now)));
    row.activated_by = Set(cx.caller.principal());
    change.policy.active_version = Set(Some(change.before.version));
    change.tx.activations_changed(Reach::of(change.policy_before.inheritable)).await?;
    change.commit(cx, "policy_version.activate").await
}

/// Makes a version stop to decide.
pub(crate) async fn stop_deciding(tx: &TenantTx, id: PolicyId, version: i32) -> Result<()> {
    tx.update::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(version))
        .set(table::ActiveModel { is_active: Set(false), ..Default::default() })
        .exec(tx.connection())
        .await?;
    Ok(())
}
