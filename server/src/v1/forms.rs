//! Hosted forms: looked after by their tenant, and filled in by the public.

use std::net::{IpAddr, SocketAddr};

use axum::{
    Extension,
    extract::{ConnectInfo, State},
    response::{IntoResponse, Response},
};
use contract::{
    error::ErrorBody,
    form::{
        ACCESS_CHARS_MAX, Form, FormContract, FormDraft, FormPatch, FormSchema, FormToken,
        FormTokenDraft, Submission, Submitted,
    },
    id::{DecisionId, FormId, FormTokenId},
    page::Page,
    receipt::Receipt,
};
use governance::{
    Cx,
    error::invalid_field,
    form::{self, Admission},
    session,
};
use http::{HeaderMap, HeaderName, StatusCode, header};
use tower_sessions::Session;

use super::{
    log::{patiently, wait_for},
    public::{cached_json, public_json},
};
use crate::{
    edge::{
        access::{self, Known},
        error::{Failure, Reply},
        extract::{Api, Body, Json, Path, Public, Query, Standing},
        rate_limit::{Exceeded, Quota},
    },
    metrics::Refused,
    state::Service,
};

/// The most bytes of a submission (contract, section 1).
pub(crate) const SUBMISSION_MAX: usize = 262_144;

/// Make a form. Without `fields`, they are drawn from the active rules of its policy.
#[utoipa::path(
    post, path = "/v1/forms", tag = "forms", request_body = FormDraft,
    responses(
        (status = 201, body = Form),
        (status = 404, description = "`NOT_FOUND`: the policy", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create(Api(cx): Api, body: Body<FormDraft>) -> Reply<Response> {
    let form = form::create(&cx, body.read).await?;
    let location = format!("/v1/forms/{}", form.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(form)).into_response())
}

/// List forms, newest first.
#[utoipa::path(
    get, path = "/v1/forms", tag = "forms",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<Form>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<Form>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(form::list(&cx, &page).await?))
}

/// Read one form.
#[utoipa::path(
    get, path = "/v1/forms/{form_id}", tag = "forms",
    params(("form_id" = String, Path, description = "The form")),
    responses((status = 200, body = Form), (status = 404, body = ErrorBody))
)]
pub async fn read(Api(cx): Api, Path((id,)): Path<(FormId,)>, query: Query) -> Reply<Json<Form>> {
    query.finish()?;
    Ok(Json(form::read(&cx, id).await?))
}

