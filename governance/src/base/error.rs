//! Errors of use cases, independent of HTTP.

/// Declares refusals: `name(arguments) = Code, "message"`, and how it is completed, such as `with_wait(seconds)`. The message
/// may name the arguments.
macro_rules! refusals {
    ($(
        $(#[$meta:meta])*
        $name:ident($($argument:ident: $type:ty),*) = $code:ident, $message:literal $(, $with:ident($value:expr))?;
    )+) => {$(
        $(#[$meta])*
        pub fn $name($($argument: $type),*) -> $crate::base::error::Refusal {
            $crate::base::error::refusal(::contract::error::ErrorCode::$code, format!($message))$(.$with($value))?
        }
    )+};
}

mod access;
pub mod alert;
mod body;
pub mod bundle;
pub mod capability;
mod decision;
mod details;
pub mod form;
pub mod log;
mod members;
mod review;
pub mod stream;
pub mod trust;
pub mod webhook;

use std::time::Duration;

use contract::error::{ErrorCode, FieldError, Problem};
use sea_orm::{DbErr, RuntimeErr, sqlx};

pub(crate) use self::decision::not_signed;
pub use self::{
    access::*,
    body::*,
    decision::*,
    details::{Details, ReadinessChecks},
    members::*,
    review::*,
};
use crate::base::json::to_json;

/// The underlying cause of an error. It is logged and never returned to callers.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An expected failure that the caller can act on.
    #[error("{}: {}", .0.code.as_str(), .0.message)]
    Refused(Box<Refusal>),
    /// The database is unavailable or overloaded.
    #[error("unavailable: {cause}")]
    Unavailable {
        /// The time after which the caller should retry.
        retry_after: Duration,
        cause: Cause,
    },
    #[error("bug: {0}")]
    Bug(Cause),
}

/// An expected failure: a code for programs, a message for people and details for both.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
    pub details: Option<Details>,
}

/// The time after which callers should retry when the database is unavailable.
const RETRY_AFTER: Duration = Duration::from_secs(2);

impl Error {
    /// Returns the HTTP status as a plain number.
    pub fn status(&self) -> u16 {
        self.code().status()
    }

    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Refused(refusal) => refusal.code,
            Self::Unavailable { .. } => ErrorCode::ServiceUnavailable,
            Self::Bug(_) => ErrorCode::InternalError,
        }
    }

    /// Returns the message for people.
    pub fn message(&self) -> &str {
        match self {
            Self::Refused(refusal) => &refusal.message,
            Self::Unavailable { .. } => {
                "the service is overloaded or its database is unavailable; try again shortly"
            }
            Self::Bug(_) => "internal error; report the correlation ID",
        }
    }

    /// Returns the part of the error that callers may see, in its form on the wire.
    pub fn problem(&self) -> Problem {
        let details = match self {
            Self::Refused(refusal) => {
                refusal.details.as_ref().and_then(|details| to_json(details).ok())
            }
            Self::Unavailable { .. } | Self::Bug(_) => None,
        };
        let (code, message) = (self.code().as_str().to_owned(), self.message().to_owned());
        Problem { code, message, details }
    }

    /// Returns the errors of a request with invalid values.
    pub fn field_errors(&self) -> Option<&[FieldError]> {
        match self {
            Self::Refused(refusal) => refusal.field_errors(),
            Self::Unavailable { .. } | Self::Bug(_) => None,
        }
    }

    /// Copies the error for another request that waits for the same result.
    pub(crate) fn clone_for_waiter(&self) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(refusal.clone()),
            Self::Unavailable { retry_after, cause } => {
                Self::Unavailable { retry_after: *retry_after, cause: cause.to_string().into() }
            }
            Self::Bug(cause) => Self::bug(cause.to_string()),
        }
    }

    /// Returns the error for work that exceeds the capacity of the service.
    pub(crate) fn overloaded(cause: &'static str) -> Self {
        Self::Unavailable { retry_after: Duration::from_secs(1), cause: cause.into() }
    }

    /// Converts an error that no caller can cause.
    pub(crate) fn internal(cause: impl Into<Cause>) -> Self {
        Self::Bug(cause.into())
    }

    /// Returns an internal error without an underlying cause.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::Bug(message.into().into())
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if is_transient(&error) {
            Self::Unavailable { retry_after: RETRY_AFTER, cause: error.into() }
        } else {
            Self::Bug(error.into())
        }
    }
}

