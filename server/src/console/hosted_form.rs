//! `/f/{form}`: the page of a hosted form. It is plain HTML without scripts.

mod posted;
mod render;

use axum::{
    Router,
    extract::{OriginalUri, State},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use contract::{
    error::{ErrorCode, FieldError},
    form::{AccessMode, FormSubmission},
    id::{DecisionId, FormId},
    json::{Object, Value},
};
use governance::{
    Cx, Error,
    access::session,
    deciding::form::{self, FormCredentials, PublicForm},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_sessions::Session;

use self::{
    posted::PostedForm,
    render::{AccessPrompt, FormNotice, FormPage},
};
use crate::{
    edge::{
        error::{ApiError, retry_after},
        error_page::accepts_html,
        extract::{FormFields, Path, Public},
        origin,
        query::QueryReader,
    },
    state::Service,
    v1::forms::{Peer, SUBMISSION_MAX, access_token, address, check_quota, with_quota_headers},
};

/// Returns the route of the page.
pub(super) fn router() -> Router<Service> {
    Router::new()
        .route("/f/{form_id}", get(show).post(submit_form))
        .route_layer(middleware::from_fn(origin::same_site_or_non_browser))
}

/// Redirects programs that request the page of a receipt to the receipt in the API.
pub(super) async fn receipt_for_programs(
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    request: axum::extract::Request,
    next: middleware::Next,
) -> Response {
    let mut segments = uri.path().split('/').skip(1);
    let path = (segments.next(), segments.next(), segments.next(), segments.next());
    if let (Some("f"), Some(form), Some("receipts"), Some(decision)) = path
        && !accepts_html(&headers)
        && let (Ok(form), Ok(decision)) = (form.parse::<FormId>(), decision.parse::<DecisionId>())
    {
        return Redirect::to(&format!("/v1/forms/{form}/receipts/{decision}")).into_response();
    }
    next.run(request).await
}

struct FormRequest {
    cx: Cx,
    id: FormId,
    session: Session,
    credentials: FormCredentials,
    /// The path of the style sheet.
    style: String,
}

impl FormRequest {
    fn new(service: &Service, cx: Cx, id: FormId, session: Session, peer: Peer) -> Self {
        let credentials = FormCredentials { address: address(peer), ..FormCredentials::default() };
        Self { cx, id, session, credentials, style: style(service) }
    }

    /// Loads the form, or returns the response for a caller without access. The session is read only if the
    /// form requires a sign-in.
    async fn open(&mut self, is_resubmission: bool) -> Result<PublicForm, Response> {
        let first = self.load(is_resubmission).await;
        let result = match first {
            Err(error) if required_access(&error) == Some(AccessMode::Console) => {
                match session::current(self.cx.governance(), &self.session).await {
                    Ok(None) => Err(error),
                    Ok(user) => {
                        self.credentials.signed_in = user;
                        self.load(is_resubmission).await
                    }
                    Err(error) => Err(error),
                }
            }
            result => result,
        };
        result.map_err(|error| self.error_response(error))
    }

    async fn load(&self, is_resubmission: bool) -> Result<PublicForm, Error> {
        if is_resubmission {
            form::load_for_resubmission(&self.cx, self.id, &self.credentials).await
        } else {
            form::load(&self.cx, self.id, &self.credentials).await
        }
    }

    /// Returns the access prompt if the form requires credentials, and otherwise the error response.
    fn error_response(&self, error: Error) -> Response {
        let Some(mode) = required_access(&error) else { return ApiError(error).into_response() };
        let has_credentials = match mode {
            AccessMode::Token => self.credentials.access_token.is_some(),
            AccessMode::Password => self.credentials.password.is_some(),
            _ => self.credentials.signed_in.is_some(),
        };
        let prompt = AccessPrompt {
            id: self.id,
            mode,
            error: has_credentials.then(|| error.problem().message),
        };
        html(StatusCode::FORBIDDEN, &prompt.page(&self.cx, &self.style))
    }

    /// Returns the page of the form with the posted answers.
    fn form_page<'a>(
        &'a self,
        public_form: &'a PublicForm,
        posted: &'a PostedForm,
        notice: FormNotice,
    ) -> FormPage<'a> {
        FormPage {
            public_form,
            posted,
            notice,
            access_token: self.credentials.access_token.as_deref(),
            password: self.credentials.password.as_deref(),
            correlation_id: self.cx.correlation_id.as_str(),
        }
    }
}

/// Returns the access mode of the form, if missing or wrong credentials caused the error.
fn required_access(error: &Error) -> Option<AccessMode> {
    let Error::Refused(refusal) = error else { return None };
    let mode = refusal.details.as_ref().filter(|_| refusal.code == ErrorCode::Forbidden)?;
    mode.get("access_mode")?.as_str()?.parse().ok()
}

