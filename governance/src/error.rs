//! Why an operation did not succeed. Knows nothing of HTTP.

pub mod capability;

use std::{fmt, time::Duration};

use contract::{
    codification,
    error::{ErrorCode, FieldError, Problem},
    id::ReviewRecordId,
    json::{Object, Value},
    policy::PolicyVersion,
    scope::Scope,
};
use receipt::key::SignatureInvalid;
use sea_orm::{DbErr, RuntimeErr, sqlx};

/// What lies behind an error; logged, never shown.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The outcome of a use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation did not succeed.
#[derive(Debug)]
pub enum Error {
    /// The caller can act on it.
    Refused(Box<Refusal>),
    /// The store is away or overloaded.
    Unavailable {
        /// How long the caller should wait.
        retry_after: Duration,
        /// What happened.
        cause: Cause,
    },
    /// A fault of ours.
    Bug(Cause),
}

/// A refusal: a code for programs, a sentence for people, facts for both.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The code.
    pub code: ErrorCode,
    /// The sentence.
    pub message: String,
    /// The facts.
    pub details: Option<Value>,
}

/// How long callers wait when the store is away.
const RETRY_AFTER: Duration = Duration::from_secs(2);

impl Error {
    /// The HTTP status that fits, as a plain number.
    pub fn status(&self) -> u16 {
        self.code().status()
    }

    /// The code that is answered.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Refused(refusal) => refusal.code,
            Self::Unavailable { .. } => ErrorCode::ServiceUnavailable,
            Self::Bug(_) => ErrorCode::InternalError,
        }
    }

    /// What may be shown of it.
    pub fn problem(&self) -> Problem {
        let (message, details) = match self {
            Self::Refused(refusal) => (refusal.message.clone(), refusal.details.clone()),
            Self::Unavailable { .. } => {
                ("the service cannot reach its store; try again shortly".to_owned(), None)
            }
            Self::Bug(_) => (
                "something went wrong on our side; the correlation id helps us to find it"
                    .to_owned(),
                None,
            ),
        };
        Problem { code: self.code().as_str().to_owned(), message, details }
    }

    /// The same error, for one more of those who waited for one result.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(refusal.clone()),
            Self::Unavailable { retry_after, cause } => {
                Self::Unavailable { retry_after: *retry_after, cause: cause.to_string().into() }
            }
            Self::Bug(cause) => Self::bug(cause.to_string()),
        }
    }

    /// The service cannot take on more work at the moment.
    pub(crate) fn overloaded(cause: &'static str) -> Self {
        Self::Unavailable { retry_after: Duration::from_secs(1), cause: cause.into() }
    }

    /// A fault of ours that has no cause but itself.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::Bug(message.into().into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "{}: {}", refusal.code.as_str(), refusal.message),
            Self::Unavailable { cause, .. } => write!(f, "unavailable: {cause}"),
            Self::Bug(cause) => write!(f, "bug: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if is_passing(&error) {
            Self::Unavailable { retry_after: RETRY_AFTER, cause: error.into() }
        } else {
            Self::Bug(error.into())
        }
    }
}

/// Whether the same statement may succeed later: the server is away, full, or had to choose a loser.
fn is_passing(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            match cause.as_ref() {
                sqlx::Error::Database(fault) => {
                    fault.code().is_some_and(|code| is_passing_state(&code))
                }
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::Protocol(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed => true,
                _ => false,
            }
        }
        _ => false,
    }
}

/// SQLSTATEs of connection faults (08), lost races (40), exhaustion (53), lock and statement
/// time-outs, and shutdown (57P). Source: `PostgreSQL` manual, appendix A.
fn is_passing_state(code: &str) -> bool {
    ["08", "40", "53", "57P"].iter().any(|class| code.starts_with(class))
        || matches!(code, "55P03" | "57014" | "25P03")
}

/// The constraint that a statement ran into, if it was one.
pub(crate) fn constraint(error: &DbErr) -> Option<&str> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            cause.as_database_error()?.constraint()
        }
        _ => None,
    }
}

