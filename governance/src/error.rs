//! Why an operation did not succeed. Knows nothing of HTTP.

mod access;
mod body;
pub mod bundle;
pub mod capability;
mod decision;
pub mod form;
pub mod log;
mod people;
mod review;
pub mod stream;
pub mod trust;
pub mod webhook;

pub use access::{
    confirmation_required, foreign_tenant, human_changes_only, human_required, insufficient_scope,
    log_in_failed, role_lacks, too_many_attempts, too_many_requests, unauthorized,
};
pub use body::{codification_refused, invalid, invalid_field, unsupported_rule_type};
pub(crate) use decision::not_signed;
pub use decision::{
    chain_broken, chain_sealed, idempotency_key_reused, no_active_policies, no_step_left,
    outcome_known, parent_not_in_chain, step_taken,
};
pub use people::{
    address_proven, address_proven_elsewhere, email_taken, last_admin, member_already,
    no_password_yet, no_proven_account, not_another_admin,
};
pub use review::{
    answers_record_mismatch, answers_record_required, draft_exists, invalid_transition,
    lineage_unresolved, maker_checker, maker_unknown, prior_not_returned, reviewer_sealed,
    stale_draft,
};

use std::{fmt, time::Duration};

use contract::{
    error::{ErrorCode, Problem},
    json::Value,
};
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
            Self::Unavailable { .. } => (
                "the service is overloaded or cannot reach its store; try again shortly".to_owned(),
                None,
            ),
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
    /// A session of a person.
    Session,
    /// A link to choose a password with.
    SetupLink,
    /// An invitation to a tenant.
    Invitation,
    /// A filter that a person keeps.
    SavedFilter,
    /// A hosted form.
    Form,
    /// A token of a form.
    FormToken,
    /// A policy group.
    Group,
    /// An API key.
    ApiKey,
    /// An authoring capability.
    Capability,
    /// An alert.
    Alert,
    /// Where alerts are sent.
    Subscription,
    /// An alert on its way.
    Delivery,
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
            Self::Session => "session",
            Self::SetupLink => "link to choose a password with",
            Self::Invitation => "invitation",
            Self::SavedFilter => "saved filter",
            Self::Form => "form",
            Self::FormToken => "token of a form",
            Self::Group => "policy group",
            Self::ApiKey => "API key",
            Self::Capability => "authoring capability",
            Self::Alert => "alert",
            Self::Subscription => "webhook subscription",
            Self::Delivery => "delivery",
            Self::Thing => "thing",
        })
    }
}

/// The thing is missing, or another tenant's: both look alike.
pub fn not_found(noun: Noun) -> Refusal {
    refusal(ErrorCode::NotFound, format!("there is no such {noun} here"))
}

/// The code is taken.
pub fn duplicate_code(noun: Noun, code: &str) -> Refusal {
    refusal(ErrorCode::DuplicateCode, format!("a {noun} with the code `{code}` exists already"))
}

/// Something with this name exists already.
pub fn conflict(message: impl Into<String>) -> Refusal {
    refusal(ErrorCode::Conflict, message)
}

/// A refusal without facts.
pub fn refusal(code: ErrorCode, message: impl Into<String>) -> Refusal {
    Refusal { code, message: message.into(), details: None }
}