/// Change a form; publish it, or take it back with `is_published`.
#[utoipa::path(
    patch, path = "/v1/forms/{form_id}", tag = "forms", request_body = FormPatch,
    params(("form_id" = String, Path, description = "The form")),
    responses(
        (status = 200, body = Form),
        (status = 404, body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn edit(
    Api(cx): Api,
    Path((id,)): Path<(FormId,)>,
    body: Body<FormPatch>,
) -> Reply<Json<Form>> {
    Ok(Json(form::edit(&cx, id, body.read).await?))
}

/// Delete a form with its tokens. The decisions that it led to stay.
#[utoipa::path(
    delete, path = "/v1/forms/{form_id}", tag = "forms",
    params(("form_id" = String, Path, description = "The form")),
    responses((status = 204, description = "It is gone"), (status = 404, body = ErrorBody))
)]
pub async fn delete(Api(cx): Api, Path((id,)): Path<(FormId,)>, query: Query) -> Reply<StatusCode> {
    query.finish()?;
    form::delete(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a token that opens a form of access mode `token`. It is shown this once.
#[utoipa::path(
    post, path = "/v1/forms/{form_id}/tokens", tag = "forms", request_body = FormTokenDraft,
    params(("form_id" = String, Path, description = "The form")),
    responses(
        (status = 201, body = FormToken),
        (status = 404, body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn issue_token(
    Api(cx): Api,
    Path((id,)): Path<(FormId,)>,
    body: Body<FormTokenDraft>,
) -> Reply<Response> {
    let token = form::issue_token(&cx, id, body.read).await?;
    let location = format!("/v1/forms/{id}/tokens/{}", token.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(token)).into_response())
}

/// Revoke a token of a form, at once and for good. Revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/v1/forms/{form_id}/tokens/{token_id}", tag = "forms",
    params(
        ("form_id" = String, Path, description = "The form"),
        ("token_id" = String, Path, description = "The token, by its id"),
    ),
    responses(
        (status = 204, description = "Revoked: it opens nothing any more"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn revoke_token(
    Api(cx): Api,
    Path((id, token)): Path<(FormId, FormTokenId)>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    form::revoke_token(&cx, id, token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The address of whoever asks.
pub(crate) type Peer = Option<Extension<ConnectInfo<SocketAddr>>>;

/// From where a request comes.
pub(crate) fn address(peer: Peer) -> Option<IpAddr> {
    peer.map(|Extension(ConnectInfo(address))| address.ip())
}

/// The header that carries a form's password on reads: an address would be written to logs and histories.
pub(crate) const FORM_PASSWORD: HeaderName = HeaderName::from_static("x-form-password");

/// Returns the password in the header [`FORM_PASSWORD`], as UTF-8.
///
/// # Errors
/// `VALIDATION_ERROR` at `X-Form-Password` when it is repeated, not UTF-8, or too long.
fn form_password(headers: &HeaderMap) -> Reply<Option<String>> {
    let mut values = headers.get_all(FORM_PASSWORD).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let password = std::str::from_utf8(value.as_bytes()).ok();
    let password = password.filter(|text| text.chars().count() <= ACCESS_CHARS_MAX);
    let (Some(password), None) = (password, values.next()) else {
        let message =
            format!("must be sent once, as UTF-8 of at most {ACCESS_CHARS_MAX} characters");
        return Err(invalid_field("X-Form-Password", "format", &message).into());
    };
    Ok(Some(password.to_owned()))
}

/// Returns what a read brings to a form: a token, a password, a session and the client's address.
async fn asked(
    cx: &Cx,
    session: &Session,
    peer: Peer,
    mut query: Query,
    headers: &HeaderMap,
) -> Reply<Admission> {
    let access_token = query.secret("access_token", ACCESS_CHARS_MAX);
    query.finish()?;
    let password = form_password(headers)?;
    let signed_in = session::current(cx.governance(), session).await?;
    let address = address(peer);
    Ok(Admission { access_token, password, signed_in, address, ..Admission::default() })
}

/// What a submission brings. A sign-in counts beside the header that names the tenant, which no form of
/// another site can send (contract, section 2).
async fn brought(cx: &Cx, session: &Session, peer: Peer, headers: &HeaderMap) -> Reply<Admission> {
    let tenant = access::tenant(headers)?;
    let signed_in = match tenant {
        Some(_) => session::current(cx.governance(), session).await?,
        None => None,
    };
    Ok(Admission { tenant, signed_in, address: address(peer), ..Admission::default() })
}

/// How an answer is kept: one that had to be opened is nobody else's.
fn cache(admission: &Admission) -> &'static str {
    let Admission { access_token, password, signed_in, .. } = admission;
    let is_open = access_token.is_none() && password.is_none() && signed_in.is_none();
    if is_open { "no-cache" } else { "no-store" }
}

/// What a published form asks, as a JSON Schema.
#[utoipa::path(
    get, path = "/v1/forms/{form_id}/schema", tag = "forms", security(()),
    params(
        ("form_id" = String, Path, description = "The form"),
        ("access_token" = Option<String>, Query, description = "For access mode `token`"),
        ("X-Form-Password" = Option<String>, Header, description = "For access mode `password`, as UTF-8"),
    ),
    responses(
        (status = 200, body = FormSchema),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 403, description = "`FORBIDDEN`: without what the form asks for", body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: deleted, or not published", body = ErrorBody),
    )
)]
pub async fn schema(
    Public(cx): Public,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    let admission = asked(&cx, &session, peer, query, &headers).await?;
    cached_json(&headers, &form::schema(&cx, id, &admission).await?, cache(&admission))
}

/// How a program submits to a published form: schema, `OpenAPI`, and examples that run.
#[utoipa::path(
    get, path = "/v1/forms/{form_id}/api-contract", tag = "forms", security(()),
    params(
        ("form_id" = String, Path, description = "The form"),
        ("access_token" = Option<String>, Query, description = "For access mode `token`"),
        ("X-Form-Password" = Option<String>, Header, description = "For access mode `password`, as UTF-8"),
    ),
    responses(
        (status = 200, body = FormContract),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 403, description = "`FORBIDDEN`: without what the form asks for", body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: deleted, or not published", body = ErrorBody),
    )
)]
pub async fn contract(
    Public(cx): Public,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    let admission = asked(&cx, &session, peer, query, &headers).await?;
    cached_json(&headers, &form::contract(&cx, id, &admission).await?, cache(&admission))
}

/// Submit to a published form: the answers are decided on, recorded and signed.
///
/// The same `idempotency_key` again gives the same answer, and costs nothing. At most 256 KiB.
#[utoipa::path(
    post, path = "/v1/forms/{form_id}/submit", tag = "forms", security(()),
    request_body = Submission,
    params(("form_id" = String, Path, description = "The form")),
    responses(
        (status = 201, description = "Decided and recorded", body = Submitted),
        (status = 200, description = "Recorded before under the same key", body = Submitted),
        (status = 403, description = "`FORBIDDEN`: without what the form asks for", body = ErrorBody),
        (
            status = 404,
            description = "`NOT_FOUND`: deleted, or not published; `NO_ACTIVE_POLICIES`",
            body = ErrorBody,
        ),
        (
            status = 422,
            description = "`VALIDATION_ERROR`, one error for each answer; `IDEMPOTENCY_KEY_REUSED`",
            body = ErrorBody,
        ),
        (
            status = 429,
            description = "`TOO_MANY_REQUESTS`, `FORM_BUDGET_EXHAUSTED`",
            body = ErrorBody,
        ),
    )
)]
pub async fn submit(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    headers: HeaderMap,
    body: Body<Submission, SUBMISSION_MAX>,
) -> Reply<Response> {
    let brought = brought(&cx, &session, peer, &headers).await?;
    let (quota, counted) = count(&service, &cx, id, &brought).await;
    let answer = match counted {
        Ok(()) => submitted(&cx, id, brought, &body.read).await,
        Err(failure) => Err(failure),
    };
    Ok(telling(quota, answer.unwrap_or_else(IntoResponse::into_response)))
}

