//! One policy version.

use contract::{
    id::{PolicyId, TenantId},
    policy::{Policy, PolicyVersion, VersionStatus},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    clause::Clauses,
    frame::Person,
    policy::{Step, StepKind, steps},
    review_record::RecordLine,
    rule::RuleLine,
    version_actions::{AvailableAction, VersionAction},
};

/// The active version that this version would replace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    pub version: u32,
    /// The time of activation.
    pub since: Option<Timestamp>,
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
    pub is_active: bool,
    pub rules_digest: String,
    /// The canonical rules, whose digest it is.
    pub canonical: String,
    /// Its rules in authored order.
    pub rules: Vec<RuleLine>,
    pub clauses: Option<Clauses>,
    pub change_reason: Option<String>,
    /// Why it was last rejected; only set while it is a draft again.
    pub rejection: Option<String>,
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
    /// The id of the key that signs approvals; absent if approvals are not signed.
    pub key: Option<String>,
}

/// The input of a [`VersionPage`].
#[derive(Debug)]
pub struct Sources {
    pub policy: Policy,
    /// The version, with its rules.
    pub version: PolicyVersion,
    pub canonical: String,
    pub versions: Vec<PolicyVersion>,
    pub offers: Vec<AvailableAction>,
    pub answers: Option<RecordLine>,
    pub review: Option<RecordLine>,
    pub may_write: bool,
    pub person: Person,
    pub key: Option<String>,
}

impl From<Sources> for VersionPage {
    fn from(sources: Sources) -> Self {
        let Sources {
            policy,
            version,
            canonical,
            versions,
            offers,
            may_write,
            person,
            key,
            answers,
            review,
        } = sources;
        let deciding = versions.iter().find(|other| other.is_active);
        let deciding = deciding.filter(|other| other.version != version.version);
        let newest = versions.iter().map(|other| other.version).max();
        let rejected = version.status == VersionStatus::Draft;
        Self {
            tenant: policy.tenant_id,
            policy: policy.id,
            policy_code: policy.code,
            policy_name: policy.name,
            version: version.version,
            revision: version.draft_revision,
            status: version.status,
            is_active: version.is_active,
            canonical,
            rules: version.rules.iter().flatten().map(RuleLine::from).collect(),
            steps: steps(&version),
            clauses: version
                .codification_record
                .map(|record| Clauses::of(*record, version.rules.as_deref().unwrap_or_default())),
            rejection: version.rejection_reason.filter(|_| rejected),
            change_reason: version.change_reason,
            rules_digest: version.rules_digest,
            deciding: deciding
                .map(|other| Deciding { version: other.version, since: other.activated_at }),
            successor: newest.filter(|newest| *newest > version.version),
            offers,
            answers,
            review,
            may_write,
            is_free: policy.draft_version.is_none(),
            person,
            key,
        }
    }
}

impl VersionPage {
    /// Returns whether `act` is available and possible now.
    pub fn allows(&self, act: VersionAction) -> bool {
        self.offers.iter().any(|offer| offer.act == act && offer.refusal.is_none())
    }

    /// Returns whether it is part of the history only.
    pub fn is_history(&self) -> bool {
        matches!(self.status, VersionStatus::Replaced | VersionStatus::SetAside)
            || (self.status == VersionStatus::Ratified
                && !self.is_active
                && self.steps.iter().any(|step| step.what == StepKind::Activated))
    }
}
