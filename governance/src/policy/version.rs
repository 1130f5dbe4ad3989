//! The versions of a policy: drafted, submitted, ratified, activated; immutable afterwards.

mod history;

use contract::{
    id::{PolicyId, PolicyVersionId},
    policy::{PolicyVersion, Ratification, VersionStatus, WithReason},
};
use entity::{
    column::{Word, at},
    policy as policies, policy_version as table,
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DbErr, IntoActiveModel, QueryFilter, Select,
};

use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Refusal, Result, constraint, draft_exists, not_found, stale_draft},
    permission::{self, Permission},
    policy::{
        authored::{Edit, NewVersion},
        lifecycle::{self, Move},
        lock,
    },
    settings,
    tenancy::{Reach, TenantTx},
};

pub use self::history::{Waiting, all, diff, list, waiting};

/// Opens a new draft.
///
/// # Errors
/// `NOT_FOUND`; `DRAFT_EXISTS` while a draft or submitted version is open.
pub async fn create(cx: &Cx, id: PolicyId, new: NewVersion) -> Result<PolicyVersion> {
    let tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let policy = lock(&tx, id).await?;
    let opened = open(&tx, cx, policy, new).await?;
    let event = event("policy_version.create", &opened.version);
    tx.commit(cx, event).await?;
    wire(opened.version)
}

/// A draft that was just opened, and its policy.
pub(crate) struct Opened {
    pub(crate) policy: policies::Model,
    pub(crate) version: table::Model,
}

/// Opens a draft of a policy whose row is locked.
pub(crate) async fn open(
    tx: &TenantTx,
    cx: &Cx,
    policy: policies::Model,
    new: NewVersion,
) -> Result<Opened> {
    if let Some(open) = policy.draft_version {
        return Err(draft_exists(Some(entity::column::number(open))).into());
    }
    let number = policy.latest_version.saturating_add(1);
    let id: PolicyVersionId = cx.governance.chance().id();
    let row = table::ActiveModel {
        tenant_id: Set(policy.tenant_id),
        policy_id: Set(policy.id),
        version: Set(number),
        id: Set(id.0),
        draft_revision: Set(1),
        rules: Set(new.rules.text),
        rules_digest: Set(new.rules.digest),
        is_active: Set(false),
        status: Set(Word(VersionStatus::Draft)),
        created_at: Set(at(cx.now)),
        created_by: Set(cx.caller.principal()),
        change_reason: Set(new.change_reason),
        based_on_version: Set(new.based_on_version.and_then(|based| i32::try_from(based).ok())),
        makers: Set(lifecycle::with_maker(&[], cx.caller.person())),
        ..Default::default()
    };
    let version = row.insert(tx.connection()).await.map_err(draft_open)?;
    let mut row = policy.into_active_model();
    row.draft_version = Set(Some(number));
    row.latest_version = Set(number);
    row.updated_at = Set(at(cx.now));
    let policy = row.update(tx.connection()).await?;
    Ok(Opened { policy, version })
}

fn draft_open(error: DbErr) -> Error {
    match constraint(&error) {
        Some("policy_versions_one_open") => draft_exists(None).into(),
        _ => error.into(),
    }
}

/// One version with its rules.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyVersion> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    tx.end().await?;
    wire(row.ok_or_else(|| not_found(Noun::Version))?)
}

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
    let settings = settings::of(&tx).await?;
    tx.end().await?;
    let row = row.ok_or_else(|| not_found(Noun::Version))?;
    let ratify = lifecycle::allow(&row, Move::Ratify)
        .and_then(|()| lifecycle::ratifiable(&row, ratifier, &settings));
    let activate = lifecycle::allow(&row, Move::Activate);
    Ok(Prospects { ratify: ratify.err(), activate: activate.err() })
}

/// Deletes a draft that was never submitted. Its number is not given out again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or `VERSION_WAS_SUBMITTED`.
pub async fn delete(cx: &Cx, id: PolicyId, version: u32) -> Result<()> {
    let mut change =
        Change::begin(cx, permission::WRITE_POLICIES, id, version, Move::Delete).await?;
    change.policy.draft_version = Set(None);
    change.tx.execute(DELETE, [id.0.into(), change.before.version.into()]).await?;
    change.policy.update(change.tx.connection()).await?;
    let event = event("policy_version.delete", &change.before);
    change.tx.commit(cx, event).await
}

const DELETE: &str =
    "DELETE FROM policy_versions WHERE tenant_id = $1 AND policy_id = $2 AND version = $3";

/// Edits a draft in place; its revision moves.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`; `STALE_DRAFT_REVISION`.
pub async fn edit(cx: &Cx, id: PolicyId, version: u32, edit: Edit) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::WRITE_POLICIES, id, version, Move::Edit).await?;
    change.expect_revision(edit.patch.expected_revision)?;
    let row = &mut change.row;
    row.draft_revision = Set(change.before.draft_revision.saturating_add(1));
    row.makers = Set(lifecycle::with_maker(&change.before.makers, cx.caller.person()));
    if let Some(rules) = edit.rules {
        row.rules = Set(rules.text);
        row.rules_digest = Set(rules.digest);
    }
    if let Some(reason) = edit.patch.change_reason {
        row.change_reason = Set(Some(reason));
    }
    change.commit(cx, "policy_version.edit").await
}

