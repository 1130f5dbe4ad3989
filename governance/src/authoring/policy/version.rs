//! Policy versions: drafted, submitted, reviewed, ratified and activated. Only drafts can be edited.

mod approval;
mod close;
pub mod comment;
mod details;
pub(crate) mod draft_lineage;
mod edit;
mod history;
mod ratify;
mod review;
pub mod saved_review;
mod seal;
mod stage;
mod submission;
mod transition;

use contract::policy::{ReasonBody, SealRequest};
use entity::{audit_event as events, policy as policies, policy_version as table};

use self::transition::VersionTransition;
use crate::{
    access::permission,
    authoring::{
        policy::{
            codification,
            lifecycle::{self, Transition},
            lock,
            rule_input::NewVersion,
            stored_codification,
        },
        settings,
    },
    base::{error::draft_exists, prelude::*},
    notify::governance_change::{self, Report},
};

pub(crate) use self::{
    approval::approval_digest,
    ratify::deactivate_version,
    stage::{StageFacts, open},
};
pub use self::{
    approval::read as approval,
    close::{set_aside, supersede},
    details::{ChangesSince, VersionDetails, details},
    edit::{edit, edit_with_recall},
    history::{PolicyHistory, all, diff, history, list, rules_of},
    ratify::{activate, ratify},
    review::{record, submissions},
    seal::{SealResult, seal},
    stage::{OpenVersion, SubmissionEvents, VersionProgress, open_stages},
};

/// A version number with the state that the caller has read. The operation is rejected if the state has
/// changed; the check is part of its transaction. Absent members are not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub number: u32,
    pub revision: Option<u32>,
    pub rules_digest: Option<String>,
    pub status: Option<VersionStatus>,
    pub active: Option<ActiveVersion>,
}

/// The number of a policy's active version; `None` while the policy is inactive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveVersion(pub Option<u32>);

impl From<u32> for Subject {
    /// Creates a subject without expected state.
    fn from(number: u32) -> Self {
        Self { number, ..Self::default() }
    }
}

/// Creates a new draft.
///
/// # Errors
/// `NOT_FOUND`; `DRAFT_EXISTS` while a draft or submitted version is open; `CODIFICATION_REFUSED`;
/// `VALIDATION_ERROR` at `/based_on_version` for a version that does not exist.
pub async fn create(cx: &Cx, id: PolicyId, mut new: NewVersion) -> Result<PolicyVersion> {
    let tenant = cx.tenant(permission::WRITE_POLICIES)?;
    new.rules = codification::codify_rules(cx, new.rules, new.codification.take()).await?;
    let tx = tenant.begin().await?;
    let policy = lock(&tx, id).await?;
    let previous = draft_lineage::continued(&tx, id, new.based_on_version).await?;
    let created = open_draft(&tx, cx, policy, new, previous).await?;
    let event = event("policy_version.create", &created.version);
    let version = to_wire_with_lineage(&tx, created.version).await?;
    tx.commit(cx, event).await?;
    Ok(version)
}

pub(crate) struct NewDraft {
    pub(crate) policy: policies::Model,
    pub(crate) version: table::Model,
}

/// The previous draft in the lineage of a new draft.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Previous {
    pub(crate) version: i32,
    /// Whether it was set aside, rather than replaced by the new draft.
    pub(crate) was_set_aside: bool,
}

/// Creates a draft of a policy whose row is locked. With `previous`, the draft continues that lineage.
pub(crate) async fn open_draft(
    tx: &TenantTx,
    cx: &Cx,
    policy: policies::Model,
    new: NewVersion,
    previous: Option<Previous>,
) -> Result<NewDraft> {
    if let Some(open_version) = policy.draft_version {
        return Err(draft_exists(Some(unsigned(open_version))).into());
    }
    let number = policy.latest_version.saturating_add(1);
    let id: PolicyVersionId = cx.governance.entropy().id();
    let row = table::ActiveModel {
        tenant_id: Set(policy.tenant_id),
        policy_id: Set(policy.id),
        version: Set(number),
        id: Set(id.0),
        draft_revision: Set(1),
        rules: Set(new.rules.text),
        rules_digest: Set(new.rules.digest),
        is_active: Set(false),
        status: Set(TextEnum(VersionStatus::Draft)),
        created_at: Set(to_column(cx.now)),
        created_by: Set(cx.caller.principal()),
        change_reason: Set(new.change_reason),
        based_on_version: Set(new.based_on_version.and_then(|version| i32::try_from(version).ok())),
        makers: Set(lifecycle::with_maker(&[], cx.caller.person())),
        has_unknown_maker: Set(cx.caller.person().is_none()),
        lineage_previous: Set(previous.map(|previous| previous.version)),
        lineage_set_aside: Set(previous.is_some_and(|previous| previous.was_set_aside)),
        ..Default::default()
    };
    let version = row.insert(tx.connection()).await.map_err(|error| {
        map_violation(error, &["policy_versions_one_open"], || draft_exists(None))
    })?;
    stored_codification::insert(tx, cx, &version, new.rules.codification).await?;
    let mut row = policy.into_active_model();
    row.draft_version = Set(Some(number));
    row.latest_version = Set(number);
    row.updated_at = Set(to_column(cx.now));
    let policy = row.update(tx.connection()).await?;
    Ok(NewDraft { policy, version })
}

/// Returns one version with its rules.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: PolicyId, version: u32) -> Result<PolicyVersion> {
    let tx = cx.tenant_of_version(permission::READ_VERSION, id, version)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let version = to_wire_with_lineage(&tx, row.or_not_found(ResourceKind::Version)?).await?;
    tx.finish_read().await?;
    Ok(version)
}

