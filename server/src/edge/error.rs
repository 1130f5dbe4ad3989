//! Conversion of errors to responses. No other module does this.

use std::{any::Any, sync::Arc, time::Duration};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use contract::error::{ErrorBody, ErrorCode};
use governance::{CorrelationId, Error, Refusal, base::error::refusal};
use http::{HeaderName, HeaderValue, StatusCode, header};

use crate::edge::{error_page, quota::Quota, security_headers};

/// An error that becomes a response. The outermost layer writes the body, because it has the correlation ID.
#[derive(Debug)]
pub struct ApiError(pub Error);

pub type ApiResult<T> = Result<T, ApiError>;

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.into())
    }
}

/// The error that is still to be written into a response.
#[derive(Clone, Debug)]
struct PendingError {
    error: Arc<Error>,
    retry_after: Option<u32>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match &self.0 {
            Error::Refused(_) => {}
            Error::Unavailable { cause, .. } => tracing::warn!(%cause, "unavailable"),
            Error::Bug(cause) => tracing::error!(%cause, "internal error"),
        }
        self.expected()
    }
}

impl ApiError {
    /// Converts an error to a response without logging it. For expected errors: start, stop and overload.
    pub(crate) fn expected(self) -> Response {
        let error = self.0;
        let retry_after = retry_after(&error);
        let mut response = Response::new(Body::empty());
        *response.status_mut() =
            StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        // The body has `retry_after` only if the database is unavailable; otherwise only the header has it.
        let retry_after = retry_after.filter(|_| error.status() == 503);
        let error = Arc::new(error);
        response.extensions_mut().insert(PendingError { error, retry_after });
        response
    }
}

/// Returns the number of seconds that the caller should wait, or `None` if a retry does not help.
pub(crate) fn retry_after(error: &Error) -> Option<u32> {
    match error {
        Error::Unavailable { retry_after, .. } => {
            Some(u32::try_from(retry_after.as_secs()).unwrap_or(u32::MAX).max(1))
        }
        Error::Refused(refusal) => {
            refusal.retry_after().or(match refusal.code {
                // A budget without a refill has no wait time.
                ErrorCode::FormBudgetExhausted => None,
                // A refusal with 503 lasts until an operator of the service acts.
                code => matches!(code.status(), 429 | 503).then_some(60),
            })
        }
        Error::Bug(_) => None,
    }
}

/// Removes the error that is still to be written into a response.
pub(crate) fn take_pending(response: &mut Response) -> Option<Arc<Error>> {
    response.extensions_mut().remove::<PendingError>().map(|pending| pending.error)
}

pub(crate) const CORRELATION: HeaderName = HeaderName::from_static("x-correlation-id");

/// The data that completes a response.
#[derive(Debug)]
pub(crate) struct ResponseFinisher<'a> {
    pub(crate) correlation_id: &'a CorrelationId,
    /// The remaining requests of the caller.
    pub(crate) quota: Option<Quota>,
    /// Whether errors are rendered as a page.
    pub(crate) is_page: bool,
    /// Whether the public URL is `https://`.
    pub(crate) is_https: bool,
}

impl ResponseFinisher<'_> {
    /// Writes the headers of every response, and the body of an error response.
    pub(crate) fn finish(self, response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        let headers = &mut parts.headers;
        if let Ok(value) = HeaderValue::from_str(self.correlation_id.as_str()) {
            headers.insert(CORRELATION, value);
        }
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        if let Some(quota) = self.quota {
            quota.write(headers);
        }
        let Some(PendingError { error, retry_after }) = parts.extensions.remove() else {
            security_headers::write(headers, self.is_https);
            return Response::from_parts(parts, body);
        };
        let text = if self.is_page {
            error_page::render(&error, retry_after, self.correlation_id.as_str(), headers)
        } else {
            let correlation_id = self.correlation_id.to_string();
            let body = ErrorBody { error: error.problem(), correlation_id, retry_after };
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            serde_json::to_string(&body).unwrap_or_default()
        };
        security_headers::write(headers, self.is_https);
        Response::from_parts(parts, Body::from(text))
    }
}

/// Returns the error of a request that succeeds after some seconds.
pub(crate) fn unavailable(retry_after_s: u64, cause: &str) -> Error {
    Error::Unavailable { retry_after: Duration::from_secs(retry_after_s), cause: cause.into() }
}

/// Returns the error for an unknown path.
pub(crate) fn no_such_path() -> ApiError {
    refusal(ErrorCode::NotFound, "path not found").into()
}

/// Returns the error for a known path with another method. axum adds `Allow`.
pub(crate) async fn no_such_method() -> ApiError {
    refusal(ErrorCode::MethodNotAllowed, "method not allowed").into()
}

/// Handles a caught panic: logs its message and responds without it.
#[expect(clippy::needless_pass_by_value, reason = "the signature that `CatchPanicLayer` requires")]
pub(crate) fn panic_response(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message");
    ApiError(Error::bug(message)).into_response()
}
