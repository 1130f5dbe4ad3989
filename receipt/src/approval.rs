//! Parsing of policy version approvals (receipts, section 9.1).
//!
//! [`statement::approval`](crate::statement::approval) writes them.

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId, UserId},
    json::Value,
    time::Timestamp,
};

use crate::{
    canonical_json::CanonicalJson,
    digest::Digest,
    object_reader::{ParseFieldError, SignedObjectReader},
    statement::{PolicyApproval, Ratifier, approval},
};

const SCHEMA: &str = "service-policy-approval/v1";

/// A stored or bundled approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedApproval {
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
    pub ratifier: ParsedRatifier,
    /// The authors of the version, sorted.
    pub makers: Vec<UserId>,
    /// Whether the maker-checker rule applied, which forbids the authors to ratify.
    pub maker_checker: bool,
    /// The id of the signing key; absent when unsigned.
    pub kid: Option<String>,
}

/// The user who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedRatifier {
    /// The account of the user.
    pub user_id: UserId,
    /// The role of the user at ratification.
    pub role: String,
    /// The email address as an [`email_digest`](crate::audit::email_digest).
    pub email_digest: Digest,
    /// The authentication method, such as `password+totp`.
    pub auth_method: String,
}

impl ParsedApproval {
    /// Returns the statement, whose digest is the approval digest. Unknown members of the parsed
    /// statement are not included.
    pub fn canonical(&self) -> CanonicalJson {
        let ratifier = &self.ratifier;
        approval(&PolicyApproval {
            tenant_id: self.tenant_id,
            policy_id: self.policy_id,
            policy_code: &self.policy_code,
            policy_version_id: self.policy_version_id,
            version: self.version,
            draft_revision: self.draft_revision,
            rules_digest: self.rules_digest,
            previous_approval_digest: self.previous_approval_digest,
            submission_id: self.submission_id,
            accept_record_id: self.accept_record_id,
            ratified_at: self.ratified_at,
            ratifier: Ratifier {
                user_id: ratifier.user_id,
                role: &ratifier.role,
                email_digest: ratifier.email_digest,
                auth_method: &ratifier.auth_method,
            },
            makers: &self.makers,
            maker_checker: self.maker_checker,
            kid: self.kid.as_deref(),
        })
    }

    /// Parses a statement.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::with_schema(value, SCHEMA)?;
        Ok(Self {
            tenant_id: fields.parsed("tenant_id")?,
            policy_id: fields.parsed("policy_id")?,
            policy_code: fields.text("policy_code")?.to_owned(),
            policy_version_id: fields.parsed("policy_version_id")?,
            version: fields.integer("version")?,
            draft_revision: fields.integer("draft_revision")?,
            rules_digest: fields.parsed("rules_digest")?,
            previous_approval_digest: fields.optional("previous_approval_digest")?,
            submission_id: fields.optional("submission_id")?,
            accept_record_id: fields.optional("accept_record_id")?,
            ratified_at: fields.parsed("ratified_at")?,
            ratifier: ParsedRatifier::read(fields.object("ratifier")?)?,
            makers: fields.parsed_list("makers")?,
            maker_checker: fields.boolean("maker_checker")?,
            kid: fields.optional_text("kid")?.map(str::to_owned),
        })
    }
}

impl ParsedRatifier {
    fn read(fields: SignedObjectReader<'_>) -> Result<Self, ParseFieldError> {
        Ok(Self {
            user_id: fields.parsed("user_id")?,
            role: fields.text("role")?.to_owned(),
            email_digest: fields.parsed("email_digest")?,
            auth_method: fields.text("auth_method")?.to_owned(),
        })
    }
}