/// Deletes a draft that was never sealed, including a recalled or rejected one. Its audit events
/// remain, and its number is not used again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or `VERSION_WAS_SEALED`.
pub async fn delete(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<()> {
    let mut change =
        VersionTransition::begin(cx, permission::WRITE_POLICIES, id, version, Transition::Delete)
            .await?;
    if submission::exists(&change.tx, &change.before).await? {
        return Err(lifecycle::transition_error(
            &change.before,
            Transition::Delete,
            "VERSION_WAS_SEALED",
        )
        .into());
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

/// Submits a draft for ratification. Its rules can no longer be edited.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`.
pub async fn submit(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<PolicyVersion> {
    let change =
        VersionTransition::begin(cx, permission::SUBMIT, id, version, Transition::Submit).await?;
    store_submitted(cx, change).await
}

/// Stores a draft as submitted and commits.
async fn store_submitted(cx: &Cx, mut change: VersionTransition) -> Result<PolicyVersion> {
    let row = &mut change.row;
    row.status = Set(TextEnum(VersionStatus::Submitted));
    row.submitted_at = Set(Some(to_column(cx.now)));
    row.submitted_by = Set(cx.caller.principal());
    change.add_maker(cx);
    change.commit(cx, "policy_version.submit").await
}

/// Recalls a submitted version, which becomes a draft again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SUBMITTED`.
pub async fn recall(cx: &Cx, id: PolicyId, version: impl Into<Subject>) -> Result<PolicyVersion> {
    let mut change =
        VersionTransition::begin(cx, permission::WRITE_POLICIES, id, version, Transition::Recall)
            .await?;
    change.row.status = Set(TextEnum(VersionStatus::Draft));
    change.commit(cx, "policy_version.recall").await
}

/// Rejects a submitted version with a reason. It becomes a draft again. Creates an alert.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key while `human_changes_only` is on; `NOT_FOUND`; `INVALID_TRANSITION` with
/// `VERSION_NOT_SUBMITTED`.
pub async fn reject(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    body: ReasonBody,
) -> Result<PolicyVersion> {
    let mut change = VersionTransition::open(cx, permission::REJECT, id, version).await?;
    settings::check_human_changes_only(&change.tx, cx).await?;
    change.check(Transition::Reject).await?;
    let reason_digest = Digest::compute(body.reason.as_bytes());
    governance_change::raise(&change.tx, cx, Severity::High, rejection(&change)).await?;
    let row = &mut change.row;
    row.status = Set(TextEnum(VersionStatus::Draft));
    row.rejected_at = Set(Some(to_column(cx.now)));
    row.rejected_by = Set(cx.caller.principal());
    row.rejection_reason = Set(Some(body.reason));
    let to_event =
        |version: &_| event("policy_version.reject", version).with("reason_digest", reason_digest);
    change.commit_with(cx, to_event).await
}

fn rejection(change: &VersionTransition) -> Report {
    let version = unsigned(change.before.version);
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
        .with("version", unsigned(version.version))
        .with("draft_revision", unsigned(version.draft_revision))
        .with("rules_digest", version.rules_digest.as_str())
}

/// Seals the current revision of a draft and submits the version, atomically.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`;
/// `STALE_DRAFT_REVISION`; the errors of a seal.
pub async fn send(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    seal: SealRequest,
) -> Result<PolicyVersion> {
    let mut change =
        VersionTransition::begin(cx, permission::SEND, id, version, Transition::Submit).await?;
    let (_, sealed_event) = seal::store(cx, &mut change, seal).await?;
    if let Some(event) = sealed_event {
        change.tx.add_event(event);
    }
    store_submitted(cx, change).await
}

pub(crate) fn find(tx: &TenantTx, id: PolicyId, version: u32) -> Select<table::Entity> {
    tx.find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(i32::try_from(version).unwrap_or(i32::MAX)))
}

pub(crate) fn to_policy() -> RelationDef {
    related(table::Column::PolicyId, policies::Column::Id)
}

/// Converts a version's row to its wire type, with its successor and codification record.
pub(crate) async fn to_wire_with_lineage(
    tx: &TenantTx,
    row: table::Model,
) -> Result<PolicyVersion> {
    let mut version = wire(row)?;
    draft_lineage::name_successors(tx, version.policy_id, std::slice::from_mut(&mut version))
        .await?;
    stored_codification::attach(tx, &mut version).await?;
    Ok(version)
}

pub(crate) fn wire(row: table::Model) -> Result<PolicyVersion> {
    PolicyVersion::try_from(row).map_err(Error::internal)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastChange {
    /// The ID of the user, of the key, or of the grant under which a key worked.
    pub by: String,
    pub at: Timestamp,
}

/// Returns who last changed a version and when, according to the audit log. Returns `None` for a
/// version that was created together with its policy and not changed since, because it has no event of
/// its own.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn last_change(cx: &Cx, id: PolicyId, version: u32) -> Result<Option<LastChange>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let row = row.or_not_found(ResourceKind::Version)?;
    let event = tx
        .find::<events::Entity>()
        .filter(events::Column::ObjectId.eq(row.id.to_string()))
        .order_by_desc(events::Column::Seq)
        .one(tx.connection())
        .await?;
    tx.finish_read().await?;
    Ok(event.map(|event| LastChange { at: from_column(event.occurred_at), by: event.actor_id }))
}
