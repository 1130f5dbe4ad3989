//! Hosted form endpoints, for the tenant and for the public.

use std::net::{IpAddr, SocketAddr};

use axum::{
    Extension,
    extract::{ConnectInfo, FromRequestParts, State},
    response::{IntoResponse, NoContent, Response},
};
use contract::{
    form::{
        ACCESS_CHARS_MAX, Form, FormContract, FormDraft, FormPatch, FormSchema, FormSubmission,
        FormSubmissionResult, FormToken, FormTokenDraft,
    },
    id::{DecisionId, FormId, FormTokenId},
    pagination::Page,
    receipt::Receipt,
    text::normalized_password,
};
use governance::{
    Cx, PageRequest,
    access::session,
    base::error::invalid_field,
    deciding::form::{self, FormCredentials},
};
use http::{HeaderMap, HeaderName, StatusCode, header, request::Parts};
use serde_json::json;
use tower_sessions::Session;

use super::{
    anchor::{WaitFor, wait_until_anchored},
    conditional::{Tagged, cached_json, public_json},
};
use crate::{
    edge::{
        ApiError, ApiResult, Authorized, Body, Created, FromQuery, Id, Json, JsonResult, Path,
        Public, Query, QueryReader, RequestStorePermit,
        access::{self, CallerInfo},
        quota::Quota,
        rate_limit::QuotaExceeded,
    },
    endpoint::{Describe, Operation},
    metrics::EarlyRejection,
    state::Service,
};

/// The maximum size of a submission in bytes (contract, section 1).
pub(crate) const SUBMISSION_MAX: usize = 262_144;

/// Create a form.
///
/// Without `fields`, the fields are derived from the active rules of its policy.
#[post(
    "/v1/forms", WRITE_FORMS, audit = "form.create",
    example = {
        "policy_id": "0b7c6f5e-8d0f-4d0e-9a55-6f2f5f6d1c11",
        "title": "Vendor request",
        "decision_type": "vendor_payment",
        "fields": [
            {"name": "amount", "label": "Contract value", "type": "number", "required": true},
            {"name": "purpose", "label": "Purpose", "type": "textarea", "max_length": 2000},
        ],
        "access_mode": "open",
        "is_published": true,
        "token_budget": {"limit": 100, "window": "day"},
    },
    404 = "`NOT_FOUND`: the policy",
)]
async fn create(cx: Authorized, body: Body<FormDraft>) -> ApiResult<Created<Form>> {
    let form = form::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/forms/{}", form.id), form))
}

/// List forms, newest first.
#[get("/v1/forms", READ_FORMS)]
async fn list(cx: Authorized, Query(page): Query<PageRequest>) -> JsonResult<Page<Form>> {
    Ok(Json(form::list(&cx, &page).await?))
}

/// Read a form.
#[get("/v1/forms/{form_id}", READ_FORMS)]
async fn read(cx: Authorized, Id(id): Id<FormId>) -> JsonResult<Form> {
    Ok(Json(form::read(&cx, id).await?))
}

/// Change, publish or unpublish a form.
///
/// `is_published` publishes and unpublishes it.
#[patch("/v1/forms/{form_id}", WRITE_FORMS, audit = "form.edit", example = {"is_published": false})]
async fn edit(cx: Authorized, Id(id): Id<FormId>, body: Body<FormPatch>) -> JsonResult<Form> {
    Ok(Json(form::edit(&cx, id, body.value, None).await?))
}

/// Delete a form with its tokens.
///
/// Its decisions are not deleted.
#[delete("/v1/forms/{form_id}", WRITE_FORMS, audit = "form.delete", 204 = "Deleted")]
async fn delete(cx: Authorized, Id(id): Id<FormId>) -> ApiResult<NoContent> {
    form::delete(&cx, id, None).await?;
    Ok(NoContent)
}

/// Create a token for a form with access mode `token`.
///
/// The token is returned only once.
#[post(
    "/v1/forms/{form_id}/tokens", WRITE_FORMS, audit = "form_token.create",
    example = {"max_uses": 1},
    answer = Created<FormToken>,
)]
async fn issue_token(
    cx: Authorized,
    Id(id): Id<FormId>,
    body: Body<FormTokenDraft>,
) -> ApiResult<Response> {
    let token = form::issue_token(&cx, id, body.value).await?;
    // A token cannot be read, so the response has no location.
    Ok((StatusCode::CREATED, Json(token)).into_response())
}

