//! What handlers take: the operation, ids in the path, strict queries and strict bodies.

use std::{collections::BTreeMap, convert::Infallible, str::FromStr, time::Duration};

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    response::{IntoResponse, Response},
};
use contract::{
    error::{ErrorCode, FieldError},
    json::{Limits, Object, Value},
    policy::Empty,
    read::{self, Read},
};
use governance::{
    CorrelationId, Cx, Error, Governance, PageRequest,
    error::{Noun, Refusal, invalid, not_found, refusal},
    policy::authored,
};
use http::{HeaderMap, Method, header, request::Parts};
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;

use crate::{
    config::edge::Bounds,
    edge::{error::Failure, overload::Place},
};

/// The most bytes of a request body (contract, section 1).
pub(crate) const BODY_MAX: usize = 1_048_576;

/// The most bytes that are read and discarded of a body that is too large.
const DISCARDED_MAX: usize = 8 * BODY_MAX;

/// The operation of a caller whom the route's guard let in.
#[derive(Debug)]
pub struct Api(pub Cx);

impl<S: Sync> FromRequestParts<S> for Api {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let cx = parts.extensions.remove::<Cx>();
        Ok(Self(cx.ok_or_else(|| Error::bug("a route without its guard"))?))
    }
}

/// The operation of nobody in particular.
#[derive(Debug)]
pub struct Public(pub Cx);

impl<S: Sync> FromRequestParts<S> for Public {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let Caller { governance, correlation_id } = Caller::of(parts)?;
        Ok(Self(governance.public(correlation_id)))
    }
}

/// The service and the request's name, for routes at the door.
#[derive(Debug)]
pub struct Caller {
    /// The service.
    pub governance: Governance,
    /// The request's name.
    pub correlation_id: CorrelationId,
}

impl Caller {
    fn of(parts: &Parts) -> Result<Self, Failure> {
        let governance = parts.extensions.get::<Governance>().cloned();
        let governance = governance.ok_or_else(|| Error::bug("a route without the service"))?;
        let given = parts.extensions.get::<CorrelationId>().cloned();
        let correlation_id = given.unwrap_or_else(|| governance.correlation_id());
        Ok(Self { governance, correlation_id })
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Self::of(parts)
    }
}

/// Ids and numbers of the path. What cannot be one names nothing: 404, as for a missing thing.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: FromPath> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    #[expect(clippy::disallowed_types, reason = "this is the wrapper around it")]
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let raw = axum::extract::Path::<Vec<String>>::from_request_parts(parts, state).await;
        let parsed = raw.ok().and_then(|axum::extract::Path(segments)| T::from_path(&segments));
        parsed.map(Self).ok_or_else(|| not_found(Noun::Thing).into())
    }
}

/// A type that the segments of a path can name.
pub trait FromPath: Sized {
    /// The value that `segments` name, if they name one.
    fn from_path(segments: &[String]) -> Option<Self>;
}

impl<T: FromStr> FromPath for (T,) {
    fn from_path(segments: &[String]) -> Option<Self> {
        match segments {
            [one] => Some((one.parse().ok()?,)),
            _ => None,
        }
    }
}

impl<T: FromStr, U: FromStr> FromPath for (T, U) {
    fn from_path(segments: &[String]) -> Option<Self> {
        match segments {
            [one, two] => Some((one.parse().ok()?, two.parse().ok()?)),
            _ => None,
        }
    }
}

/// The place that a request has among those who use the store, for handlers that wait.
#[derive(Debug)]
pub struct Standing(Option<Place>);

impl<S: Sync> FromRequestParts<S> for Standing {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<Place>().cloned()))
    }
}

impl Standing {
    /// Gives the place back while the handler waits.
    pub fn leave(&self) {
        self.0.iter().for_each(Place::leave);
    }

    /// Takes it again.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when there is none.
    pub fn enter(&self) -> Result<(), Error> {
        self.0.iter().try_for_each(Place::enter)
    }
}

/// A body of at most `MAX` bytes, read strictly: the type, and the tree it was read from.
#[derive(Debug)]
pub struct Body<T, const MAX: usize = BODY_MAX> {
    /// What the body says.
    pub read: T,
    /// The body itself.
    pub tree: Value,
}

