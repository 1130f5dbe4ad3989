//! Extractors of handlers: the request context, IDs in the path and strict bodies; and their JSON responses.

use std::{convert::Infallible, marker::PhantomData, ops::Deref, str::FromStr};

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::{
    error::ErrorCode,
    json::{Limits, Object, ParseError, ParseErrorCode, Value},
    policy::EmptyBody,
    read::{self, FromJson},
};
use governance::{
    CorrelationId, Cx, Error, Governance,
    authoring::policy::rule_input,
    base::error::{Refusal, ResourceKind, invalid, invalid_field, not_found, refusal},
};
use http::{HeaderMap, Method, StatusCode, header, request::Parts};
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    config::edge::EdgeLimits,
    edge::{
        error::{ApiError, ApiResult, unavailable},
        query::NoQuery,
        store_limiter::StorePermit,
    },
    endpoint::{Describe, Operation, describe_nothing},
};

// The permission of an endpoint describes its callers.
describe_nothing!(Authorized, Public, RequestContext, RequestStorePermit);

/// The maximum size of a request body in bytes (contract, section 1).
pub(crate) const BODY_MAX: usize = 1_048_576;

/// The maximum number of bytes that are read and discarded of a body that is too large.
const DISCARDED_BYTES_MAX: usize = 8 * BODY_MAX;

/// The request context of a caller whom the route has authorized.
#[derive(Debug)]
pub struct Authorized(pub Cx);

impl<S: Sync> FromRequestParts<S> for Authorized {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let cx = parts.extensions.remove::<Cx>();
        Ok(Self(cx.ok_or_else(|| Error::bug("the route has no authorization layer"))?))
    }
}

impl Deref for Authorized {
    type Target = Cx;

    fn deref(&self) -> &Cx {
        &self.0
    }
}

/// The request context of an anonymous caller.
#[derive(Debug)]
pub struct Public(pub Cx);

impl<S: Sync> FromRequestParts<S> for Public {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let RequestContext { governance, correlation_id } = RequestContext::from_parts(parts)?;
        Ok(Self(governance.public(correlation_id)))
    }
}

impl Deref for Public {
    type Target = Cx;

    fn deref(&self) -> &Cx {
        &self.0
    }
}

/// The service and the correlation ID, for routes that authenticate the caller themselves.
#[derive(Debug)]
pub struct RequestContext {
    pub governance: Governance,
    pub correlation_id: CorrelationId,
}

impl RequestContext {
    fn from_parts(parts: &Parts) -> Result<Self, ApiError> {
        let governance = parts.extensions.get::<Governance>().cloned();
        let governance =
            governance.ok_or_else(|| Error::bug("the route has no service extension"))?;
        let incoming = parts.extensions.get::<CorrelationId>().cloned();
        let correlation_id = incoming.unwrap_or_else(|| governance.correlation_id());
        Ok(Self { governance, correlation_id })
    }
}

impl<S: Sync> FromRequestParts<S> for RequestContext {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::from_parts(parts)
    }
}

/// The IDs and numbers of the path. A segment that cannot be parsed gives the same 404 as a missing resource.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: FromPath> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    #[expect(clippy::disallowed_types, reason = "this is the wrapper around it")]
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let raw = axum::extract::Path::<Vec<String>>::from_request_parts(parts, state).await;
        let parsed = raw.ok().and_then(|axum::extract::Path(segments)| T::from_path(&segments));
        parsed.map(Self).ok_or_else(|| not_found(ResourceKind::Resource).into())
    }
}

/// The only ID of the path, which is parsed as [`Path`] does.
#[derive(Debug)]
pub struct Id<T>(pub T);

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Path((id,)) = Path::from_request_parts(parts, state).await?;
        Ok(Self(id))
    }
}

// The document describes the parameters of a path by their names.
impl<T> Describe for Path<T> {
    fn describe(_: &mut Operation) {}
}