async fn submitted(
    cx: &Cx,
    id: FormId,
    brought: Admission,
    submission: &Submission,
) -> Reply<Response> {
    let admission = Admission {
        access_token: submission.access_token.clone(),
        password: submission.password.clone(),
        ..brought
    };
    let (submitted, is_new) = form::submit(cx, id, &admission, submission).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let location = format!("/v1/forms/{id}/receipts/{}", submitted.decision_id);
    Ok((status, [(header::LOCATION, location)], Json(submitted)).into_response())
}

/// Counts a submission by form and address, and tells what is left of it: to be told in turn, whatever comes
/// of the submission. It may be one too many, which is `TOO_MANY_REQUESTS`.
pub(crate) async fn count(
    service: &Service,
    cx: &Cx,
    id: FormId,
    brought: &Admission,
) -> (Option<Quota>, Result<(), Failure>) {
    let Some(address) = brought.address else { return (None, Ok(())) };
    match service.edge.limits.submission(id.0, address, cx.now).await {
        Ok(quota) => (Some(quota), Ok(())),
        Err(Exceeded { quota, failure }) => {
            service.metrics.refused(Refused::Caller);
            (Some(quota), Err(failure))
        }
    }
}

/// The answer to a submission, which says how many more are taken.
pub(crate) fn telling(quota: Option<Quota>, mut answer: Response) -> Response {
    answer.extensions_mut().insert(Known { quota, ..Known::default() });
    answer
}

/// The receipt of a submission of this form, while it is published.
#[utoipa::path(
    get, path = "/v1/forms/{form_id}/receipts/{decision_id}", tag = "forms", security(()),
    params(
        ("form_id" = String, Path, description = "The form"),
        ("decision_id" = String, Path, description = "The decision"),
        ("wait_for" = Option<String>, Query, description = "`anchor`: wait up to 5 s until it is in the transparency log"),
    ),
    responses(
        (status = 200, body = Receipt),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn receipt(
    Public(cx): Public,
    Path((id, decision)): Path<(FormId, DecisionId)>,
    mut query: Query,
    headers: HeaderMap,
    standing: Standing,
) -> Reply<Response> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || form::receipt(&cx, id, decision);
    let anchored = |receipt: &Receipt| receipt.transparency_anchor.is_some();
    public_json(&headers, &patiently(&cx, wait, &standing, read, anchored).await?)
}
