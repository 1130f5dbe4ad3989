//! Error codes and the one form in which they are answered.

use serde::{Deserialize, Serialize};

use crate::json::Value;

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $status:literal;)+) => {
        /// Every code that the service answers, with its HTTP status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode { $($(#[doc = $doc])+ $name,)+ }

        impl ErrorCode {
            /// The whole catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What it means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }

            /// The HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }
        }
    };
}

error_codes! {
    /// The tenant header is missing.
    MissingTenantId = "MISSING_TENANT_ID", 400;
    /// The tenant header is no UUID.
    InvalidTenantId = "INVALID_TENANT_ID", 400;
    /// The last submission was returned, and the seal does not name the return that it answers.
    ResubmissionAnswersRecordRequired = "RESUBMISSION_ANSWERS_RECORD_REQUIRED", 400;
    /// The delivery was taken by its receiver, and is not tried again.
    AlreadyDelivered = "ALREADY_DELIVERED", 400;
    /// The delivery has not been tried yet, and will be.
    StillPending = "STILL_PENDING", 400;
    /// Missing, unknown, revoked or expired credentials.
    Unauthorized = "UNAUTHORIZED", 401;
    /// The caller may not do this.
    Forbidden = "FORBIDDEN", 403;
    /// The key lacks a scope.
    InsufficientScope = "INSUFFICIENT_SCOPE", 403;
    /// Only a signed-in person may do this, always or while the setting `human_changes_only` is on.
    HumanRequired = "HUMAN_REQUIRED", 403;
    /// The ratifier took part in making the version, or a maker is not a known person
    /// (`details.reason` `MAKER_UNKNOWN`).
    MakerCheckerViolation = "MAKER_CHECKER_VIOLATION", 403;
    /// The key carries capabilities, and a grant of its chain is not there.
    AuthoringCapabilityMissing = "AUTHORING_CAPABILITY_MISSING", 403;
    /// A grant of the key's chain was revoked.
    AuthoringCapabilityRevoked = "AUTHORING_CAPABILITY_REVOKED", 403;
    /// A grant of the key's chain has no uses left.
    AuthoringCapabilityExhausted = "AUTHORING_CAPABILITY_EXHAUSTED", 403;
    /// A grant of the key's chain has expired.
    AuthoringCapabilityExpired = "AUTHORING_CAPABILITY_EXPIRED", 403;
    /// A grant of the key's chain does not hold yet.
    AuthoringCapabilityNotYetValid = "AUTHORING_CAPABILITY_NOT_YET_VALID", 403;
    /// The key's chain of grants is broken, or was not signed as it is.
    AuthoringCapabilityIntegrity = "AUTHORING_CAPABILITY_INTEGRITY", 403;
    /// The grant does not allow the action, or names another version.
    AuthoringCapabilityOutOfScope = "AUTHORING_CAPABILITY_OUT_OF_SCOPE", 403;
    /// The key has a say over policies besides, or its grant was carried during the call.
    AuthoringCapabilityObjectMismatch = "AUTHORING_CAPABILITY_OBJECT_MISMATCH", 403;
    /// No such thing in this tenant.
    NotFound = "NOT_FOUND", 404;
    /// No active policy for the decision type.
    NoActivePolicies = "NO_ACTIVE_POLICIES", 404;
    /// The path exists, the method does not.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 405;
    /// The state does not allow the move.
    InvalidTransition = "INVALID_TRANSITION", 409;
    /// The draft has moved on.
    StaleDraftRevision = "STALE_DRAFT_REVISION", 409;
    /// A draft is already open.
    DraftExists = "DRAFT_EXISTS", 409;
    /// The seal names a return, and the submission before it was not returned.
    ResubmissionPriorNotReturned = "RESUBMISSION_PRIOR_NOT_RETURNED", 409;
    /// The seal names another record than the return that it must answer.
    ResubmissionAnswersRecordMismatch = "RESUBMISSION_ANSWERS_RECORD_MISMATCH", 409;
    /// The drafts before this one cannot be followed back to the last submission.
    LineageUnresolved = "LINEAGE_UNRESOLVED", 409;
    /// The code is taken.
    DuplicateCode = "DUPLICATE_CODE", 409;
    /// The act collides with one that was done before.
    Conflict = "CONFLICT", 409;
    /// The chain is sealed and takes no further step.
    ChainSealed = "CHAIN_SEALED", 409;
    /// The body is larger than allowed.
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", 413;
    /// The body is not JSON by its content type.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", 415;
    /// The request is not as it must be.
    ValidationError = "VALIDATION_ERROR", 422;
    /// A rule has a type that does not exist.
    UnsupportedRuleType = "UNSUPPORTED_RULE_TYPE", 422;
    /// The clauses, the ledger and the rules do not fit each other.
    CodificationRefused = "CODIFICATION_REFUSED", 422;
    /// The bundle would be beyond the limits that verifiers read.
    BundleTooLarge = "BUNDLE_TOO_LARGE", 422;
    /// The idempotency key was used for another request.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", 422;
    /// Too many requests.
    TooManyRequests = "TOO_MANY_REQUESTS", 429;
    /// The form has taken as many submissions as its budget allows.
    FormBudgetExhausted = "FORM_BUDGET_EXHAUSTED", 429;
    /// A fault of ours.
    InternalError = "INTERNAL_ERROR", 500;
    /// The store is away or overloaded.
    ServiceUnavailable = "SERVICE_UNAVAILABLE", 503;
}

/// What is wrong with one value of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldError {
    /// JSON Pointer to the value, or to where an absent member should be.
    pub path: String,
    /// A short word for programs, such as `required` or `type`.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

/// The body of every refusal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// What went wrong.
    pub error: Problem,
    /// The request's correlation id.
    pub correlation_id: String,
    /// Seconds to wait; only with 503.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after: Option<u32>,
}

/// Code, sentence and facts of a refusal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// The code, one of [`ErrorCode`].
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// Facts for programs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub details: Option<Value>,
}