impl<T> Describe for Id<T> {
    fn describe(_: &mut Operation) {}
}

/// A type that can be parsed from path segments.
pub trait FromPath: Sized {
    /// Parses `segments`, and returns `None` if they do not match.
    fn from_path(segments: &[String]) -> Option<Self>;
}

macro_rules! from_path {
    ($($name:ident: $type:ident),+) => {
        impl<$($type: FromStr),+> FromPath for ($($type,)+) {
            fn from_path(segments: &[String]) -> Option<Self> {
                let [$($name),+] = segments else { return None };
                Some(($($name.parse().ok()?,)+))
            }
        }
    };
}

from_path!(first: T);
from_path!(first: T, second: U);
from_path!(first: T, second: U, third: V);

/// The store permit of a request, for handlers that wait.
#[derive(Debug)]
pub struct RequestStorePermit(Option<StorePermit>);

impl<S: Sync> FromRequestParts<S> for RequestStorePermit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<StorePermit>().cloned()))
    }
}

impl RequestStorePermit {
    /// Releases the permit while the handler waits.
    pub fn release(&self) {
        self.0.iter().for_each(StorePermit::release);
    }

    /// Acquires the permit again.
    ///
    /// # Errors
    /// Returns `SERVICE_UNAVAILABLE` if no permit is available.
    pub fn reacquire(&self) -> Result<(), Error> {
        self.0.iter().try_for_each(StorePermit::reacquire)
    }
}

/// A body of at most `MAX` bytes, parsed strictly. `D` is the type whose doc comments describe it.
#[derive(Debug)]
pub struct Body<T, const MAX: usize = BODY_MAX, D = T> {
    /// The parsed value.
    pub value: T,
    /// The JSON value that was parsed.
    pub json: Value,
    described_by: PhantomData<fn() -> D>,
}

/// A body with rules, which `T` reads for the use case and `D` describes.
pub type RulesBody<T, D> = Body<T, BODY_MAX, D>;

impl<T: FromJson, const MAX: usize, D: ToSchema> Describe for Body<T, MAX, D> {
    fn describe(operation: &mut Operation) {
        operation.json_body::<T, D>();
    }
}

impl<S: Sync, T: FromJson, const MAX: usize, D> FromRequest<S> for Body<T, MAX, D> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let json = read_body(request, MAX, || read::body::<T>(&empty()).is_ok()).await?;
        let value =
            read::body(&json).map_err(|errors| rule_input::validation_error(&json, &errors))?;
        Ok(Self { value, json, described_by: PhantomData })
    }
}

/// Reads the JSON of a body. `may_be_empty` returns whether all members are optional.
async fn read_body(
    request: Request,
    max: usize,
    may_be_empty: fn() -> bool,
) -> Result<Value, ApiError> {
    let (mut parts, body) = request.into_parts();
    // Fields of the body are not accepted in the query: a parameter must not be ignored.
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let is_post = parts.method == Method::POST;
    match read_json(Request::from_parts(parts, body), max).await? {
        ReceivedBody::Json(json) => Ok(json),
        // An action whose members are all optional needs no body (contract, section 1).
        ReceivedBody::Empty { .. } if is_post && may_be_empty() => Ok(empty()),
        ReceivedBody::Empty { is_json: true } => {
            Err(invalid_json("JSON_SYNTAX", "is empty; send a JSON object").into())
        }
        ReceivedBody::Empty { is_json: false } => Err(wrong_media_type().into()),
    }
}

/// Refuses a body with members of a request that takes none, so that no member is ignored. [`NoBody`] and this function
/// accept an empty object.
pub(crate) async fn without_body(request: Request, next: Next) -> Result<Response, ApiError> {
    let takes_none = matches!(*request.method(), Method::GET | Method::HEAD | Method::DELETE);
    if !takes_none || request.body().is_end_stream() {
        return Ok(next.run(request).await);
    }
    let (parts, bytes) = read_whole(request, BODY_MAX).await?;
    check_no_members(&bytes)?;
    Ok(next.run(Request::from_parts(parts, axum::body::Body::empty())).await)
}

