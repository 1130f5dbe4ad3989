//! One policy version.

use contract::{
    id::{PolicyId, TenantId},
    policy::{Policy, PolicyVersion, VersionStage, VersionStatus},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::actions::{AvailableAction, VersionAction};
use crate::{
    clause::view::Clauses,
    frame::view::Person,
    policy::view::{Step, steps},
    review::record::{RecordLine, SubmissionLine},
    rule::view::{RuleLine, RulePage, RulePosition},
};

/// The active version that this version would replace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    pub version: u32,
    /// The time of activation.
    pub since: Option<Timestamp>,
    /// Whether it has the same rules as this version.
    pub has_same_rules: bool,
}

/// Why a version was replaced by a draft or set aside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// The draft that replaced it.
    pub by_version: Option<u32>,
    pub reason: Option<String>,
}

/// The signed approval of a ratified version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    pub digest: String,
    /// The ID of the key that signed it; absent without a signing key.
    pub key: Option<String>,
    /// The time of the ratification.
    pub at: Timestamp,
    /// Whether the transparency log has an entry of it.
    pub is_anchored: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionPage {
    pub tenant: TenantId,
    pub policy: PolicyId,
    pub policy_code: String,
    pub policy_name: String,
    pub version: u32,
    pub revision: u32,
    pub status: VersionStatus,
    pub stage: VersionStage,
    pub is_active: bool,
    pub rules_digest: String,
    /// The canonical rules, whose digest it is.
    ///
    /// Empty if there are more rules than a page shows, and the page does not show the bytes.
    pub canonical: String,
    /// The number of bytes of the canonical rules.
    pub canonical_bytes: u32,
    /// Its rules in authored order.
    pub rules: RulePage,
    pub clauses: Option<Clauses>,
    pub change_reason: Option<String>,
    /// Why it was last rejected; only set while it is a draft again.
    pub rejection: Option<String>,
    /// Why it was replaced by a draft or set aside.
    pub closed: Option<Closed>,
    /// Its approval; only on the page of a ratified version.
    pub approval: Option<Approval>,
    /// The time since the user last entered the password, as text.
    pub signed_in_for: String,
    /// Its events, newest first.
    pub steps: Vec<Step>,
    /// The active version of the policy, if it is another one.
    pub deciding: Option<Deciding>,
    /// The newest version after it.
    pub successor: Option<u32>,
    /// The actions available to the user.
    pub offers: Vec<AvailableAction>,
    /// The requested changes that the next submission must reference.
    pub answers: Option<RecordLine>,
    /// The review record of exactly this revision.
    pub review: Option<RecordLine>,
    /// Whether the user can write drafts.
    pub may_write: bool,
    /// Whether the policy has no open version, so that a draft can be based on this one.
    pub is_free: bool,
    /// The signed-in user, who would sign.
    pub person: Person,
    /// The ID of the key that signs approvals; absent if approvals are not signed.
    pub key: Option<String>,
    /// The comments, as HTML; only on the page of the version.
    pub comments: String,
    /// What a submission contains, as HTML; only where the version can be submitted.
    pub submission: String,
}

/// The input of a [`VersionPage`].
#[derive(Debug)]
pub struct Sources {
    pub policy: Policy,
    /// The version, with its rules.
    pub version: PolicyVersion,
    pub stage: VersionStage,
    pub canonical: String,
    pub versions: Vec<PolicyVersion>,
    pub offers: Vec<AvailableAction>,
    pub answers: Option<RecordLine>,
    pub review: Option<RecordLine>,
    /// The submissions with their review records, newest first.
    pub submissions: Vec<SubmissionLine>,
    pub may_write: bool,
    pub person: Person,
    /// The time since the user last entered the password, as text.
    pub signed_in_for: String,
    pub key: Option<String>,
}

impl From<Sources> for VersionPage {
    fn from(sources: Sources) -> Self {
        let Sources {
            policy,
            version,
            stage,
            canonical,
            versions,
            offers,
            may_write,
            person,
            signed_in_for,
            key,
            answers,
            review,
            submissions,
        } = sources;
        let deciding = versions.iter().find(|other| other.is_active);
        let deciding = deciding.filter(|other| other.version != version.version);
        let newest = versions.iter().map(|other| other.version).max();
        let rejected = version.status == VersionStatus::Draft;
        let is_closed = matches!(version.status, VersionStatus::Replaced | VersionStatus::SetAside);
        Self {
            tenant: policy.tenant_id,
            policy: policy.id,
            policy_code: policy.code,
            policy_name: policy.name,
            version: version.version,
            revision: version.draft_revision,
            status: version.status,
            stage,
            is_active: version.is_active,
            canonical_bytes: u32::try_from(canonical.len()).unwrap_or(u32::MAX),
            canonical,
            rules: RulePage::all(version.rules.iter().flatten().map(RuleLine::from).collect()),
            steps: steps(&version, submissions.iter().rev().flat_map(SubmissionLine::steps)),
            clauses: version
                .codification_record
                .map(|record| Clauses::of(*record, version.rules.as_deref().unwrap_or_default())),
            rejection: version.rejection_reason.filter(|_| rejected),
            change_reason: version.change_reason,
            closed: is_closed.then_some(Closed {
                by_version: version.superseded_by_version,
                reason: version.closed_reason,
            }),
            approval: None,
            signed_in_for,
            deciding: deciding.map(|other| Deciding {
                version: other.version,
                since: other.activated_at,
                has_same_rules: other.rules_digest == version.rules_digest,
            }),
            rules_digest: version.rules_digest,
            successor: newest.filter(|newest| *newest > version.version),
            offers,
            answers,
            review,
            may_write,
            is_free: policy.draft_version.is_none(),
            person,
            key,
            comments: String::new(),
            submission: String::new(),
        }
    }
}

impl VersionPage {
    /// Returns the page with only the rules at `position`. With many rules, it contains their bytes only if it
    /// shows them.
    #[must_use]
    pub fn at(mut self, position: &RulePosition, shows_bytes: bool) -> Self {
        if self.rules.is_paged() && !shows_bytes {
            self.canonical = String::new();
        }
        self.rules = self.rules.at(position);
        self
    }

    /// Returns whether `act` is available and possible now.
    pub fn allows(&self, act: VersionAction) -> bool {
        self.offers.iter().any(|offer| offer.act == act && offer.refusal.is_none())
    }

    /// Returns whether the user can edit it to address requested changes. A submitted version is recalled then.
    pub fn has_requested_changes(&self) -> bool {
        let is_open = matches!(self.status, VersionStatus::Draft | VersionStatus::Submitted);
        is_open && self.may_write && self.answers.is_some()
    }

    /// Returns whether it is part of the history only.
    pub fn is_history(&self) -> bool {
        use VersionStage::{Inactive, Replaced, SetAside};
        matches!(self.stage, Inactive | Replaced | SetAside)
    }
}