/// Handles `GET /f/{form}`.
async fn show(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    mut query: QueryReader,
) -> Result<Response, ApiError> {
    let mut request = FormRequest::new(&service, cx, id, session, peer);
    // The other query parameters are ignored, because links are often shared with tracking parameters.
    request.credentials.access_token = access_token(&mut query);
    let public_form = match request.open(false).await {
        Ok(public_form) => public_form,
        Err(response) => return Ok(response),
    };
    let posted = PostedForm::empty(service.governance.entropy().id::<uuid::Uuid>().to_string());
    let page =
        request.form_page(&public_form, &posted, before_answers(&public_form)).page(&request.style);
    Ok(html(StatusCode::OK, &page))
}

/// Returns the notice of a page without answers.
fn before_answers(public_form: &PublicForm) -> FormNotice {
    let Some(exhausted) = &public_form.exhausted else { return FormNotice::Nothing };
    let error = Error::from(exhausted.clone());
    FormNotice::Exhausted { message: error.problem().message, seconds: retry_after(&error) }
}

/// Handles `POST /f/{form}`: answers, or the password of the access prompt.
async fn submit_form(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    fields: FormFields<SUBMISSION_MAX>,
) -> Result<Response, ApiError> {
    let mut request = FormRequest::new(&service, cx, id, session, peer);
    let mut posted = PostedForm::read(fields.0);
    request.credentials.access_token = posted.take("access_token");
    request.credentials.password = posted.take("password");
    let is_password_prompt = posted.take("gate").is_some();
    let public_form = match request.open(!is_password_prompt).await {
        Ok(public_form) => public_form,
        Err(response) => return Ok(response),
    };
    let entropy = service.governance.entropy();
    if is_password_prompt || posted.key.is_empty() {
        posted.key = entropy.id::<uuid::Uuid>().to_string();
        let page = request
            .form_page(&public_form, &posted, before_answers(&public_form))
            .page(&request.style);
        return Ok(html(StatusCode::OK, &page));
    }
    let (quota, quota_result) = check_quota(&service, &request.cx, id, &request.credentials).await;
    let result = match quota_result {
        Ok(()) => submit(&request, &public_form, &posted).await,
        Err(ApiError(error)) => Err(error),
    };
    let error = match result {
        Ok(decision) => {
            let receipt = Redirect::to(&format!("/f/{id}/receipts/{decision}"));
            return Ok(with_quota_headers(quota, receipt.into_response()));
        }
        Err(error) => error,
    };
    if !matches!(error, Error::Refused(_)) {
        tracing::warn!(%error, "a submission was not recorded");
    }
    if error.code() == ErrorCode::IdempotencyKeyReused {
        posted.key = entropy.id::<uuid::Uuid>().to_string();
    }
    Ok(with_quota_headers(quota, rejected_response(&request, &public_form, &posted, &error)))
}

async fn submit(
    request: &FormRequest,
    public_form: &PublicForm,
    posted: &PostedForm,
) -> Result<DecisionId, Error> {
    let submission = FormSubmission {
        values: posted.values(&public_form.form.fields),
        access_token: request.credentials.access_token.clone(),
        password: request.credentials.password.clone(),
        respondent: None,
        idempotency_key: Some(posted.key.clone()),
    };
    let (result, _) =
        form::submit(&request.cx, request.id, &request.credentials, &submission).await?;
    Ok(result.decision_id)
}

/// Returns the page of the form with the posted answers and the error.
fn rejected_response(
    request: &FormRequest,
    public_form: &PublicForm,
    posted: &PostedForm,
    error: &Error,
) -> Response {
    let problem = error.problem();
    let wait = retry_after(error);
    let notice = match error.code() {
        ErrorCode::ValidationError => FormNotice::Errors(field_errors(problem.details.as_ref())),
        ErrorCode::IdempotencyKeyReused => FormNotice::AlreadySubmitted,
        ErrorCode::NoActivePolicies => FormNotice::Closed,
        _ => FormNotice::Wait { message: problem.message, seconds: wait },
    };
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let mut response =
        html(status, &request.form_page(public_form, posted, notice).page(&request.style));
    if let Some(seconds) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Returns the field errors of a validation error.
fn field_errors(details: Option<&Value>) -> Vec<FieldError> {
    let errors = details.and_then(|details| details.get("errors")).and_then(Value::as_array);
    let text =
        |error: &Object, name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
    let field_error = |error: &Value| {
        let error = error.as_object()?;
        let (path, code) = (text(error, "path")?, text(error, "code")?);
        Some(FieldError { path, code, message: text(error, "message")? })
    };
    errors.unwrap_or_default().iter().filter_map(field_error).collect()
}

/// Returns the path of the console's style sheet.
pub(super) fn style(service: &Service) -> String {
    format!("/{}/{}.css", service.leptos.site_pkg_dir, service.leptos.output_name)
}

/// The content security policy of the page: the style sheet, the icon and form posts to this service are
/// allowed.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

fn html(status: StatusCode, page: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::HeaderName::from_static("x-robots-tag"), "noindex"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    (status, headers, page.to_owned()).into_response()
}