fn check_no_members(bytes: &Bytes) -> Result<(), Refusal> {
    if bytes.is_empty() {
        return Ok(());
    }
    let object =
        Value::parse(bytes, &Limits::REQUEST).ok().filter(|json| json.as_object().is_some());
    let Some(object) = object else {
        return Err(invalid_field("", "type", "must be empty, because this request takes no body"));
    };
    read::body::<EmptyBody>(&object).map(drop).map_err(|mut errors| {
        for error in &mut errors {
            error.message.push_str("; this request takes no body");
        }
        invalid(&errors)
    })
}

/// The body of an action without members: no body, or an empty object.
pub type NoBody = Body<EmptyBody>;

fn empty() -> Value {
    Value::Object(Object::new())
}

enum ReceivedBody {
    Json(Value),
    /// No bytes, and whether the content type is JSON.
    Empty {
        is_json: bool,
    },
}

/// Parses the body of a request strictly.
async fn read_json(request: Request, max: usize) -> Result<ReceivedBody, ApiError> {
    let is_json = is_of_type(request.headers(), "application/json");
    let readable = check_encoding(request.headers(), is_json);
    if request.body().size_hint().lower() > 0 {
        readable.clone()?;
    }
    let (_, bytes) = read_whole(request, max).await?;
    if bytes.is_empty() {
        return Ok(ReceivedBody::Empty { is_json });
    }
    readable?;
    Value::parse(&bytes, &Limits::REQUEST)
        .map(ReceivedBody::Json)
        .map_err(|error| unreadable(&bytes, error, max).into())
}

/// Checks that the headers of a body announce JSON in UTF-8 without compression.
fn check_encoding(headers: &HeaderMap, is_json: bool) -> Result<(), Refusal> {
    let refuse = |message: &str| Err(refusal(ErrorCode::UnsupportedMediaType, message));
    if !is_json || headers.get_all(header::CONTENT_TYPE).iter().count() > 1 {
        return Err(wrong_media_type());
    }
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    if encodings.any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return refuse("send the body uncompressed, without `Content-Encoding`");
    }
    match foreign_charset(headers) {
        Some(charset) => refuse(&format!("send the body in UTF-8, not in `{charset}`")),
        None => Ok(()),
    }
}

/// Returns the character encoding that the content type names, unless it is UTF-8.
pub(crate) fn foreign_charset(headers: &HeaderMap) -> Option<&str> {
    let parameters = headers.get(header::CONTENT_TYPE)?.to_str().ok()?.split(';').skip(1);
    let parameters = parameters.filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, charset)| charset.trim().trim_matches('"'));
    charsets.find(|charset| {
        // Both names are used, and the registered one is the first.
        !["utf-8", "utf8"].iter().any(|name| charset.eq_ignore_ascii_case(name))
    })
}

fn wrong_media_type() -> Refusal {
    let message = "send the body as `Content-Type: application/json`";
    refusal(ErrorCode::UnsupportedMediaType, message)
}

/// Returns the refusal of a body that is not JSON, or exceeds a limit of JSON.
fn unreadable(bytes: &[u8], error: ParseError, max: usize) -> Refusal {
    let reason = error.code.as_str();
    match error.code {
        ParseErrorCode::LimitSize => too_large(max),
        ParseErrorCode::JsonSyntax if bytes.starts_with("\u{FEFF}".as_bytes()) => {
            invalid_json(reason, "begins with a byte order mark; send UTF-8 without one")
        }
        ParseErrorCode::JsonSyntax
            if bytes.iter().take(2).any(|byte| *byte == 0)
                || std::str::from_utf8(bytes).is_err() =>
        {
            invalid_json(reason, "is not in UTF-8")
        }
        ParseErrorCode::JsonSyntax => {
            let offset = error.offset;
            invalid_json(reason, &format!("is not valid JSON at byte {offset}"))
        }
        _ => invalid_json(reason, &format!("cannot be read: {error}")),
    }
}

