//! Policies: a row of the list, and the page of one policy.

use contract::{
    analytics::{Analytics, RuleAnalytics, VerdictBucket},
    evaluation::Verdict,
    id::{PolicyGroupId, PolicyId, TenantId},
    policy::{Policy, PolicyVersion, ReviewVerdict, VersionStage, VersionStatus},
    scope::{Right, Role},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::list_words;
use crate::{
    problem::Problem,
    rule::view::{RuleLine, RulePage},
    ui::list_page::ListPage,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyRow {
    pub id: PolicyId,
    pub code: String,
    pub name: String,
    /// The ID and the name of its group.
    pub group: Option<(PolicyGroupId, String)>,
    /// The decision types that it governs; empty means every type.
    pub decision_types: Vec<String>,
    pub active_version: Option<u32>,
    /// The time since which the active version is active. The caller sets it.
    pub active_since: Option<Timestamp>,
    /// The open draft or submitted version.
    pub draft_version: Option<u32>,
    /// The stage of the open version; only set in the list of policies.
    pub draft_stage: Option<VersionStage>,
    pub shadow_mode: bool,
    /// The time of its last change, or of the last change of one of its current versions.
    pub changed_at: Timestamp,
    /// The name of the member or the API key of the last change. The caller sets it.
    pub changed_by: Option<String>,
    /// Its decisions in the last 30 days. The caller sets them.
    pub recent: RecentDecisions,
}

/// The decisions of a policy in the last 30 days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentDecisions {
    pub decisions: i64,
    /// The decisions with the verdict DENY.
    pub denied: i64,
    /// The numbers of decisions in parts of equal length, oldest first.
    pub buckets: Vec<i64>,
}

impl From<Policy> for PolicyRow {
    fn from(policy: Policy) -> Self {
        Self {
            id: policy.id,
            code: policy.code,
            name: policy.name,
            // The caller sets the name of the group.
            group: policy.policy_group_id.map(|id| (id, id.to_string())),
            decision_types: policy.decision_types,
            active_version: policy.active_version,
            active_since: None,
            draft_version: policy.draft_version,
            draft_stage: None,
            shadow_mode: policy.shadow_mode,
            changed_at: policy.updated_at,
            changed_by: None,
            recent: RecentDecisions::default(),
        }
    }
}

impl PolicyRow {
    /// Sets the name of its group from the names of all groups.
    pub fn name_group(&mut self, names: &[(PolicyGroupId, String)]) {
        if let Some((id, name)) = &mut self.group
            && let Some((_, known)) = names.iter().find(|(other, _)| other == id)
        {
            name.clone_from(known);
        }
    }

    /// Returns the decision types that it governs, as text.
    pub fn governed_types(&self) -> String {
        match self.decision_types.as_slice() {
            [] => list_words::EVERY_TYPE.to_owned(),
            types => types.join(", "),
        }
    }
}

/// Sorts rows by the names of their groups, in stable order. Policies without a group are last.
pub fn by_group(mut rows: Vec<PolicyRow>) -> Vec<Vec<PolicyRow>> {
    let group = |row: &PolicyRow| row.group.clone().map(|(id, name)| (name, id));
    rows.sort_by_cached_key(|row| (row.group.is_none(), group(row)));
    rows.chunk_by(|a, b| group(a) == group(b)).map(<[_]>::to_vec).collect()
}

/// One page of the list of policies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyList {
    pub rows: ListPage<PolicyRow>,
    /// The time of the page, which ages are relative to.
    pub now: Timestamp,
    pub counts: PolicyCounts,
    /// The IDs and names of the groups.
    pub groups: Vec<(String, String)>,
    pub may_write: bool,
    /// The samples to start from, if the tenant has no policies and the user can create some.
    pub samples: Vec<SampleRow>,
    /// Why the last action was rejected.
    pub problem: Option<Problem>,
    /// The error of a filter.
    pub error: Option<String>,
}

/// The numbers of all policies of the tenant, independent of filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyCounts {
    pub policies: u64,
    /// The policies with an active version.
    pub active: u64,
    /// The policies with an open version.
    pub open: u64,
    /// The open versions that wait for a review or a ratification.
    pub waiting: u64,
}

/// A policy to start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRow {
    pub code: String,
    pub name: String,
    pub description: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyPage {
    pub tenant: TenantId,
    pub row: PolicyRow,
    /// Whether the user can write policies.
    pub may_write: bool,
    /// Whether the user can deactivate it.
    pub may_deactivate: bool,
    /// Whether the user can try decisions.
    pub may_try: bool,
    pub description: Option<String>,
    pub regulatory_refs: Vec<String>,
    /// The creator and the time of creation.
    pub created: (Option<String>, Timestamp),
    /// The rules of the active version, or a part of them.
    pub active_rules: RulePage,
    /// The digest of the rules of the active version.
    pub rules_digest: Option<String>,
    /// Its decisions and the results of rules in the last 30 days, over all versions.
    pub recent: Analytics,
    /// The codes of rules of the active version that were considered in the last 30 days and never applied.
    pub never_applied: Vec<String>,
    /// All versions, newest first.
    pub versions: Vec<VersionRow>,
    /// Whether the user has just deleted a draft.
    pub deleted: Option<DraftDeleted>,
}

/// The result of the deletion of a draft, for the page of its policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftDeleted;

