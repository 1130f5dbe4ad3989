//! The only place that turns an error into an answer.

use std::any::Any;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use contract::error::{ErrorBody, ErrorCode, Problem};
use governance::{CorrelationId, Error, Refusal, error::refusal};
use http::{HeaderName, HeaderValue, StatusCode, header};

use crate::edge::{page, rate_limit::Quota, security_headers};

/// An error on its way out. The outermost layer writes its body, where the
/// correlation id is known.
#[derive(Debug)]
pub struct Failure(pub Error);

/// What a handler answers.
pub type Reply<T> = Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.into())
    }
}

/// What is left to be written into a response that failed.
#[derive(Clone, Debug)]
struct Unwritten {
    problem: Problem,
    retry_after: Option<u32>,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match &self.0 {
            Error::Refused(_) => {}
            Error::Unavailable { cause, .. } => tracing::warn!(%cause, "unavailable"),
            Error::Bug(cause) => tracing::error!(%cause, "a fault of ours"),
        }
        self.expected()
    }
}

impl Failure {
    /// The answer to what was to be expected, and is no news for the log: a start, a stop, an overload.
    pub(crate) fn expected(self) -> Response {
        let error = self.0;
        let retry_after = retry_after(&error);
        let mut response = Response::new(Body::empty());
        *response.status_mut() =
            StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        // Beside `error` only where the store is away; elsewhere the header says it.
        let retry_after = retry_after.filter(|_| error.status() == 503);
        response.extensions_mut().insert(Unwritten { problem: error.problem(), retry_after });
        response
    }
}

/// Seconds that the caller should wait, when waiting helps.
pub(crate) fn retry_after(error: &Error) -> Option<u32> {
    match error {
        Error::Unavailable { retry_after, .. } => {
            Some(u32::try_from(retry_after.as_secs()).unwrap_or(u32::MAX).max(1))
        }
        Error::Refused(refusal) => {
            let stated = refusal.details.as_ref().and_then(|details| details.get("retry_after"));
            stated.and_then(|seconds| seconds.to_canonical().parse().ok()).or(match refusal.code {
                // A budget that never refills states no time.
                ErrorCode::FormBudgetExhausted => None,
                // With 503: until an operator of the service has acted.
                code => matches!(code.status(), 429 | 503).then_some(60),
            })
        }
        Error::Bug(_) => None,
    }
}

/// The header that names a request across services.
pub(crate) const CORRELATION: HeaderName = HeaderName::from_static("x-correlation-id");

/// What an answer needs to be complete.
#[derive(Debug)]
pub(crate) struct Finish<'a> {
    pub(crate) correlation_id: &'a CorrelationId,
    /// What the caller may still send.
    pub(crate) quota: Option<Quota>,
    /// Whether a refusal is to be a page.
    pub(crate) is_page: bool,
    /// Whether the public URL is `https://`.
    pub(crate) is_https: bool,
}

impl Finish<'_> {
    /// Writes the headers of every answer, and the body of one that failed.
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
        let Some(Unwritten { problem, retry_after }) = parts.extensions.remove() else {
            security_headers::write(headers, self.is_https);
            return Response::from_parts(parts, body);
        };
        let correlation_id = self.correlation_id.to_string();
        let body = ErrorBody { error: problem, correlation_id, retry_after };
        let text = if self.is_page {
            page::of(body, parts.status.as_u16(), headers)
        } else {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            serde_json::to_string(&body).unwrap_or_default()
        };
        security_headers::write(headers, self.is_https);
        Response::from_parts(parts, Body::from(text))
    }
}

/// There is no such path.
pub(crate) fn no_such_path() -> Failure {
    refusal(ErrorCode::NotFound, "there is nothing at this path").into()
}

/// The path exists, the method does not; axum adds `Allow`.
pub(crate) async fn no_such_method() -> Failure {
    refusal(ErrorCode::MethodNotAllowed, "this path does not take this method").into()
}

/// A panic, caught: the answer says nothing, the log says what it said.
#[expect(clippy::needless_pass_by_value, reason = "as the layer that catches it hands it over")]
pub(crate) fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words");
    Failure(Error::bug(said)).into_response()
}