impl<S: Sync, T: Read, const MAX: usize> FromRequest<S> for Body<T, MAX> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        // What is sent as a body is not asked for in the query: a parameter must not be ignored.
        Query::from_request_parts(&mut parts, state).await?.finish()?;
        let is_post = parts.method == Method::POST;
        let tree = match tree(Request::from_parts(parts, body), MAX).await? {
            Received::Tree(tree) => tree,
            // An act whose members may all be absent needs no body (contract, section 1).
            Received::Nothing { .. } if is_post && read::body::<T>(&empty()).is_ok() => empty(),
            Received::Nothing { is_json: true } => return Err(not_json("JSON_SYNTAX").into()),
            Received::Nothing { is_json: false } => return Err(not_typed().into()),
        };
        let read = read::body(&tree).map_err(|errors| authored::refuse(&tree, &errors))?;
        Ok(Self { read, tree })
    }
}

/// The fields of a plain form, of at most `MAX` bytes.
pub(crate) struct Posted<const MAX: usize>(pub(crate) Vec<(String, String)>);

impl<S: Sync, const MAX: usize> FromRequest<S> for Posted<MAX> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        if !is_of_type(request.headers(), "application/x-www-form-urlencoded") {
            let message = "send the fields as `application/x-www-form-urlencoded`";
            return Err(refusal(ErrorCode::UnsupportedMediaType, message).into());
        }
        let (_, bytes) = read_whole(request, MAX).await?;
        let pairs = form_urlencoded::parse(&bytes).into_owned();
        // No store takes U+0000, and no person types it.
        Ok(Self(pairs.map(|(name, value)| (name, value.replace('\0', ""))).collect()))
    }
}

/// The body of an act without members: no body at all, or an empty object.
pub type Bodiless = Body<Empty>;

/// An object without members.
fn empty() -> Value {
    Value::Object(Object::new())
}

/// What a request has for a body.
enum Received {
    /// The strict tree of its JSON.
    Tree(Value),
    /// No bytes; whether they are said to be JSON.
    Nothing { is_json: bool },
}

/// Reads a request's body strictly.
async fn tree(request: Request, max: usize) -> Result<Received, Failure> {
    let is_json = is_json(request.headers());
    if !is_json && request.body().size_hint().lower() > 0 {
        return Err(not_typed().into());
    }
    let (_, bytes) = read_whole(request, max).await?;
    if bytes.is_empty() {
        return Ok(Received::Nothing { is_json });
    }
    if !is_json {
        return Err(not_typed().into());
    }
    let tree = Value::parse(&bytes, &Limits::REQUEST);
    tree.map(Received::Tree).map_err(|fault| match fault.code.as_str() {
        "LIMIT_SIZE" => too_large(max).into(),
        code => not_json(code).into(),
    })
}

fn not_typed() -> Refusal {
    let message = "send the body as `Content-Type: application/json`";
    refusal(ErrorCode::UnsupportedMediaType, message)
}

/// Reads the whole body of a request, of at most `max` bytes, within the time that bodies have. The request does not
/// count among those that use the store while it waits for its caller.
pub(crate) async fn read_whole(request: Request, max: usize) -> Result<(Parts, Bytes), Failure> {
    let (parts, mut body) = request.into_parts();
    let patience = parts.extensions.get::<Bounds>().copied().unwrap_or_default().body;
    let place = parts.extensions.get::<Place>();
    if let Some(place) = place {
        place.leave();
    }
    let collected = tokio::time::timeout(patience, Limited::new(&mut body, max).collect()).await;
    let bytes = match collected {
        Ok(Ok(collected)) => collected.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let _ = tokio::time::timeout(patience, discard(&mut body)).await;
            return Err(too_large(max).into());
        }
        Ok(Err(_)) => return Err(not_json("JSON_SYNTAX").into()),
        Err(_) => {
            let cause = "the body did not arrive in time".into();
            let retry_after = Duration::from_secs(1);
            return Err(Error::Unavailable { retry_after, cause }.into());
        }
    };
    place.iter().try_for_each(|place| place.enter())?;
    Ok((parts, bytes))
}

/// Reads the rest of a body that is too large, up to a bound. A connection that is closed with unread bytes is reset,
/// and the caller may then never see the refusal.
async fn discard(body: &mut axum::body::Body) {
    let mut left = DISCARDED_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        let read = frame.data_ref().map_or(0, Bytes::len);
        left = match left.checked_sub(read) {
            Some(left) => left,
            None => return,
        };
    }
}

/// `application/json`, with or without parameters.
fn is_json(headers: &HeaderMap) -> bool {
    is_of_type(headers, "application/json")
}

/// Whether the body is of this type, with or without parameters.
fn is_of_type(headers: &HeaderMap, wanted: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(wanted)
}