/// What a caller may have asked for in vain.
#[derive(Clone, Copy, Debug)]
pub enum Noun {
    /// A policy.
    Policy,
    /// A version of a policy.
    Version,
    /// What was sealed for review.
    Submission,
    /// The approval of a version.
    Approval,
    /// A recorded decision.
    Decision,
    /// A chain of decisions.
    Chain,
    /// The seal of a chain.
    Seal,
    /// A stored snapshot.
    Snapshot,
    /// A tenant.
    Tenant,
    /// A person.
    User,
    /// Somebody's place in a tenant.
    Member,
    /// A link to choose a first password with.
    SetupLink,
    /// A filter that a person keeps.
    SavedFilter,
    /// A policy group.
    Group,
    /// An API key.
    ApiKey,
    /// An authoring capability.
    Capability,
    /// Whatever a path that is none of ours might have named.
    Thing,
}

impl fmt::Display for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Policy => "policy",
            Self::Version => "version",
            Self::Submission => "submission",
            Self::Approval => "approval",
            Self::Decision => "decision",
            Self::Chain => "chain",
            Self::Seal => "seal",
            Self::Snapshot => "snapshot",
            Self::Tenant => "tenant",
            Self::User => "person",
            Self::Member => "member",
            Self::SetupLink => "link to choose a password with",
            Self::SavedFilter => "saved filter",
            Self::Group => "policy group",
            Self::ApiKey => "API key",
            Self::Capability => "authoring capability",
            Self::Thing => "thing",
        })
    }
}

/// The thing is missing, or another tenant's: both look alike.
pub fn not_found(noun: Noun) -> Refusal {
    refusal(ErrorCode::NotFound, format!("there is no such {noun} here"))
}

/// Nothing decides for this kind of request.
pub fn no_active_policies(decision_type: &str) -> Refusal {
    refusal(
        ErrorCode::NoActivePolicies,
        format!("no active policy governs decisions of type `{decision_type}`"),
    )
}

/// The credentials are missing, unknown, revoked or expired: all look alike.
pub fn unauthorized() -> Refusal {
    refusal(ErrorCode::Unauthorized, "the credentials are missing or not valid")
}

/// The e-mail address or the password is wrong: both look alike.
pub fn log_in_failed() -> Refusal {
    refusal(ErrorCode::Unauthorized, "the e-mail address or the password is wrong")
}

/// Too many requests of an address, a key or a person; `seconds` is how long to wait.
pub fn too_many_requests(whose: &str, seconds: u32) -> Refusal {
    Refusal {
        details: Some(Object::from([("retry_after", Value::from(seconds))]).into()),
        ..refusal(
            ErrorCode::TooManyRequests,
            format!("too many requests of this {whose}; wait {seconds} s and try again"),
        )
    }
}

/// Too many failures at the door.
pub fn too_many_attempts(seconds: u32) -> Refusal {
    Refusal {
        details: Some(Object::from([("retry_after", Value::from(seconds))]).into()),
        ..refusal(
            ErrorCode::TooManyRequests,
            "too many failed sign-ins; wait a minute and try again",
        )
    }
}

/// The key belongs to another tenant, or the person is no member.
pub fn foreign_tenant() -> Refusal {
    refusal(ErrorCode::Forbidden, "these credentials do not belong to this tenant")
}

/// The person's role lacks the right.
pub fn role_lacks(right: &str, role: &str) -> Refusal {
    refusal(ErrorCode::Forbidden, format!("{right} is not among the rights of the role `{role}`"))
}

/// The sign-in is too old for a signing act.
pub fn confirmation_required() -> Refusal {
    Refusal {
        details: Some(Object::from([("reason", Value::from("CONFIRMATION_REQUIRED"))]).into()),
        ..refusal(
            ErrorCode::Forbidden,
            "confirm your password first: the sign-in is older than 15 minutes",
        )
    }
}

