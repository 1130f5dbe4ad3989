//! The versions of a policy: drafted, submitted, reviewed, ratified, activated; immutable afterwards.

mod approval;
mod change;
mod close;
mod history;
pub(crate) mod lineage;
mod ratify;
mod review;
mod seal;
mod send;
mod subject;
mod touch;
mod trial;

use contract::{
    id::{PolicyId, PolicyVersionId},
    json::{Object, Value},
    policy::{PolicyVersion, VersionStatus, WithReason},
    read,
    rule::Severity,
};
use entity::{
    column::{Word, at},
    policy as policies, policy_version as table,
};
use receipt::digest::Digest;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, RelationDef, Select,
};

use self::change::Change;
use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, constraint, draft_exists, not_found},
    governance_change::{self, Report},
    permission,
    policy::{
        authored::{Edit, NewVersion},
        codification,
        lifecycle::{self, Move},
        lock,
    },
    tenancy::TenantTx,
};

pub(crate) use self::ratify::stop_deciding;
pub use self::{
    approval::read as approval,
    close::{set_aside, supersede},
    history::{Waiting, all, diff, list, waiting},
    ratify::{Prospects, activate, prospects, ratify},
    review::{owed_answer, record, submissions},
    seal::{Sealed, seal},
    send::send,
    subject::{ActiveVersion, Subject},
    touch::{Touch, last_touch},
    trial::try_out,
};

/// Opens a new draft.
///
/// # Errors
/// `NOT_FOUND`; `DRAFT_EXISTS` while a draft or submitted version is open; `CODIFICATION_REFUSED`.
pub async fn create(cx: &Cx, id: PolicyId, mut new: NewVersion) -> Result<PolicyVersion> {
    let tenant = cx.tenant(permission::WRITE_POLICIES)?;
    new.rules = codification::codified(cx, new.rules, new.codification.take()).await?;
    let tx = tenant.begin().await?;
    let policy = lock(&tx, id).await?;
    let previous = lineage::continued(&tx, id, new.based_on_version).await?;
    let opened = open(&tx, cx, policy, new, previous).await?;
    let event = event("policy_version.create", &opened.version);
    let version = whole(&tx, opened.version).await?;
    tx.commit(cx, event).await?;
    Ok(version)
}

/// A draft that was just opened, and its policy.
pub(crate) struct Opened {
    pub(crate) policy: policies::Model,
    pub(crate) version: table::Model,
}

/// The draft before a new draft in its lineage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Previous {
    pub(crate) version: i32,
    /// Whether it was set aside, and not replaced by the new draft.
    pub(crate) was_set_aside: bool,
}

/// Opens a draft of a policy whose row is locked; with `previous`, in the lineage of that draft.
pub(crate) async fn open(
    tx: &TenantTx,
    cx: &Cx,
    policy: policies::Model,
    new: NewVersion,
    previous: Option<Previous>,
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
        has_unknown_maker: Set(cx.caller.person().is_none()),
        lineage_previous: Set(previous.map(|previous| previous.version)),
        lineage_set_aside: Set(previous.is_some_and(|previous| previous.was_set_aside)),
        ..Default::default()
    };
    let version = row.insert(tx.connection()).await.map_err(draft_open)?;
    codification::keep(tx, cx, &version, new.rules.kept).await?;
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
    let tx = cx.tenant_of_version(permission::READ_VERSION, id, version)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let version = whole(&tx, row.ok_or_else(|| not_found(Noun::Version))?).await?;
    tx.end().await?;
    Ok(version)
}

/// Deletes a draft that was never sealed, recalled and rejected ones too. Its history stays in the audit
/// log, and its number is not given out again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or `VERSION_WAS_SEALED`.
pub async fn delete(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<()> {
    let mut change =
        Change::begin(cx, permission::WRITE_POLICIES, id, version, Move::Delete).await?;
    if seal::was_sealed(&change.tx, &change.before).await? {
        return Err(lifecycle::refused(&change.before, Move::Delete, "VERSION_WAS_SEALED").into());
    }
    change.policy.draft_version = Set(None);
    let row = change
        .tx
        .delete::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(change.before.version));
    row.exec(change.tx.connection()).await?;
    change.policy.update(change.tx.connection()).await?;
    let event = event("policy_version.delete", &change.before);
    change.tx.commit(cx, event).await
}

