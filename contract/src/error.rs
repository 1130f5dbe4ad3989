//! Error codes and the response body of errors.

use crate::json::{Object, Value};

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $status:literal;)+) => {
        /// An error code of the API, with its HTTP status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode { $($(#[doc = $doc])+ $name,)+ }

        impl ErrorCode {
            /// All error codes.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the wire name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Returns the meaning of the code as a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }

            /// Returns the HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }
        }
    };
}

error_codes! {
    /// The tenant header is missing.
    MissingTenantId = "MISSING_TENANT_ID", 400;
    /// The tenant header is not a UUID.
    InvalidTenantId = "INVALID_TENANT_ID", 400;
    /// Changes were requested for the last submission, and the new submission does not reference them.
    ResubmissionAnswersRecordRequired = "RESUBMISSION_ANSWERS_RECORD_REQUIRED", 400;
    /// The delivery has already succeeded and cannot be retried.
    AlreadyDelivered = "ALREADY_DELIVERED", 400;
    /// The first attempt of the delivery is still pending.
    StillPending = "STILL_PENDING", 400;
    /// The credentials are missing, unknown, revoked or expired.
    Unauthorized = "UNAUTHORIZED", 401;
    /// The password is correct, and the account has a second factor, which the request does not contain.
    SecondFactorMissing = "SECOND_FACTOR_MISSING", 401;
    /// The caller is not permitted to do this.
    Forbidden = "FORBIDDEN", 403;
    /// The API key lacks a required scope.
    InsufficientScope = "INSUFFICIENT_SCOPE", 403;
    /// Only a signed-in user can do this, either always or while the setting `human_changes_only` is on.
    HumanRequired = "HUMAN_REQUIRED", 403;
    /// The ratifier helped create the version, or an author of the version is not a known user
    /// (`details.reason` `MAKER_UNKNOWN`).
    MakerCheckerViolation = "MAKER_CHECKER_VIOLATION", 403;
    /// The tenant requires a second factor, and the session has none: add one to the account, or sign in with it.
    SecondFactorRequired = "SECOND_FACTOR_REQUIRED", 403;
    /// The action requires a sign-in or a reauthentication of the last 15 minutes.
    ConfirmationRequired = "CONFIRMATION_REQUIRED", 403;
    /// The API key can only act under a capability, and a grant of its lineage is missing.
    AuthoringCapabilityMissing = "AUTHORING_CAPABILITY_MISSING", 403;
    /// A capability grant of the API key was revoked.
    AuthoringCapabilityRevoked = "AUTHORING_CAPABILITY_REVOKED", 403;
    /// A capability grant of the API key has no uses left.
    AuthoringCapabilityExhausted = "AUTHORING_CAPABILITY_EXHAUSTED", 403;
    /// A capability grant of the API key has expired.
    AuthoringCapabilityExpired = "AUTHORING_CAPABILITY_EXPIRED", 403;
    /// A capability grant of the API key is not valid yet.
    AuthoringCapabilityNotYetValid = "AUTHORING_CAPABILITY_NOT_YET_VALID", 403;
    /// The capability grants of the API key failed their integrity check.
    AuthoringCapabilityIntegrity = "AUTHORING_CAPABILITY_INTEGRITY", 403;
    /// The capability does not permit the action, or is for a different version.
    AuthoringCapabilityOutOfScope = "AUTHORING_CAPABILITY_OUT_OF_SCOPE", 403;
    /// The API key also has other scopes over policies, or its capability was carried over during the
    /// request.
    AuthoringCapabilityObjectMismatch = "AUTHORING_CAPABILITY_OBJECT_MISMATCH", 403;
    /// The resource does not exist in this tenant.
    NotFound = "NOT_FOUND", 404;
    /// No active policy applies to the decision type.
    NoActivePolicies = "NO_ACTIVE_POLICIES", 404;
    /// The path exists but does not support the method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 405;
    /// The current status does not permit the change.
    InvalidTransition = "INVALID_TRANSITION", 409;
    /// The draft was changed since the revision you sent.
    StaleDraftRevision = "STALE_DRAFT_REVISION", 409;
    /// The policy already has an open draft.
    DraftExists = "DRAFT_EXISTS", 409;
    /// The submission references requested changes, but none were requested for the previous submission.
    ResubmissionPriorNotReturned = "RESUBMISSION_PRIOR_NOT_RETURNED", 409;
    /// The submission references a different review record than the one that requested the changes.
    ResubmissionAnswersRecordMismatch = "RESUBMISSION_ANSWERS_RECORD_MISMATCH", 409;
    /// The draft lineage does not reach the last submission.
    LineageUnresolved = "LINEAGE_UNRESOLVED", 409;
    /// The code is already in use.
    DuplicateCode = "DUPLICATE_CODE", 409;
    /// The request conflicts with an earlier change.
    Conflict = "CONFLICT", 409;
    /// The chain is sealed and accepts no further steps.
    ChainSealed = "CHAIN_SEALED", 409;
    /// The body is larger than allowed.
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", 413;
    /// The content type of the body is not JSON.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", 415;
    /// The request is invalid.
    ValidationError = "VALIDATION_ERROR", 422;
    /// A rule has an unknown type.
    UnsupportedRuleType = "UNSUPPORTED_RULE_TYPE", 422;
    /// The clauses, the ledger and the rules are inconsistent.
    CodificationRefused = "CODIFICATION_REFUSED", 422;
    /// The bundle would exceed the limits of verifiers.
    BundleTooLarge = "BUNDLE_TOO_LARGE", 422;
    /// The idempotency key was used for a different request.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", 422;
    /// The rate limit is exceeded.
    TooManyRequests = "TOO_MANY_REQUESTS", 429;
    /// The submission budget of the form is exhausted.
    FormBudgetExhausted = "FORM_BUDGET_EXHAUSTED", 429;
    /// An unexpected error in the service.
    InternalError = "INTERNAL_ERROR", 500;
    /// The database is unavailable or overloaded.
    ServiceUnavailable = "SERVICE_UNAVAILABLE", 503;
}