/// The key lacks the scope.
pub fn insufficient_scope(required: Scope) -> Refusal {
    Refusal {
        details: Some(Object::from([("required", Value::from(required.as_str()))]).into()),
        ..refusal(ErrorCode::InsufficientScope, format!("the key lacks the scope `{required}`"))
    }
}

/// A key asks for what only a person may do.
pub fn human_required() -> Refusal {
    refusal(ErrorCode::HumanRequired, "only a signed-in person may do this, not an API key")
}

/// The ratifier had a part in making the version.
pub fn maker_checker() -> Refusal {
    refusal(
        ErrorCode::MakerCheckerViolation,
        "you had a part in making this version; another person must ratify it",
    )
}

/// The reviewer sealed the submission.
pub fn reviewer_sealed() -> Refusal {
    refusal(
        ErrorCode::MakerCheckerViolation,
        "you sealed this submission; another person must review it",
    )
}

/// The last submission was returned: the next one must say that it answers that record.
pub fn answers_record_required(record: ReviewRecordId) -> Refusal {
    Refusal {
        details: Some(Object::from([("record_id", Value::from(record.to_string()))]).into()),
        ..refusal(
            ErrorCode::ResubmissionAnswersRecordRequired,
            "the last submission was returned; name that record in `answers_record_id`",
        )
    }
}

/// The submission before this one was not returned, so nothing is to be answered.
pub fn prior_not_returned() -> Refusal {
    refusal(
        ErrorCode::ResubmissionPriorNotReturned,
        "the last submission was not returned; leave out `answers_record_id`",
    )
}

/// Another record was returned last.
pub fn answers_record_mismatch(record: ReviewRecordId) -> Refusal {
    Refusal {
        details: Some(Object::from([("record_id", Value::from(record.to_string()))]).into()),
        ..refusal(
            ErrorCode::ResubmissionAnswersRecordMismatch,
            "`answers_record_id` is not the record that returned the last submission",
        )
    }
}

/// The drafts before this one cannot be followed back.
pub fn lineage_unresolved() -> Refusal {
    refusal(
        ErrorCode::LineageUnresolved,
        "the drafts that this one corrects cannot be followed back to what was last sealed",
    )
}

/// The code is taken.
pub fn duplicate_code(noun: Noun, code: &str) -> Refusal {
    refusal(ErrorCode::DuplicateCode, format!("a {noun} with the code `{code}` exists already"))
}

/// A draft is open already.
pub fn draft_exists(version: Option<u32>) -> Refusal {
    Refusal {
        details: version.map(|open| Object::from([("version", Value::from(open))]).into()),
        ..refusal(
            ErrorCode::DraftExists,
            "a draft of this policy is open already; edit it, or close it first",
        )
    }
}

/// The draft has moved on.
pub fn stale_draft(current: &PolicyVersion) -> Refusal {
    let details = serde_json::to_value(current)
        .ok()
        .and_then(|current| serde_json::from_value(current).ok())
        .map(|current: Value| Object::from([("current", current)]).into());
    Refusal {
        details,
        ..refusal(
            ErrorCode::StaleDraftRevision,
            format!("the draft has moved on to revision {}", current.draft_revision),
        )
    }
}

/// The state does not allow the move.
pub fn invalid_transition(reason: &str, from: &str, requested: &str) -> Refusal {
    let details = Object::from([
        ("reason", Value::from(reason)),
        ("from", Value::from(from)),
        ("requested", Value::from(requested)),
    ]);
    Refusal {
        details: Some(details.into()),
        ..refusal(
            ErrorCode::InvalidTransition,
            format!("`{requested}` is not possible while this is `{from}`"),
        )
    }
}

/// The idempotency key was used for another request.
pub fn idempotency_key_reused() -> Refusal {
    refusal(
        ErrorCode::IdempotencyKeyReused,
        "this idempotency key was used for another request; take a new one",
    )
}

