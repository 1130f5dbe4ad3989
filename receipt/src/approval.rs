//! The approval of a policy version: the statement signed at ratification (receipts, section 9.1).

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId, UserId},
    json::Value,
    time::Timestamp,
};

use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    key::ALGORITHM,
    members::{Members as _, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-policy-approval/v1";

/// The maximum number of predecessors of an approval that a bundle contains and a verifier follows.
const PREDECESSORS_MAX: usize = 64;

/// The maximum number of approvals of a snapshot in a bundle. It leaves more than 1,400 of the 4,096 files for the
/// evidence, the trust registry and the receipt.
const APPROVALS_MAX: usize = 2_600;

/// Returns how many predecessors of each approval a bundle contains, and a verifier follows, for a snapshot of
/// `policies` policies: 64 for up to 40 policies, and for more policies an equal share of 2,600 approvals.
pub const fn predecessors_max(policies: usize) -> usize {
    let Some(share) = APPROVALS_MAX.checked_div(policies) else { return PREDECESSORS_MAX };
    let predecessors = share.saturating_sub(1);
    if predecessors < PREDECESSORS_MAX { predecessors } else { PREDECESSORS_MAX }
}

/// The approval of a policy version by a ratifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyApproval {
    /// The tenant that owns the policy.
    pub tenant_id: TenantId,
    /// The policy of the ratified version.
    pub policy_id: PolicyId,
    /// The code of the policy.
    pub policy_code: String,
    /// The ratified version.
    pub policy_version_id: PolicyVersionId,
    /// The number of the ratified version.
    pub version: u32,
    /// The revision of the draft that was ratified.
    pub draft_revision: u32,
    /// Digest of the ratified [`rules`](crate::statement::rules).
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
    pub ratifier: Ratifier,
    /// The authors of the version, in any order.
    pub makers: Vec<UserId>,
    /// Whether the maker-checker rule applied, which forbids the authors to ratify.
    pub maker_checker: bool,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<String>,
}

/// The user who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratifier {
    /// The account of the user.
    pub user_id: UserId,
    /// The role of the user at ratification.
    pub role: String,
    /// The email address as an [`email_digest`](crate::audit::email_digest).
    pub email_digest: Digest,
    /// The authentication method, such as `password+totp`.
    pub auth_method: String,
}

members! {
    PolicyApproval {
        tenant_id, policy_id, policy_code, policy_version_id, version, draft_revision, rules_digest,
        previous_approval_digest, submission_id, accept_record_id, ratified_at, ratifier, makers,
        maker_checker, kid,
    }
}
members! { Ratifier { user_id, role, email_digest, auth_method } }

impl PolicyApproval {
    /// Returns the statement, whose digest is the approval digest. `makers` are written sorted and
    /// without duplicates. Unknown members of a parsed statement are not included.
    pub fn canonical(&self) -> CanonicalJson {
        let mut makers: Vec<String> = self.makers.iter().map(ToString::to_string).collect();
        makers.sort_unstable();
        makers.dedup();
        let makers: Vec<_> = makers.into_iter().map(JsonPart::from).collect();
        let object = ObjectBuilder::with_schema(SCHEMA).member("makers", makers);
        self.write_members(object).optional("alg", self.kid.as_ref().map(|_| ALGORITHM)).canonical()
    }

    /// Parses a statement.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        SignedObjectReader::with_schema(value, SCHEMA)?.read()
    }
}
