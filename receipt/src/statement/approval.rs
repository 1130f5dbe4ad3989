//! The approval of a policy version: the statement signed at ratification (receipts, section 9.1).

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId, UserId},
    time::Timestamp,
};

use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    key::ALGORITHM,
};

/// The approval of a policy version by a ratifier.
#[derive(Clone, Debug)]
pub struct PolicyApproval<'a> {
    /// The tenant of the policy.
    pub tenant_id: TenantId,
    /// The policy of the version.
    pub policy_id: PolicyId,
    /// The code of the policy.
    pub policy_code: &'a str,
    /// The id of the ratified version.
    pub policy_version_id: PolicyVersionId,
    /// The number of the ratified version.
    pub version: u32,
    /// The ratified draft revision.
    pub draft_revision: u32,
    /// Digest of the ratified [`rules`](super::rules).
    pub rules_digest: Digest,
    /// Digest of the approval of the previously ratified version of this policy.
    pub previous_approval_digest: Option<Digest>,
    /// The review submission of the ratified revision.
    pub submission_id: Option<SubmissionId>,
    /// The review record that accepted the submission.
    pub accept_record_id: Option<ReviewRecordId>,
    /// The time of ratification.
    pub ratified_at: Timestamp,
    /// The user who ratified the version.
    pub ratifier: Ratifier<'a>,
    /// The authors of the version, in any order.
    pub makers: &'a [UserId],
    /// Whether the maker-checker rule applied at that time.
    pub maker_checker: bool,
    /// The id of the signing key; absent when approvals are unsigned.
    pub kid: Option<&'a str>,
}

/// The user who ratified a version.
#[derive(Clone, Copy, Debug)]
pub struct Ratifier<'a> {
    /// The account of the user.
    pub user_id: UserId,
    /// The role in the tenant at that time.
    pub role: &'a str,
    /// The email address as an [`email_digest`](crate::audit::email_digest).
    pub email_digest: Digest,
    /// The authentication method of the session, such as `password`.
    pub auth_method: &'a str,
}

/// Returns the statement with the approval digest.
pub fn approval(approval: &PolicyApproval<'_>) -> CanonicalJson {
    ObjectBuilder::with_schema("service-policy-approval/v1")
        .member("tenant_id", approval.tenant_id.to_string())
        .member("policy_id", approval.policy_id.to_string())
        .member("policy_code", approval.policy_code)
        .member("policy_version_id", approval.policy_version_id.to_string())
        .member("version", approval.version)
        .member("draft_revision", approval.draft_revision)
        .member("rules_digest", approval.rules_digest)
        .optional("previous_approval_digest", approval.previous_approval_digest)
        .optional("submission_id", approval.submission_id.map(|id| id.to_string()))
        .optional("accept_record_id", approval.accept_record_id.map(|id| id.to_string()))
        .member("ratified_at", approval.ratified_at.to_string())
        .member("ratifier", ratifier(&approval.ratifier))
        .member("makers", makers(approval.makers))
        .member("maker_checker", approval.maker_checker)
        .optional("alg", approval.kid.map(|_| ALGORITHM))
        .optional("kid", approval.kid)
        .canonical()
}

fn ratifier<'a>(ratifier: &Ratifier<'a>) -> ObjectBuilder<'a> {
    ObjectBuilder::default()
        .member("user_id", ratifier.user_id.to_string())
        .member("role", ratifier.role)
        .member("email_digest", ratifier.email_digest)
        .member("auth_method", ratifier.auth_method)
}

/// Returns the makers sorted and without duplicates.
fn makers(makers: &[UserId]) -> Vec<JsonPart<'static>> {
    let mut ids: Vec<String> = makers.iter().map(ToString::to_string).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(JsonPart::from).collect()
}