/// The chain is sealed.
pub fn chain_sealed() -> Refusal {
    refusal(ErrorCode::ChainSealed, "this chain is sealed and takes no further step")
}

/// The step is taken.
pub fn step_taken(step: u32) -> Refusal {
    conflict(format!("step {step} of this chain is taken; take another, or leave it out"))
}

/// The highest step is the last one there can be.
pub fn no_step_left() -> Refusal {
    conflict("the highest step of this chain is the last there can be; name a free one")
}

/// The parent is no earlier decision of the chain.
pub fn parent_not_in_chain() -> Refusal {
    invalid_field(
        "/chain/parent_decision_id",
        "not_in_chain",
        "must be an earlier decision of the same chain",
    )
}

/// The chain is not what was recorded.
pub fn chain_broken() -> Refusal {
    conflict("this chain does not verify as it is stored, and is not sealed")
}

/// A signature that was just made does not verify: nothing is kept that rests on it.
pub(crate) fn unsigned_by_accident(cause: SignatureInvalid) -> Error {
    Error::Unavailable { retry_after: RETRY_AFTER, cause: cause.into() }
}

/// The decision has an outcome.
pub fn outcome_known() -> Refusal {
    conflict("an outcome of this decision was recorded before; it does not change")
}

/// The person belongs to the tenant.
pub fn member_already() -> Refusal {
    conflict("this person is a member already; change the role instead")
}

/// Nobody would be left to look after the tenant.
pub fn last_admin() -> Refusal {
    conflict("this is the last admin; make somebody else an admin first")
}

/// Somebody has the address.
pub fn email_taken() -> Refusal {
    conflict("somebody with this e-mail address exists; invite that person")
}

/// Something with this name exists already.
pub fn conflict(message: impl Into<String>) -> Refusal {
    refusal(ErrorCode::Conflict, message)
}

/// The request is not as it must be.
pub fn invalid(errors: &[FieldError]) -> Refusal {
    let message = match errors {
        [only] => format!("{}: {}", only.path, only.message),
        several => format!("{} values of the request are not as they must be", several.len()),
    };
    Refusal {
        details: Some(Object::from([("errors", errors_value(errors))]).into()),
        ..refusal(ErrorCode::ValidationError, message)
    }
}

/// One value of the request is not as it must be.
pub fn invalid_field(path: &str, code: &str, message: &str) -> Refusal {
    invalid(&[FieldError {
        path: path.to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
    }])
}

/// A rule has a type that does not exist.
pub fn unsupported_rule_type(rule_code: &str, rule_type: &str, errors: &[FieldError]) -> Refusal {
    let details = Object::from([
        ("rule_code", Value::from(rule_code)),
        ("rule_type", Value::from(rule_type)),
        ("errors", errors_value(errors)),
    ]);
    Refusal {
        details: Some(details.into()),
        ..refusal(ErrorCode::UnsupportedRuleType, format!("`{rule_type}` is not a rule type"))
    }
}

/// Clauses, ledger and rules do not fit each other.
pub fn codification_refused(refusals: &[codification::Refusal]) -> Refusal {
    let message = match refusals {
        [only] => only.message.clone(),
        several => format!("{} things keep the clauses from being codified", several.len()),
    };
    let facts = serde_json::to_value(refusals)
        .ok()
        .and_then(|facts| serde_json::from_value::<Value>(facts).ok());
    Refusal {
        details: facts.map(|facts| Object::from([("refusals", facts)]).into()),
        ..refusal(ErrorCode::CodificationRefused, message)
    }
}

fn errors_value(errors: &[FieldError]) -> Value {
    errors
        .iter()
        .map(|error| {
            Object::from([
                ("path", Value::from(error.path.as_str())),
                ("code", Value::from(error.code.as_str())),
                ("message", Value::from(error.message.as_str())),
            ])
        })
        .collect()
}

/// A refusal without facts.
pub fn refusal(code: ErrorCode, message: impl Into<String>) -> Refusal {
    Refusal { code, message: message.into(), details: None }
}