macro_rules! reasons {
    ($($code:ident { $($reason:literal: $meaning:literal,)+ })+) => {
        /// The values of `details.reason`, each with the code it belongs to and its meaning.
        pub const REASONS: &[(ErrorCode, &str, &str)] =
            &[$($((ErrorCode::$code, $reason, $meaning),)+)+];
    };
}

reasons! {
    InvalidTransition {
        "VERSION_NOT_DRAFT": "The version is not a draft.",
        "VERSION_NOT_SUBMITTED": "The version is not submitted.",
        "VERSION_NOT_SEALABLE": "The version is neither a draft nor submitted.",
        "VERSION_NOT_REVIEWABLE": "The version can no longer be reviewed.",
        "VERSION_NOT_RATIFIED": "The version is not ratified.",
        "VERSION_RETURNED": "Changes to this revision were requested.",
        "REVIEW_REQUIRED": "The settings require an accepted review of this revision.",
        "VERSION_CLOSED": "The version was replaced or set aside.",
        "VERSION_WAS_SEALED": "The draft was sealed for review, so it is retained as history.",
        "VERSION_WAS_ACTIVE": "The version was active, so it cannot be set aside.",
        "VERSION_ALREADY_ACTIVE": "The version is already active.",
        "VERSION_STATUS_CHANGED": "The status of the version changed since the page was loaded.",
        "ACTIVE_VERSION_CHANGED": "Another version became active since the page was loaded.",
        "VERSION_BOUND_TO_CAPABILITY": "A live capability that can write names the version; set it aside instead.",
        "POLICY_NOT_ACTIVE": "The policy has no active version.",
        "POLICY_HAS_HISTORY": "A version of the policy was ratified, so the policy is retained.",
        "CAPABILITY_NOT_LIVE": "The capability was revoked, has expired or was carried over.",
        "CAPABILITY_CHAIN_FULL": "The capability was carried over too often; issue a new one.",
        "ALERT_ACKNOWLEDGED": "The alert was acknowledged, so it can no longer be assigned or snoozed.",
    }
    Conflict {
        "VERIFICATION_RUNNING": "Another verification of this audit log is running; the header `Retry-After` names the wait.",
    }
    Forbidden {
        "ADDRESS_NOT_PROVEN": "The address of the account is not proven, so no second factor can be added.",
    }
    MakerCheckerViolation {
        "MAKER_UNKNOWN": "An author of the version is not a known user.",
    }
    ValidationError {
        "JSON_SYNTAX": "The body is not JSON in UTF-8.",
        "DUPLICATE_KEY": "An object has two members of the same name.",
        "NUMBER_OUT_OF_RANGE": "A number does not fit a double within ±(2^53 − 1).",
        "STRING_NONCHARACTER": "A string contains a Unicode noncharacter.",
        "STRING_NUL": "A string contains U+0000.",
        "LIMIT_DEPTH": "Arrays and objects are nested deeper than 64 levels.",
        "LIMIT_MEMBERS": "The body has more than 10,000 members.",
    }
}

/// An error of one value of a request.
#[wire(Eq)]
pub struct FieldError {
    /// The JSON Pointer to the value, or to the position of a missing member.
    pub path: String,
    /// The error code for programs, such as `required` or `type`.
    pub code: String,
    /// A message for people.
    pub message: String,
}

impl FieldError {
    /// Returns the error of the value at a path.
    pub fn new(path: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Self { path: path.into(), code: code.to_owned(), message: message.into() }
    }
}

/// The body of every error response.
#[wire]
pub struct ErrorBody {
    /// The error.
    pub error: Problem,
    /// The correlation ID of the request.
    pub correlation_id: String,
    /// The number of seconds to wait before a retry; only with 503.
    pub retry_after: Option<u32>,
}

/// The code, message and details of an error.
#[wire]
pub struct Problem {
    /// The error code, one of [`ErrorCode`].
    pub code: String,
    /// A message for people.
    pub message: String,
    /// Details for programs.
    pub details: Option<Value>,
}

impl Problem {
    /// Returns the error envelope of a program that reports an error without a request, in one line.
    pub fn to_line(&self) -> String {
        let mut error = Object::from([
            ("code", Value::from(self.code.as_str())),
            ("message", Value::from(self.message.as_str())),
        ]);
        if let Some(details) = &self.details {
            error.insert("details", details.clone());
        }
        Value::from(Object::from([("error", error.into())])).to_canonical()
    }
}