/// Sends a draft to its ratifiers; its rules are fixed from here on.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`.
pub async fn submit(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyVersion> {
    let mut change =
        Change::begin(cx, permission::WRITE_POLICIES, id, version, Move::Submit).await?;
    let row = &mut change.row;
    row.status = Set(Word(VersionStatus::Submitted));
    row.submitted_at = Set(Some(at(cx.now)));
    row.submitted_by = Set(cx.caller.principal());
    row.makers = Set(lifecycle::with_maker(&change.before.makers, cx.caller.person()));
    change.commit(cx, "policy_version.submit").await
}

/// Takes a submitted version back; it is a draft again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SUBMITTED`.
pub async fn recall(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyVersion> {
    let mut change =
        Change::begin(cx, permission::WRITE_POLICIES, id, version, Move::Recall).await?;
    change.row.status = Set(Word(VersionStatus::Draft));
    change.commit(cx, "policy_version.recall").await
}

/// Sends a submitted version back to its author, with the reason.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SUBMITTED`.
pub async fn reject(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    with: WithReason,
) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::REJECT, id, version, Move::Reject).await?;
    let row = &mut change.row;
    row.status = Set(Word(VersionStatus::Draft));
    row.rejected_at = Set(Some(at(cx.now)));
    row.rejected_by = Set(cx.caller.principal());
    row.rejection_reason = Set(Some(with.reason));
    change.commit(cx, "policy_version.reject").await
}

/// Approves a submitted version, as a person who had no part in making it.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SUBMITTED`;
/// `STALE_DRAFT_REVISION`; `MAKER_CHECKER_VIOLATION`; `INVALID_TRANSITION` with `REVIEW_REQUIRED`.
pub async fn ratify(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    ratification: Ratification,
) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::RATIFY, id, version, Move::Ratify).await?;
    change.expect_revision(ratification.expected_revision)?;
    let settings = settings::held(&change.tx).await?;
    lifecycle::ratifiable(&change.before, cx.human()?.user_id, &settings)?;
    let row = &mut change.row;
    row.status = Set(Word(VersionStatus::Ratified));
    row.ratified_at = Set(Some(at(cx.now)));
    row.ratified_by = Set(cx.caller.principal());
    row.ratification_note = Set(ratification.note);
    change.policy.draft_version = Set(None);
    change.policy.ratified_ever = Set(true);
    change.commit(cx, "policy_version.ratify").await
}

/// Makes a ratified version the one that decides; the earlier one stops in the same transaction.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_RATIFIED` or
/// `VERSION_ALREADY_ACTIVE`.
pub async fn activate(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::ACTIVATE, id, version, Move::Activate).await?;
    if let Some(earlier) = change.active_version {
        stop_deciding(&change.tx, id, earlier).await?;
    }
    let row = &mut change.row;
    row.is_active = Set(true);
    row.activated_at = Set(Some(at(cx.now)));
    row.activated_by = Set(cx.caller.principal());
    change.policy.active_version = Set(Some(change.before.version));
    change.tx.activations_changed(change.reach).await?;
    change.commit(cx, "policy_version.activate").await
}

const STOP_DECIDING: &str = "UPDATE policy_versions SET is_active = false \
                             WHERE tenant_id = $1 AND policy_id = $2 AND version = $3";

/// Makes a version stop to decide.
pub(crate) async fn stop_deciding(tx: &TenantTx, id: PolicyId, version: i32) -> Result<()> {
    tx.execute(STOP_DECIDING, [id.0.into(), version.into()]).await?;
    Ok(())
}

/// A move of one version, between the check of its state and the commit.
struct Change {
    tx: TenantTx,
    before: table::Model,
    row: table::ActiveModel,
    policy: policies::ActiveModel,
    active_version: Option<i32>,
    /// How far it reaches when the version begins to decide.
    reach: Reach,
}

impl Change {
    /// Locks policy and version, and refuses a move that the state does not allow.
    async fn begin(
        cx: &Cx,
        permission: Permission,
        id: PolicyId,
        version: u32,
        requested: Move,
    ) -> Result<Self> {
        let tx = cx.tenant(permission)?.begin().await?;
        let policy = lock(&tx, id).await?;
        let before = find(&tx, id, version).one(tx.connection()).await?;
        let before = before.ok_or_else(|| not_found(Noun::Version))?;
        lifecycle::allow(&before, requested)?;
        let (active_version, reach) = (policy.active_version, Reach::of(policy.inheritable));
        let mut policy = policy.into_active_model();
        policy.updated_at = Set(at(cx.now));
        let row = before.clone().into_active_model();
        Ok(Self { tx, row, before, policy, active_version, reach })
    }

    /// Refuses a caller who has read another revision.
    fn expect_revision(&self, expected: u32) -> Result<()> {
        if entity::column::number(self.before.draft_revision) == expected {
            return Ok(());
        }
        Err(stale_draft(&wire(self.before.clone())?).into())
    }

    /// Stores both rows and commits them with the event of the act.
    async fn commit(self, cx: &Cx, action: &'static str) -> Result<PolicyVersion> {
        let version = self.row.update(self.tx.connection()).await?;
        self.policy.update(self.tx.connection()).await?;
        let event = event(action, &version);
        self.tx.commit(cx, event).await?;
        wire(version)
    }
}

fn event(action: &'static str, version: &table::Model) -> Event {
    Event::new(action, "policy_version", version.id)
        .with("policy_id", version.policy_id.to_string())
        .with("version", entity::column::number(version.version))
        .with("draft_revision", entity::column::number(version.draft_revision))
        .with("rules_digest", version.rules_digest.as_str())
}

fn find(tx: &TenantTx, id: PolicyId, version: u32) -> Select<table::Entity> {
    tx.find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(i32::try_from(version).unwrap_or(i32::MAX)))
}

/// The wire form of a version's row.
pub(crate) fn wire(row: table::Model) -> Result<PolicyVersion> {
    PolicyVersion::try_from(row).map_err(|error| Error::Bug(error.into()))
}
