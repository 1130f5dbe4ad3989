//! The approval of a policy version (receipts, section 9.1): what a ratifier's act is signed as.

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId, UserId},
    time::Timestamp,
};

use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    key::ALGORITHM,
};

/// The approval of a version by a person.
#[derive(Clone, Debug)]
pub struct PolicyApproval<'a> {
    /// Whose policy it is.
    pub tenant_id: TenantId,
    /// The policy.
    pub policy_id: PolicyId,
    /// Its code.
    pub policy_code: &'a str,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// The revision that was ratified.
    pub draft_revision: u32,
    /// Digest of [`rules`](super::rules): the ratified rules.
    pub rules_digest: Digest,
    /// The approval of the version of this policy that was ratified before.
    pub previous_approval_digest: Option<Digest>,
    /// The submission that it rests on.
    pub submission_id: Option<SubmissionId>,
    /// The record that accepted that submission.
    pub accept_record_id: Option<ReviewRecordId>,
    /// When.
    pub ratified_at: Timestamp,
    /// By whom.
    pub ratifier: Ratifier<'a>,
    /// The people who made the version, in any order.
    pub makers: &'a [UserId],
    /// Whether the tenant asked for another person than these at that time.
    pub maker_checker: bool,
    /// The signing key; absent when approvals are unsigned.
    pub kid: Option<&'a str>,
}

/// The person who ratified.
#[derive(Clone, Copy, Debug)]
pub struct Ratifier<'a> {
    /// The person.
    pub user_id: UserId,
    /// The role in the tenant at that time.
    pub role: &'a str,
    /// From [`email_digest`](crate::audit::email_digest).
    pub email_digest: Digest,
    /// How the person had signed in, such as `password`.
    pub auth_method: &'a str,
}

/// The statement, and the approval digest.
pub fn approval(approval: &PolicyApproval<'_>) -> Canonical {
    Members::schema("service-policy-approval/v1")
        .with("tenant_id", approval.tenant_id.to_string())
        .with("policy_id", approval.policy_id.to_string())
        .with("policy_code", approval.policy_code)
        .with("policy_version_id", approval.policy_version_id.to_string())
        .with("version", approval.version)
        .with("draft_revision", approval.draft_revision)
        .with("rules_digest", approval.rules_digest)
        .maybe("previous_approval_digest", approval.previous_approval_digest)
        .maybe("submission_id", approval.submission_id.map(|id| id.to_string()))
        .maybe("accept_record_id", approval.accept_record_id.map(|id| id.to_string()))
        .with("ratified_at", approval.ratified_at.to_string())
        .with("ratifier", ratifier(&approval.ratifier))
        .with("makers", makers(approval.makers))
        .with("maker_checker", approval.maker_checker)
        .maybe("alg", approval.kid.map(|_| ALGORITHM))
        .maybe("kid", approval.kid)
        .canonical()
}

fn ratifier<'a>(ratifier: &Ratifier<'a>) -> Members<'a> {
    Members::default()
        .with("user_id", ratifier.user_id.to_string())
        .with("role", ratifier.role)
        .with("email_digest", ratifier.email_digest)
        .with("auth_method", ratifier.auth_method)
}

/// Sorted, each once.
fn makers(makers: &[UserId]) -> Vec<Part<'static>> {
    let mut ids: Vec<String> = makers.iter().map(ToString::to_string).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(Part::from).collect()
}
