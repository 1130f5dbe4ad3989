//! Approvals of policy versions as they are read back (receipts, section 9.1).
//! [`statement::approval`](crate::statement::approval) writes them.

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId, UserId},
    json::Value,
    time::Timestamp,
};

use crate::{
    canon::Canonical,
    digest::Digest,
    fields::{Fields, Malformed},
    statement::{PolicyApproval, Ratifier, approval},
};

const SCHEMA: &str = "service-policy-approval/v1";

/// An approval as it was stored or bundled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredApproval {
    /// Whose policy it is.
    pub tenant_id: TenantId,
    /// The policy.
    pub policy_id: PolicyId,
    /// Its code.
    pub policy_code: String,
    /// The version.
    pub policy_version_id: PolicyVersionId,
    /// The number of the version.
    pub version: u32,
    /// The revision of the draft that was ratified.
    pub draft_revision: u32,
    /// Digest of the ratified [`rules`](crate::statement::rules).
    pub rules_digest: Digest,
    /// Approval of the version of this policy that was ratified before.
    pub previous_approval_digest: Option<Digest>,
    /// The sealed submission.
    pub submission_id: Option<SubmissionId>,
    /// The review record that accepted it.
    pub accept_record_id: Option<ReviewRecordId>,
    /// When it was ratified.
    pub ratified_at: Timestamp,
    /// Who ratified it.
    pub ratifier: StoredRatifier,
    /// Everybody who made it, sorted.
    pub makers: Vec<UserId>,
    /// Whether makers must not ratify.
    pub maker_checker: bool,
    /// The signing key; absent when unsigned.
    pub kid: Option<String>,
}

/// Who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRatifier {
    /// The person.
    pub user_id: UserId,
    /// In what role.
    pub role: String,
    /// From [`email_digest`](crate::audit::email_digest).
    pub email_digest: Digest,
    /// How the person signed in, such as `password+totp`.
    pub auth_method: String,
}

impl StoredApproval {
    /// The statement, and the approval digest, without the members that are not known here.
    pub fn canonical(&self) -> Canonical {
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

    /// Reads a statement.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        Ok(Self {
            tenant_id: fields.exact("tenant_id")?,
            policy_id: fields.exact("policy_id")?,
            policy_code: fields.text("policy_code")?.to_owned(),
            policy_version_id: fields.exact("policy_version_id")?,
            version: fields.whole("version")?,
            draft_revision: fields.whole("draft_revision")?,
            rules_digest: fields.exact("rules_digest")?,
            previous_approval_digest: fields.maybe("previous_approval_digest")?,
            submission_id: fields.maybe("submission_id")?,
            accept_record_id: fields.maybe("accept_record_id")?,
            ratified_at: fields.exact("ratified_at")?,
            ratifier: StoredRatifier::read(fields.object("ratifier")?)?,
            makers: fields.exact_list("makers")?,
            maker_checker: fields.truth("maker_checker")?,
            kid: fields.maybe_text("kid")?.map(str::to_owned),
        })
    }
}

impl StoredRatifier {
    fn read(fields: Fields<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            user_id: fields.exact("user_id")?,
            role: fields.text("role")?.to_owned(),
            email_digest: fields.exact("email_digest")?,
            auth_method: fields.text("auth_method")?.to_owned(),
        })
    }
}
