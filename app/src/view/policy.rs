//! Policies: a row of the list, and one at a glance.

use contract::{
    id::{PolicyId, TenantId},
    page::Page,
    policy::{Policy, PolicyVersion, VersionStatus},
    scope::{Right, Role},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::version::RuleLine;

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyRow {
    /// The policy.
    pub id: PolicyId,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The decision types that it governs; empty means every type.
    pub decision_types: Vec<String>,
    /// The version that decides.
    pub active_version: Option<u32>,
    /// The open draft or submitted version.
    pub draft_version: Option<u32>,
    /// Whether it only watches.
    pub shadow_mode: bool,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl From<Policy> for PolicyRow {
    fn from(policy: Policy) -> Self {
        Self {
            id: policy.id,
            code: policy.code,
            name: policy.name,
            decision_types: policy.decision_types,
            active_version: policy.active_version,
            draft_version: policy.draft_version,
            shadow_mode: policy.shadow_mode,
            updated_at: policy.updated_at,
        }
    }
}

/// One page of the list.
pub type PolicyRows = Page<PolicyRow>;

/// One policy at a glance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyPage {
    /// Its tenant.
    pub tenant: TenantId,
    /// The row of the list.
    pub row: PolicyRow,
    /// Whether the person may write policies.
    pub may_write: bool,
    /// Whether the person may take it out of force.
    pub may_deactivate: bool,
    /// Longer words about it.
    pub description: Option<String>,
    /// The laws and standards that it serves.
    pub regulatory_refs: Vec<String>,
    /// Who made it, and when.
    pub created: (Option<String>, Timestamp),
    /// The rules of the version that decides.
    pub active_rules: Vec<RuleLine>,
    /// All versions, newest first.
    pub versions: Vec<VersionRow>,
}

/// A version in the timeline of its policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionRow {
    /// Its number.
    pub version: u32,
    /// The revision of its draft.
    pub revision: u32,
    /// Where it stands.
    pub status: VersionStatus,
    /// Whether it decides.
    pub is_active: bool,
    /// Why it was made.
    pub change_reason: Option<String>,
    /// The last thing that happened to it.
    pub last: Step,
}

/// One thing that happened to a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What.
    pub what: StepKind,
    /// When.
    pub at: Timestamp,
    /// By whom: a person's address or a key's name.
    pub by: Option<String>,
}

/// What can happen to a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    /// It was made.
    Created,
    /// It was sent for ratification.
    Submitted,
    /// It was sent back.
    Rejected,
    /// It was ratified.
    Ratified,
    /// It became the deciding version.
    Activated,
    /// It was replaced by another draft, or set aside.
    Closed,
}

/// All that happened to a version, newest first. Only the last rejection is on record.
pub fn steps(version: &PolicyVersion) -> Vec<Step> {
    let step = |what, at: Option<Timestamp>, by: &Option<String>| {
        at.map(|at| Step { what, at, by: by.clone() })
    };
    let mut steps: Vec<Step> = [
        step(StepKind::Created, Some(version.created_at), &version.created_by),
        step(StepKind::Submitted, version.submitted_at, &version.submitted_by),
        step(StepKind::Rejected, version.rejected_at, &version.rejected_by),
        step(StepKind::Ratified, version.ratified_at, &version.ratified_by),
        step(StepKind::Activated, version.activated_at, &version.activated_by),
        step(StepKind::Closed, version.closed_at, &version.closed_by),
    ]
    .into_iter()
    .flatten()
    .collect();
    steps.reverse();
    steps.sort_by_key(|step| std::cmp::Reverse(step.at));
    steps
}

impl From<&PolicyVersion> for VersionRow {
    fn from(version: &PolicyVersion) -> Self {
        let created = Step {
            what: StepKind::Created,
            at: version.created_at,
            by: version.created_by.clone(),
        };
        Self {
            version: version.version,
            revision: version.draft_revision,
            status: version.status,
            is_active: version.is_active,
            change_reason: version.change_reason.clone(),
            last: steps(version).into_iter().next().unwrap_or(created),
        }
    }
}

impl PolicyPage {
    /// The page of `policy`, read with its active version, and of all its versions.
    pub fn new(policy: Policy, versions: &[PolicyVersion], role: Option<Role>) -> Self {
        let may = |right| role.is_some_and(|role| role.may(right));
        let rules = policy.version.as_deref().and_then(|version| version.rules.as_deref());
        Self {
            tenant: policy.tenant_id,
            may_write: may(Right::Author),
            may_deactivate: may(Right::Ratify),
            description: policy.description.clone(),
            regulatory_refs: policy.regulatory_refs.clone(),
            created: (policy.created_by.clone(), policy.created_at),
            active_rules: rules.unwrap_or_default().iter().map(RuleLine::from).collect(),
            versions: versions.iter().map(VersionRow::from).collect(),
            row: policy.into(),
        }
    }

    /// Whether something decides, and the person may end that.
    pub fn is_deactivable(&self) -> bool {
        self.may_deactivate && self.active().is_some()
    }

    /// The version that decides.
    pub fn active(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|version| version.is_active)
    }

    /// The version that is open: a draft, or one that waits for ratification.
    pub fn open(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|version| Some(version.version) == self.row.draft_version)
    }
}
