//! Errors of calls.

use std::{env, fmt};

use contract::error::{ErrorBody, FieldError};
use url::Url;

use crate::output::one_line;

/// The reason why a call has no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service refused the call.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// There is no response.
    #[error("{url} cannot be reached: {cause}")]
    Unreachable {
        /// The URL of the service.
        url: String,
        /// The cause, for people.
        cause: String,
    },
    /// The response is not one of Govern.
    #[error("{url} responded with status {status} and not as Govern does; check the URL")]
    Unexpected {
        /// The URL of the service.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The correlation ID, if the response has one.
        correlation_id: Option<String>,
        /// The number of seconds to wait before a retry.
        retry_after: Option<u64>,
    },
    /// The body of a successful response has an unknown form.
    #[error("the response cannot be read: {0}; use a `govern` of the version of the service")]
    Body(String),
    /// The client cannot be created.
    #[error("{0}")]
    Setup(String),
}

impl Error {
    pub(super) fn network(url: &Url, error: &reqwest::Error) -> Self {
        // The innermost cause is the one that people understand, such as "connection refused".
        let mut cause: &dyn std::error::Error = error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let cause = if error.is_timeout() { "timeout".to_owned() } else { cause.to_string() };
        Self::Unreachable { url: url.to_string(), cause: cause + &proxy_note(url) }
    }

    /// Returns the code of a refusal.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(refused) => Some(&refused.body.error.code),
            _ => None,
        }
    }
}

/// Names the variable of a proxy, which may be what cannot be reached. Its value may contain a password.
fn proxy_note(url: &Url) -> String {
    let names = [format!("{}_proxy", url.scheme()), "all_proxy".to_owned()];
    let names = names.into_iter().flat_map(|name| [name.to_ascii_uppercase(), name]);
    let mut set = names.filter(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    set.next().map(|name| format!(" ({name} is set)")).unwrap_or_default()
}

/// An error response of the service.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The HTTP status.
    pub status: u16,
    /// The body of the response.
    pub body: ErrorBody,
    /// The number of seconds to wait before a retry.
    pub retry_after: Option<u64>,
}

impl Refused {
    /// Returns the errors of single values of the request.
    pub fn fields(&self) -> Vec<FieldError> {
        let errors = self.body.error.details.as_ref().and_then(|details| details.get("errors"));
        let errors = errors.map(|errors| serde_json::from_str(&errors.to_canonical()));
        errors.and_then(Result::ok).unwrap_or_default()
    }
}

impl fmt::Display for Refused {
    /// Writes the message with the code, one line per invalid value, and the correlation ID. A line break in a text of the
    /// service adds no line, which a CI could read as a command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.body.error;
        f.write_str(&one_line(&format!("{} ({})", problem.message, problem.code)))?;
        let fields = self.fields();
        // The message of a single error already contains its path.
        if fields.len() > 1 {
            for FieldError { path, message, .. } in fields {
                write!(f, "\n  {}", one_line(&format!("{path}: {message}")))?;
            }
        }
        write!(f, "\n  request {}", one_line(&self.body.correlation_id))
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use contract::{error::Problem, json::Object};

    use super::*;

    #[test]
    fn texts_of_the_service_add_no_lines() {
        let field = |path: &str| {
            Object::from(
                [("path", path), ("code", "c"), ("message", "m\n::x")]
                    .map(|(name, text)| (name, text.into())),
            )
        };
        let errors = [field("/a\n::x"), field("/b")].into_iter().collect();
        let error = Problem {
            code: "CODE\n::x".to_owned(),
            message: "message\n::error::x".to_owned(),
            details: Some(Object::from([("errors", errors)]).into()),
        };
        let body = ErrorBody { error, correlation_id: "id\n::x".to_owned(), retry_after: None };
        let shown = Refused { status: 422, body, retry_after: None }.to_string();
        assert_eq!(shown.lines().count(), 4, "{shown}");
        assert!(!shown.contains("\n::"), "{shown}");
    }
}
