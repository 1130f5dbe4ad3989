//! Policies: a row of the list, and the page of one policy.

use contract::{
    id::{PolicyId, TenantId},
    pagination::Page,
    policy::{Policy, PolicyVersion, VersionStatus},
    scope::{Right, Role},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::rule::RuleLine;
use crate::text::messages;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyRow {
    pub id: PolicyId,
    pub code: String,
    pub name: String,
    /// The decision types that it governs; empty means every type.
    pub decision_types: Vec<String>,
    pub active_version: Option<u32>,
    /// The open draft or submitted version.
    pub draft_version: Option<u32>,
    pub shadow_mode: bool,
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

impl PolicyRow {
    /// Returns the decision types that it governs, as text.
    pub fn governed_types(&self) -> String {
        match self.decision_types.as_slice() {
            [] => messages::policies::EVERY_TYPE.to_owned(),
            types => types.join(", "),
        }
    }
}

pub type PolicyRows = Page<PolicyRow>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyPage {
    pub tenant: TenantId,
    pub row: PolicyRow,
    /// Whether the user can write policies.
    pub may_write: bool,
    /// Whether the user can deactivate it.
    pub may_deactivate: bool,
    pub description: Option<String>,
    pub regulatory_refs: Vec<String>,
    /// The creator and the time of creation.
    pub created: (Option<String>, Timestamp),
    /// The rules of the active version.
    pub active_rules: Vec<RuleLine>,
    /// All versions, newest first.
    pub versions: Vec<VersionRow>,
}

/// A version in the timeline of its policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionRow {
    pub version: u32,
    pub revision: u32,
    pub status: VersionStatus,
    pub is_active: bool,
    pub change_reason: Option<String>,
    /// Its last event.
    pub last: Step,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub what: StepKind,
    pub at: Timestamp,
    /// The actor: a user's e-mail address or a key's name.
    pub by: Option<String>,
}

/// The kind of an event of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    Created,
    Submitted,
    Rejected,
    Ratified,
    Activated,
    /// The version was replaced by another draft, or set aside.
    Closed,
}

impl StepKind {
    pub fn label(self) -> &'static str {
        match self {
            Self::Created => "Created",
            Self::Submitted => "Submitted",
            Self::Rejected => "Rejected",
            Self::Ratified => "Ratified",
            Self::Activated => "Activated",
            Self::Closed => "Closed",
        }
    }
}

/// Returns all events of a version, newest first. Of several rejections, only the last is recorded.
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
    /// Creates the page of `policy`, which contains its active version, and of all its versions.
    pub fn new(policy: Policy, versions: &[PolicyVersion], role: Option<Role>) -> Self {
        let has_right = |right| role.is_some_and(|role| role.has(right));
        let rules = policy.version.as_deref().and_then(|version| version.rules.as_deref());
        Self {
            tenant: policy.tenant_id,
            may_write: has_right(Right::Author),
            may_deactivate: has_right(Right::Ratify),
            description: policy.description.clone(),
            regulatory_refs: policy.regulatory_refs.clone(),
            created: (policy.created_by.clone(), policy.created_at),
            active_rules: rules.unwrap_or_default().iter().map(RuleLine::from).collect(),
            versions: versions.iter().map(VersionRow::from).collect(),
            row: policy.into(),
        }
    }

    /// Returns whether the policy has an active version and the user can deactivate it.
    pub fn is_deactivable(&self) -> bool {
        self.may_deactivate && self.active().is_some()
    }

    pub fn active(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|version| version.is_active)
    }

    /// Returns the open version: a draft, or one that waits for ratification.
    pub fn open(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|version| Some(version.version) == self.row.draft_version)
    }
}