/// Edits a draft in place; its revision moves.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`; `STALE_DRAFT_REVISION`;
/// `CODIFICATION_REFUSED`.
pub async fn edit(cx: &Cx, id: PolicyId, version: u32, edit: Edit) -> Result<PolicyVersion> {
    let edit = codification::edited(cx, id, version, edit).await?;
    let mut change = Change::begin(cx, permission::EDIT_DRAFT, id, version, Move::Edit).await?;
    change.expect_revision(edit.patch.expected_revision).await?;
    let row = &mut change.row;
    row.draft_revision = Set(change.before.draft_revision.saturating_add(1));
    if let Some(rules) = edit.rules {
        row.rules = Set(rules.text);
        row.rules_digest = Set(rules.digest);
        change.kept = rules.kept;
    }
    match edit.patch.change_reason {
        read::Change::Keep => {}
        read::Change::Clear => change.row.change_reason = Set(None),
        read::Change::Set(reason) => change.row.change_reason = Set(Some(reason)),
    }
    change.add_maker(cx);
    change.commit(cx, "policy_version.edit").await
}

/// Sends a draft to its ratifiers; its rules are fixed from here on.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`.
pub async fn submit(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<PolicyVersion> {
    let change = Change::begin(cx, permission::SUBMIT, id, version, Move::Submit).await?;
    submitted(cx, change).await
}

/// Stores a draft as submitted, and commits.
async fn submitted(cx: &Cx, mut change: Change) -> Result<PolicyVersion> {
    let row = &mut change.row;
    row.status = Set(Word(VersionStatus::Submitted));
    row.submitted_at = Set(Some(at(cx.now)));
    row.submitted_by = Set(cx.caller.principal());
    change.add_maker(cx);
    change.commit(cx, "policy_version.submit").await
}

/// Takes a submitted version back; it is a draft again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SUBMITTED`.
pub async fn recall(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<PolicyVersion> {
    let mut change =
        Change::begin(cx, permission::WRITE_POLICIES, id, version, Move::Recall).await?;
    change.row.status = Set(Word(VersionStatus::Draft));
    change.commit(cx, "policy_version.recall").await
}

/// Sends a submitted version back to its author, with the reason. Raises an alert.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key while `human_changes_only` is on; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SUBMITTED`.
pub async fn reject(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    with: WithReason,
) -> Result<PolicyVersion> {
    let mut change = Change::open(cx, permission::REJECT, id, version).await?;
    governance_change::admit(&change.tx, cx).await?;
    change.allow(Move::Reject).await?;
    let reason_digest = Digest::of(with.reason.as_bytes());
    governance_change::raise(&change.tx, cx, Severity::High, rejection(&change)).await?;
    let row = &mut change.row;
    row.status = Set(Word(VersionStatus::Draft));
    row.rejected_at = Set(Some(at(cx.now)));
    row.rejected_by = Set(cx.caller.principal());
    row.rejection_reason = Set(Some(with.reason));
    let rejected =
        |version: &_| event("policy_version.reject", version).with("reason_digest", reason_digest);
    change.commit_with(cx, rejected).await
}

fn rejection(change: &Change) -> Report {
    let version = entity::column::number(change.before.version);
    let code = change.policy_before.code.as_str();
    Report {
        message: format!("Version {version} of policy {code} was rejected."),
        action: "policy_version.reject",
        facts: Object::from([
            ("policy_id", Value::from(change.before.policy_id.to_string())),
            ("policy_code", code.into()),
            ("version", version.into()),
        ]),
    }
}

fn event(action: &'static str, version: &table::Model) -> Event {
    Event::new(action, "policy_version", version.id)
        .with("policy_id", version.policy_id.to_string())
        .with("version", entity::column::number(version.version))
        .with("draft_revision", entity::column::number(version.draft_revision))
        .with("rules_digest", version.rules_digest.as_str())
}

pub(crate) fn find(tx: &TenantTx, id: PolicyId, version: u32) -> Select<table::Entity> {
    tx.find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(i32::try_from(version).unwrap_or(i32::MAX)))
}

/// From versions to their policies.
pub(crate) fn to_policy() -> RelationDef {
    table::Entity::belongs_to(policies::Entity)
        .from((table::Column::TenantId, table::Column::PolicyId))
        .to((policies::Column::TenantId, policies::Column::Id))
        .into()
}

/// The wire form of a version's row, with its successor and what is kept of its codification.
pub(crate) async fn whole(tx: &TenantTx, row: table::Model) -> Result<PolicyVersion> {
    let mut version = wire(row)?;
    lineage::name_successors(tx, version.policy_id, std::slice::from_mut(&mut version)).await?;
    codification::attach(tx, &mut version).await?;
    Ok(version)
}

/// The wire form of a version's row.
pub(crate) fn wire(row: table::Model) -> Result<PolicyVersion> {
    PolicyVersion::try_from(row).map_err(|error| Error::Bug(error.into()))
}