/// Stored data that cannot be read, and numbers that do not fit their columns, are internal errors: requests are read with
/// `contract::json`, which reports their errors itself.
macro_rules! internal_errors {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Bug(error.into())
            }
        }
    )+};
}

internal_errors!(serde_json::Error, std::num::TryFromIntError, tokio::task::JoinError);

/// Returns whether the same statement may succeed later: the server is unavailable or out of resources,
/// or it aborted one of several conflicting transactions.
fn is_transient(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            match cause.as_ref() {
                sqlx::Error::Database(error) => {
                    error.code().is_some_and(|code| is_transient_state(&code))
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

/// Matches the SQLSTATEs of connection errors (08), transaction rollbacks (40), exhausted resources
/// (53), lock and statement timeouts, and shutdown (57P). Source: `PostgreSQL` manual, appendix A.
fn is_transient_state(code: &str) -> bool {
    ["08", "40", "53", "57P"].iter().any(|class| code.starts_with(class))
        || matches!(code, "55P03" | "57014" | "25P03")
}

/// Converts the error of a statement: `refusal` if it violates one of these constraints.
pub(crate) fn map_violation(
    error: DbErr,
    constraints: &[&str],
    refusal: impl FnOnce() -> Refusal,
) -> Error {
    if constraint(&error).is_some_and(|name| constraints.contains(&name)) {
        return refusal().into();
    }
    error.into()
}

/// Returns the name of the violated constraint, if the error is a constraint violation.
pub(crate) fn constraint(error: &DbErr) -> Option<&str> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            cause.as_database_error()?.constraint()
        }
        _ => None,
    }
}

contract::named_enum! {
    /// The kind of resource that was not found.
    pub enum ResourceKind {
        Policy = "policy",
        Version = "version",
        Submission = "submission",
        Comment = "comment",
        Approval = "approval",
        Decision = "decision",
        Chain = "chain",
        Seal = "seal",
        Snapshot = "snapshot",
        Tenant = "tenant",
        User = "user",
        Member = "member",
        Session = "session",
        /// A setup link, with which a user chooses a password.
        SetupLink = "setup link",
        Invitation = "invitation",
        SavedFilter = "saved filter",
        Form = "form",
        FormToken = "form token",
        Group = "policy group",
        ApiKey = "API key",
        Capability = "authoring capability",
        Alert = "alert",
        Subscription = "webhook subscription",
        Delivery = "delivery",
        IdentityProvider = "identity provider",
        Passkey = "passkey",
        /// An authenticator app of an account.
        Totp = "authenticator app",
        Resource = "resource",
    }
}

/// Returns the refusal for a resource that does not exist or belongs to another tenant. The two cases
/// are indistinguishable.
pub fn not_found(resource: ResourceKind) -> Refusal {
    refusal(ErrorCode::NotFound, format!("{resource} not found"))
}

/// Converts a missing row to the refusal that it was not found.
pub(crate) trait OrNotFound<T> {
    /// Returns the value, or the refusal [`not_found`].
    fn or_not_found(self, resource: ResourceKind) -> Result<T, Refusal>;
}

impl<T> OrNotFound<T> for Option<T> {
    fn or_not_found(self, resource: ResourceKind) -> Result<T, Refusal> {
        self.ok_or_else(|| not_found(resource))
    }
}

/// Converts a missing value that must exist to an internal error.
pub(crate) trait OrBug<T> {
    /// Returns the value, or an internal error with a message.
    fn or_bug(self, message: &'static str) -> Result<T>;
}

impl<T> OrBug<T> for Option<T> {
    fn or_bug(self, message: &'static str) -> Result<T> {
        self.ok_or_else(|| Error::bug(message))
    }
}

pub fn duplicate_code(resource: ResourceKind, code: &str) -> Refusal {
    refusal(ErrorCode::DuplicateCode, format!("a {resource} with the code `{code}` already exists"))
}

pub fn conflict(message: impl Into<String>) -> Refusal {
    refusal(ErrorCode::Conflict, message)
}

/// Creates a refusal without details.
pub fn refusal(code: ErrorCode, message: impl Into<String>) -> Refusal {
    Refusal { code, message: message.into(), details: None }
}