/// A version in the timeline of its policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionRow {
    pub version: u32,
    pub revision: u32,
    pub stage: VersionStage,
    /// Whether it can be edited.
    pub is_draft: bool,
    pub is_active: bool,
    pub change_reason: Option<String>,
    /// Its last event.
    pub last: Step,
    /// All its events, newest first.
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub what: StepKind,
    /// The submitted or reviewed revision.
    pub revision: Option<u32>,
    pub at: Timestamp,
    /// The actor: a user's email address or a key's name.
    pub by: Option<String>,
}

/// The kind of an event of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    Created,
    Submitted,
    Accepted,
    ChangesRequested,
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
            Self::Accepted => "Accepted",
            Self::ChangesRequested => "Changes requested",
            Self::Rejected => "Rejected",
            Self::Ratified => "Ratified",
            Self::Activated => "Activated",
            Self::Closed => "Closed",
        }
    }
}

impl From<ReviewVerdict> for StepKind {
    fn from(verdict: ReviewVerdict) -> Self {
        match verdict {
            ReviewVerdict::Accept => Self::Accepted,
            ReviewVerdict::Return => Self::ChangesRequested,
        }
    }
}

/// A version with its stage, and its submissions and reviews as events, oldest first.
#[derive(Clone, Debug)]
pub struct StagedVersion {
    pub version: PolicyVersion,
    pub stage: VersionStage,
    pub reviews: Vec<Step>,
}

/// Returns all events of a version, newest first: its status changes, with only the last of several rejections,
/// and `reviews`, the events of its reviews. A submission is part of both, and is included once.
pub fn steps(version: &PolicyVersion, reviews: impl IntoIterator<Item = Step>) -> Vec<Step> {
    let reviews: Vec<Step> = reviews.into_iter().collect();
    let step = |what, at: Option<Timestamp>, by: &Option<String>| {
        at.map(|at| Step { what, revision: None, at, by: by.clone() })
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
    let submitted_at: Vec<Timestamp> = reviews
        .iter()
        .filter(|step| step.what == StepKind::Submitted)
        .map(|step| step.at)
        .collect();
    steps.retain(|step| step.what != StepKind::Submitted || !submitted_at.contains(&step.at));
    steps.extend(reviews);
    steps.reverse();
    steps.sort_by_key(|step| std::cmp::Reverse(step.at));
    steps
}

impl From<StagedVersion> for VersionRow {
    fn from(staged: StagedVersion) -> Self {
        let StagedVersion { version, stage, reviews } = staged;
        let created = Step {
            what: StepKind::Created,
            revision: None,
            at: version.created_at,
            by: version.created_by.clone(),
        };
        let steps = steps(&version, reviews);
        Self {
            version: version.version,
            revision: version.draft_revision,
            stage,
            is_draft: version.status == VersionStatus::Draft,
            is_active: version.is_active,
            last: steps.first().cloned().unwrap_or(created),
            steps,
            change_reason: version.change_reason,
        }
    }
}

impl PolicyPage {
    /// Creates the page of `policy`, which contains its active version, of all its versions, and of its
    /// decisions in the last 30 days.
    pub fn new(
        policy: Policy,
        versions: Vec<StagedVersion>,
        recent: Analytics,
        role: Option<Role>,
    ) -> Self {
        let has_right = |right| role.is_some_and(|role| role.has(right));
        let active = policy.version.as_deref();
        let rules = active.and_then(|version| version.rules.as_deref()).unwrap_or_default();
        let never = |rule: &&RuleAnalytics| {
            let is_current = rules.iter().any(|own| own.is_active() && own.code == rule.rule_code);
            is_current && rule.evaluated == 0 && rule.na > 0
        };
        Self {
            tenant: policy.tenant_id,
            may_write: has_right(Right::Author),
            may_deactivate: has_right(Right::Ratify),
            may_try: has_right(Right::Operate),
            description: policy.description.clone(),
            regulatory_refs: policy.regulatory_refs.clone(),
            created: (policy.created_by.clone(), policy.created_at),
            active_rules: RulePage::all(rules.iter().map(RuleLine::from).collect()),
            rules_digest: active.map(|version| version.rules_digest.clone()),
            never_applied: recent
                .rules
                .iter()
                .filter(never)
                .map(|rule| rule.rule_code.clone())
                .collect(),
            recent,
            versions: versions.into_iter().map(VersionRow::from).collect(),
            deleted: None,
            row: policy.into(),
        }
    }

    /// Returns the number of decisions in the last 30 days, of all or with a verdict.
    pub fn recent_decisions(&self, verdict: Option<Verdict>) -> i64 {
        let of_bucket = |bucket: &VerdictBucket| match verdict {
            Some(verdict) => bucket.verdicts.get(&verdict).copied().unwrap_or_default(),
            None => bucket.decisions,
        };
        self.recent.buckets.iter().map(of_bucket).sum()
    }

    /// Returns whether the policy has an active version and the user can deactivate it.
    pub fn is_deactivable(&self) -> bool {
        self.may_deactivate && self.active().is_some()
    }

    pub fn active(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|version| version.is_active)
    }

    /// Returns the version on its way to activation: the open version, or a newer ratified one than the
    /// active version.
    pub fn upcoming(&self) -> Option<&VersionRow> {
        let active = self.active().map_or(0, |active| active.version);
        let is_ratified = |version: &&VersionRow| {
            version.stage == VersionStage::Ratified && version.version > active
        };
        self.open().or_else(|| self.versions.iter().find(is_ratified))
    }

    /// Returns the open version: a draft, or one that waits for ratification.
    pub fn open(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|version| Some(version.version) == self.row.draft_version)
    }
}