fn too_large(max: usize) -> Refusal {
    let kib = max >> 10;
    refusal(ErrorCode::PayloadTooLarge, format!("the body is larger than {kib} KiB"))
}

fn not_json(reason: &str) -> Refusal {
    Refusal {
        details: Some(Object::from([("reason", Value::from(reason))]).into()),
        ..refusal(ErrorCode::ValidationError, "the body is not JSON as this service reads it")
    }
}

/// The query of a request: each parameter once, each one known.
#[derive(Debug)]
pub struct Query {
    given: BTreeMap<String, String>,
    errors: Vec<FieldError>,
    known: Vec<&'static str>,
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let mut query = Self { given: BTreeMap::new(), errors: Vec::new(), known: Vec::new() };
        let text = parts.uri.query().unwrap_or_default();
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            if value.contains('\0') {
                query.refuse(&name, "nul", "must not hold U+0000");
            } else if query.given.insert(name.to_string(), value.to_string()).is_some() {
                query.refuse(&name, "repeated", "is given more than once");
            }
        }
        Ok(query)
    }
}

impl Query {
    fn refuse(&mut self, name: &str, code: &str, message: &str) {
        self.errors.push(FieldError {
            path: format!("/{name}"),
            code: code.to_owned(),
            message: format!("`{name}` {message}"),
        });
    }

    /// A text parameter of 1 to `max` characters.
    pub fn text(&mut self, name: &'static str, max: usize) -> Option<String> {
        self.sized(name, 1, max)
    }

    /// A parameter that opens something, of at most `max` characters. An empty one is as wrong as any other.
    pub fn secret(&mut self, name: &'static str, max: usize) -> Option<String> {
        self.sized(name, 0, max)
    }

    fn sized(&mut self, name: &'static str, min: usize, max: usize) -> Option<String> {
        self.known.push(name);
        let value = self.given.get(name)?.clone();
        if !(min..=max).contains(&value.chars().count()) {
            self.refuse(name, "length", &format!("must have {min} to {max} characters"));
            return None;
        }
        Some(value)
    }

    /// A parameter that must parse; `expected` says as what.
    pub fn parsed<T: FromStr>(&mut self, name: &'static str, expected: &str) -> Option<T> {
        self.known.push(name);
        let parsed = self.given.get(name)?.parse().ok();
        if parsed.is_none() {
            self.refuse(name, "format", &format!("must be {expected}"));
        }
        parsed
    }

    /// A parameter that must be there, and parse.
    pub fn required<T: FromStr>(&mut self, name: &'static str, expected: &str) -> Option<T> {
        if !self.given.contains_key(name) {
            self.refuse(name, "required", "is required");
        }
        self.parsed(name, expected)
    }

    /// Notes an error that the handler found.
    pub fn reject(&mut self, name: &'static str, message: &str) {
        self.refuse(name, "range", message);
    }

    /// `limit` and `cursor`.
    pub fn page(&mut self) -> PageRequest {
        let limit = self.parsed::<u32>("limit", "a whole number from 1 to 200");
        let cursor = self.text("cursor", 500);
        let limit = limit.unwrap_or(contract::page::LIMIT_DEFAULT);
        if !(1..=contract::page::LIMIT_MAX).contains(&limit) {
            self.refuse("limit", "range", "must be a whole number from 1 to 200");
        }
        PageRequest { limit, cursor }
    }

    /// Refuses the request when a parameter was wrong, or is none of those asked for.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` with every fault.
    pub fn finish(mut self) -> Result<(), Failure> {
        let unknown: Vec<String> = self
            .given
            .keys()
            .filter(|name| !self.known.contains(&name.as_str()))
            .cloned()
            .collect();
        for name in unknown {
            let hint = read::nearest(&name, &self.known)
                .map(|known| format!("; did you mean `{known}`?"))
                .unwrap_or_default();
            self.refuse(&name, "unknown", &format!("is not a parameter here{hint}"));
        }
        if self.errors.is_empty() { Ok(()) } else { Err(invalid(&self.errors).into()) }
    }
}

/// Bytes that most answers fit into: they need not be moved while they are written.
const ANSWER: usize = 4_096;

/// A JSON answer.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let mut text = Vec::with_capacity(ANSWER);
        match serde_json::to_writer(&mut text, &self.0) {
            Ok(()) => json(text).into_response(),
            Err(error) => Failure(Error::Bug(error.into())).into_response(),
        }
    }
}

/// An answer whose JSON text is ready.
pub(crate) fn json_text(text: String) -> impl IntoResponse {
    json(text)
}

fn json(body: impl Into<axum::body::Body>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], body.into())
}
