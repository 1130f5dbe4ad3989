//! The typed details of refusals. They become JSON only in responses.

use contract::{
    codification::CodificationError,
    error::FieldError,
    form::{AccessMode, BudgetWindow},
    id::{CommentId, ReviewRecordId},
    policy::PolicyVersion,
    scope::{Role, Scope},
    second_factor::SecondFactorKind,
};
use serde::Serialize;

use super::Refusal;

/// What a refusal says in addition to its code and message. The names are those of `error.details` on the wire.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Details {
    /// Values of the request are invalid.
    Fields { errors: Vec<FieldError> },
    /// A rule has an unknown type. The errors are those of the whole request.
    RuleType { rule_code: String, rule_type: String, errors: Vec<FieldError> },
    /// Clauses, ledger entries and rules do not match each other.
    Codification { refusals: Vec<CodificationError> },
    /// The same request can succeed after this number of seconds.
    Wait { retry_after: u32 },
    /// The budget of a form is used up. A budget without a refill has no wait time.
    Budget {
        window: BudgetWindow,
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after: Option<u32>,
    },
    /// The reason for programs, where a code has several.
    Reason {
        reason: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after: Option<u32>,
    },
    /// The state of the object does not permit the change.
    Transition { reason: &'static str, from: &'static str, requested: &'static str },
    /// The draft in its current revision.
    StaleDraft { current: Box<PolicyVersion> },
    /// The number of the open draft.
    OpenDraft { version: u32 },
    /// The action needs a higher role.
    Role { action: &'static str, required_role: Role },
    /// The API key lacks the scope.
    Scope { required: Scope },
    /// The capability lacks the action.
    Action { required: contract::capability::CapabilityAction },
    /// The second factors that the account has.
    SecondFactors { methods: Vec<SecondFactorKind> },
    /// The form admits only callers with these credentials.
    FormAccess { access_mode: AccessMode },
    /// The review record that a submission must reference.
    Record { record_id: ReviewRecordId },
    /// The first entry of a thread of comments.
    Thread { first: CommentId },
    /// The results of the readiness checks.
    Checks { checks: ReadinessChecks },
}

/// The results of the readiness checks of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReadinessChecks {
    pub database: &'static str,
    pub log: &'static str,
}

impl Refusal {
    pub(super) fn with_details(self, details: Details) -> Self {
        Self { details: Some(details), ..self }
    }

    /// Adds the reason for programs.
    #[must_use]
    pub fn with_reason(self, reason: &'static str) -> Self {
        self.with_details(Details::Reason { reason, retry_after: None })
    }

    pub(super) fn with_wait(self, seconds: u32) -> Self {
        self.with_details(Details::Wait { retry_after: seconds })
    }

    /// Returns the errors of a request with invalid values.
    pub fn field_errors(&self) -> Option<&[FieldError]> {
        match self.details.as_ref()? {
            Details::Fields { errors } | Details::RuleType { errors, .. } => Some(errors),
            _ => None,
        }
    }

    /// Returns the reason for programs.
    pub fn reason(&self) -> Option<&'static str> {
        match self.details.as_ref()? {
            Details::Reason { reason, .. } | Details::Transition { reason, .. } => Some(reason),
            _ => None,
        }
    }

    /// Returns the number of seconds after which the same request can succeed.
    pub fn retry_after(&self) -> Option<u32> {
        match *self.details.as_ref()? {
            Details::Wait { retry_after } => Some(retry_after),
            Details::Budget { retry_after, .. } | Details::Reason { retry_after, .. } => {
                retry_after
            }
            _ => None,
        }
    }
}