/// Reads the whole body of a request, of at most `max` bytes, within the time limit of bodies. The request
/// releases its store permit while it waits for the caller.
pub(crate) async fn read_whole(request: Request, max: usize) -> Result<(Parts, Bytes), ApiError> {
    let (parts, mut body) = request.into_parts();
    let timeout = parts.extensions.get::<EdgeLimits>().copied().unwrap_or_default().body_timeout;
    let permit = parts.extensions.get::<StorePermit>();
    if let Some(permit) = permit {
        permit.release();
    }
    let collected = tokio::time::timeout(timeout, Limited::new(&mut body, max).collect()).await;
    let bytes = match collected {
        Ok(Ok(collected)) => collected.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let _ = tokio::time::timeout(timeout, discard(&mut body)).await;
            return Err(too_large(max).into());
        }
        Ok(Err(_)) => {
            return Err(invalid_json("JSON_SYNTAX", "ended before it was complete").into());
        }
        Err(_) => {
            return Err(unavailable(1, "the body did not arrive in time").into());
        }
    };
    permit.iter().try_for_each(|permit| permit.reacquire())?;
    Ok((parts, bytes))
}

/// Reads and discards the rest of a body that is too large, up to a limit. If the connection were closed with
/// unread bytes, it would be reset and the caller might not receive the error.
async fn discard(body: &mut axum::body::Body) {
    let mut remaining = DISCARDED_BYTES_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        let read_bytes = frame.data_ref().map_or(0, Bytes::len);
        remaining = match remaining.checked_sub(read_bytes) {
            Some(remaining) => remaining,
            None => return,
        };
    }
}

/// Returns whether the body has the media type `expected`, with or without parameters.
pub(crate) fn is_of_type(headers: &HeaderMap, expected: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}

fn too_large(max: usize) -> Refusal {
    let kib = max >> 10;
    refusal(ErrorCode::PayloadTooLarge, format!("the body is larger than {kib} KiB"))
}

/// Returns the refusal of a body that is not acceptable JSON. `problem` continues the sentence "the body …".
fn invalid_json(reason: &'static str, problem: &str) -> Refusal {
    refusal(ErrorCode::ValidationError, format!("the body {problem}")).with_reason(reason)
}

/// The initial capacity for a response in bytes. Most responses fit, so the buffer need not grow.
const RESPONSE_CAPACITY: usize = 4_096;

/// A JSON response.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// The result of a handler that answers with JSON.
pub type JsonResult<T> = ApiResult<Json<T>>;

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let mut text = Vec::with_capacity(RESPONSE_CAPACITY);
        match serde_json::to_writer(&mut text, &self.0) {
            Ok(()) => json(text).into_response(),
            Err(error) => ApiError(Error::Bug(error.into())).into_response(),
        }
    }
}

impl<T: ToSchema> Describe for Json<T> {
    fn describe(operation: &mut Operation) {
        operation.json_answer::<T>(200);
    }
}

/// A response with status 201: the path where the created resource can be read, and the resource as JSON. If it has no
/// path of its own, this is the path of the list or the resource that contains it.
#[derive(Debug)]
pub struct Created<T>(pub String, pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let Self(location, resource) = self;
        (StatusCode::CREATED, [(header::LOCATION, location)], Json(resource)).into_response()
    }
}

impl<T: ToSchema> Describe for Created<T> {
    fn describe(operation: &mut Operation) {
        operation.json_answer::<T>(201);
    }
}

/// Returns a response of serialized JSON.
pub(crate) fn json_text(text: String) -> impl IntoResponse {
    json(text)
}

fn json(body: impl Into<axum::body::Body>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], body.into())
}
