//! One version, exactly.

use contract::{
    id::{PolicyId, TenantId},
    policy::{Policy, PolicyVersion, VersionStatus},
    rule::{Rule, RuleType, Severity, SourceRef},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    acts::{Act, Offer},
    clause::Clauses,
    frame::Person,
    policy::{Step, steps},
    review::RecordLine,
};
use crate::text::{rule, sentence::Sentence};

/// A rule as a line of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleLine {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: Option<String>,
    /// Its type.
    pub rule_type: RuleType,
    /// How bad a violation is.
    pub severity: Severity,
    /// Gate and condition in words.
    pub sentence: Sentence,
    /// Longer words about it.
    pub description: Option<String>,
    /// Whether it takes part in evaluations.
    pub is_active: bool,
    /// Where it comes from.
    pub source: Option<SourceRef>,
}

impl From<&Rule> for RuleLine {
    fn from(rule: &Rule) -> Self {
        Self {
            code: rule.code.clone(),
            name: rule.name.clone(),
            rule_type: rule.rule_type,
            severity: rule.severity,
            sentence: rule::sentence(rule),
            description: rule.description.clone(),
            is_active: rule.active(),
            source: rule.source_ref.clone(),
        }
    }
}

/// The version that another one replaces when it becomes active.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    /// Its number.
    pub version: u32,
    /// Since when it decides.
    pub since: Option<Timestamp>,
}

/// One version, exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionPage {
    /// Its tenant.
    pub tenant: TenantId,
    /// Its policy.
    pub policy: PolicyId,
    /// The policy's code.
    pub policy_code: String,
    /// The policy's name.
    pub policy_name: String,
    /// Its number.
    pub version: u32,
    /// The revision of its draft.
    pub revision: u32,
    /// Where it stands.
    pub status: VersionStatus,
    /// Whether it decides.
    pub is_active: bool,
    /// Digest of its rules.
    pub rules_digest: String,
    /// The bytes behind the digest.
    pub canonical: String,
    /// Its rules in authored order.
    pub rules: Vec<RuleLine>,
    /// The clauses that its rules come from.
    pub clauses: Option<Clauses>,
    /// Why it was made.
    pub change_reason: Option<String>,
    /// Why it was last sent back, while it is a draft again.
    pub rejection: Option<String>,
    /// All that happened to it, newest first.
    pub steps: Vec<Step>,
    /// The version of the policy that decides now, when that is another one.
    pub deciding: Option<Deciding>,
    /// The newest version that came after it.
    pub successor: Option<u32>,
    /// What the person may do.
    pub offers: Vec<Offer>,
    /// The return that the next send answers.
    pub answers: Option<RecordLine>,
    /// What a reviewer found in exactly this revision.
    pub review: Option<RecordLine>,
    /// Whether the person may write drafts.
    pub may_write: bool,
    /// Whether no version is open, so that a draft can start from this one.
    pub is_free: bool,
    /// The person, who would sign.
    pub person: Person,
    /// The key that would sign an approval; absent when nothing is signed.
    pub key: Option<String>,
}

/// What a [`VersionPage`] is made of.
#[derive(Debug)]
pub struct Sources {
    /// The policy.
    pub policy: Policy,
    /// The version, with its rules.
    pub version: PolicyVersion,
    /// The canonical text of its rules.
    pub canonical: String,
    /// All versions of the policy.
    pub versions: Vec<PolicyVersion>,
    /// What the person may do.
    pub offers: Vec<Offer>,
    /// The return that the next send answers.
    pub answers: Option<RecordLine>,
    /// What a reviewer found in exactly this revision.
    pub review: Option<RecordLine>,
    /// Whether the person may write drafts.
    pub may_write: bool,
    /// The person.
    pub person: Person,
    /// The key that signs approvals.
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
    /// Whether `act` is offered and can be done now.
    pub fn allows(&self, act: Act) -> bool {
        self.offers.iter().any(|offer| offer.act == act && offer.refusal.is_none())
    }

    /// Whether it is kept as history only.
    pub fn is_history(&self) -> bool {
        matches!(self.status, VersionStatus::Replaced | VersionStatus::SetAside)
            || (self.status == VersionStatus::Ratified
                && !self.is_active
                && self.steps.iter().any(|step| step.what == super::policy::StepKind::Activated))
    }
}