/// Revoke a form token immediately and permanently.
///
/// Revoking it again changes nothing.
#[delete(
    "/v1/forms/{form_id}/tokens/{token_id}", WRITE_FORMS, audit = "form_token.revoke",
    204 = "Revoked",
)]
async fn revoke_token(
    cx: Authorized,
    Path((id, token)): Path<(FormId, FormTokenId)>,
) -> ApiResult<NoContent> {
    form::revoke_token(&cx, id, token).await?;
    Ok(NoContent)
}

pub(crate) type Peer = Option<Extension<ConnectInfo<SocketAddr>>>;

pub(crate) fn address(peer: Peer) -> Option<IpAddr> {
    peer.map(|Extension(ConnectInfo(address))| address.ip())
}

/// The header for the password of a form on reads. In a URL it would be stored in logs and browser histories.
pub(crate) const FORM_PASSWORD: HeaderName = HeaderName::from_static("x-form-password");

/// The password in the header `FORM_PASSWORD`, as UTF-8.
struct FormPassword(Option<String>);

impl<S: Sync> FromRequestParts<S> for FormPassword {
    type Rejection = ApiError;

    /// # Errors
    /// Returns `VALIDATION_ERROR` for `X-Form-Password` if the header is repeated, not UTF-8 or too long.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut values = parts.headers.get_all(FORM_PASSWORD).iter();
        let Some(value) = values.next() else { return Ok(Self(None)) };
        let password = std::str::from_utf8(value.as_bytes()).ok();
        let is_short = |text: &&str| normalized_password(text).chars().count() <= ACCESS_CHARS_MAX;
        let password = password.filter(is_short);
        let (Some(password), None) = (password, values.next()) else {
            let message =
                format!("must be sent once, as UTF-8 of at most {ACCESS_CHARS_MAX} characters");
            return Err(invalid_field("X-Form-Password", "format", &message).into());
        };
        Ok(Self(Some(password.to_owned())))
    }
}

impl Describe for FormPassword {
    fn describe(operation: &mut Operation) {
        let schema =
            json!({"type": "string", "maxLength": ACCESS_CHARS_MAX, "pattern": "^[ -~]*$"});
        operation.header("X-Form-Password", "For access mode `password`, as UTF-8", &schema);
    }
}

struct AccessToken(Option<String>);

impl FromQuery for AccessToken {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self(access_token(query)))
    }
}

/// Reads the access token in the URL of a form.
pub(crate) fn access_token(query: &mut QueryReader) -> Option<String> {
    query.secret("access_token", ACCESS_CHARS_MAX, "For access mode `token`")
}

/// Returns the credentials of a read: a token, a password, a session and the client address.
async fn read_credentials(
    cx: &Cx,
    session: &Session,
    peer: Peer,
    access_token: Option<String>,
    password: Option<String>,
) -> ApiResult<FormCredentials> {
    let signed_in = session::current(cx.governance(), session).await?;
    let address = address(peer);
    Ok(FormCredentials { access_token, password, signed_in, address, ..FormCredentials::default() })
}

/// Returns the credentials of a submission. A session is used only with the tenant header, which a form of
/// another site cannot send (contract, section 2).
async fn submission_credentials(
    cx: &Cx,
    session: &Session,
    peer: Peer,
    headers: &HeaderMap,
) -> ApiResult<FormCredentials> {
    // A malformed header decides nothing: the caller is not signed in.
    let tenant = access::tenant(headers).ok().flatten();
    let signed_in = match tenant {
        Some(_) => session::current(cx.governance(), session).await?,
        None => None,
    };
    Ok(FormCredentials { tenant, signed_in, address: address(peer), ..FormCredentials::default() })
}

/// Returns the cache policy of a response. Responses that required credentials are not stored.
fn cache_control(credentials: &FormCredentials) -> &'static str {
    let FormCredentials { access_token, password, signed_in, .. } = credentials;
    let is_open = access_token.is_none() && password.is_none() && signed_in.is_none();
    if is_open { "no-cache" } else { "no-store" }
}

/// Read a published form as a JSON Schema.
#[get(
    "/v1/forms/{form_id}/schema", any_origin,
    403 = "`FORBIDDEN`: the credentials are missing or wrong",
    404 = "`NOT_FOUND`: the form is deleted or not published",
)]
async fn schema(
    cx: Public,
    Id(id): Id<FormId>,
    session: Session,
    peer: Peer,
    Query(AccessToken(access_token)): Query<AccessToken>,
    FormPassword(password): FormPassword,
    headers: HeaderMap,
) -> ApiResult<Tagged<FormSchema>> {
    let credentials = read_credentials(&cx, &session, peer, access_token, password).await?;
    cached_json(&headers, &form::schema(&cx, id, &credentials).await?, cache_control(&credentials))
}

/// Read the API contract of a published form, for programs that submit to it.
///
/// Returns the schema, an `OpenAPI` document and runnable examples.
#[get(
    "/v1/forms/{form_id}/api-contract", any_origin,
    403 = "`FORBIDDEN`: the credentials are missing or wrong",
    404 = "`NOT_FOUND`: the form is deleted or not published",
)]
async fn contract(
    cx: Public,
    Id(id): Id<FormId>,
    session: Session,
    peer: Peer,
    Query(AccessToken(access_token)): Query<AccessToken>,
    FormPassword(password): FormPassword,
    headers: HeaderMap,
) -> ApiResult<Tagged<FormContract>> {
    let credentials = read_credentials(&cx, &session, peer, access_token, password).await?;
    cached_json(
        &headers,
        &form::contract(&cx, id, &credentials).await?,
        cache_control(&credentials),
    )
}

/// Submit a published form.
///
/// The submission is evaluated, recorded and signed as a decision. Repeating a request with the same
/// `idempotency_key` returns the same result and does not use the budget. The maximum size is 256 KiB.
#[post(
    "/v1/forms/{form_id}/submit", any_origin, audit = "decision.record",
    example = {
        "values": {"amount": 2500, "purpose": "New laptops"},
        "respondent": {"id": "ada", "display_name": "Ada Byron"},
        "idempotency_key": "request-2026-0417",
    },
    answer = Created<FormSubmissionResult>,
    201 = "Recorded",
    200 = "Already recorded under the same idempotency key",
    403 = "`FORBIDDEN`: the credentials are missing or wrong",
    404 = "`NOT_FOUND`: the form is deleted or not published; `NO_ACTIVE_POLICIES`",
    422 = "`VALIDATION_ERROR`, one error for each answer; `IDEMPOTENCY_KEY_REUSED`",
    429 = "`TOO_MANY_REQUESTS`, `FORM_BUDGET_EXHAUSTED`",
)]
async fn submit(
    cx: Public,
    State(service): State<Service>,
    Id(id): Id<FormId>,
    session: Session,
    peer: Peer,
    headers: HeaderMap,
    body: Body<FormSubmission, SUBMISSION_MAX>,
) -> ApiResult<Response> {
    let credentials = submission_credentials(&cx, &session, peer, &headers).await?;
    let (quota, quota_result) = check_quota(&service, &cx, id, &credentials).await;
    let response = match quota_result {
        Ok(()) => handle_submission(&cx, id, credentials, &body.value).await,
        Err(failure) => Err(failure),
    };
    Ok(with_quota_headers(quota, response.unwrap_or_else(IntoResponse::into_response)))
}

async fn handle_submission(
    cx: &Cx,
    id: FormId,
    request_credentials: FormCredentials,
    submission: &FormSubmission,
) -> ApiResult<Response> {
    let credentials = FormCredentials {
        access_token: submission.access_token.clone(),
        password: submission.password.clone(),
        ..request_credentials
    };
    let (result, is_new) = form::submit(cx, id, &credentials, submission).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let location = format!("/v1/forms/{id}/receipts/{}", result.decision_id);
    Ok((status, [(header::LOCATION, location)], Json(result)).into_response())
}

/// Counts a submission by form and address. Returns the quota for the response headers, and
/// `TOO_MANY_REQUESTS` beyond the limit.
pub(crate) async fn check_quota(
    service: &Service,
    cx: &Cx,
    id: FormId,
    credentials: &FormCredentials,
) -> (Option<Quota>, Result<(), ApiError>) {
    let Some(address) = credentials.address else { return (None, Ok(())) };
    match service.edge.limits.count_submission(id.0, address, cx.now).await {
        Ok(quota) => (Some(quota), Ok(())),
        Err(QuotaExceeded { quota, failure }) => {
            service.metrics.count_rejection(EarlyRejection::Caller);
            (Some(quota), Err(failure))
        }
    }
}

/// Returns the response to a submission with the quota for its headers.
pub(crate) fn with_quota_headers(quota: Option<Quota>, mut response: Response) -> Response {
    response.extensions_mut().insert(CallerInfo { quota, ..CallerInfo::default() });
    response
}

/// Read the receipt of a submission of a published form.
#[get("/v1/forms/{form_id}/receipts/{decision_id}", any_origin)]
async fn receipt(
    cx: Public,
    Path((id, decision)): Path<(FormId, DecisionId)>,
    Query(wait): Query<Option<WaitFor>>,
    headers: HeaderMap,
    permit: RequestStorePermit,
) -> ApiResult<Tagged<Receipt>> {
    let read = || form::receipt(&cx, id, decision);
    let is_anchored = |receipt: &Receipt| receipt.transparency_anchor.is_some();
    public_json(&headers, &wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?)
}
