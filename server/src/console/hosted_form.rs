//! `/f/{form}`: the page of a hosted form and of the result of a submission. [`documents::public_form`] renders them.

mod posted;

use axum::{
    Router,
    extract::State,
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use contract::{
    error::ErrorCode,
    form::{AccessMode, BudgetWindow, FormLanguage, FormSubmission},
    id::{DecisionId, FormId},
};
use documents::public_form::{
    AccessPrompt, Document, ErrorPage, FormNotice, FormPage, ResultPage, Texts,
};
use governance::{
    Cx, Error,
    access::session,
    base::error::Details,
    deciding::form::{self, FormCredentials, PublicForm, SubmissionConfirmation},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_sessions::Session;

use self::posted::PostedForm;
use crate::{
    edge::{
        ApiError, Path, Public, QueryReader, error::retry_after, error_page::accepts_html,
        html_form::FormFields, origin,
    },
    state::Service,
    v1::forms::{Peer, SUBMISSION_MAX, access_token, address, check_quota, with_quota_headers},
};

/// Returns the routes of the pages.
pub(super) fn router() -> Router<Service> {
    Router::new()
        .route("/f/{form_id}", get(show).post(submit_form))
        .route("/f/{form_id}/receipts/{decision_id}", get(show_result))
        .route_layer(middleware::from_fn(origin::same_site_or_non_browser))
}

/// The page that a browser requests, before its language is known.
#[derive(Clone, Debug)]
struct PageRequest {
    /// The header `Accept-Language`.
    accepted: Option<String>,
    is_browser: bool,
    /// The path of the style sheet.
    style: String,
}

impl PageRequest {
    fn new(service: &Service, headers: &HeaderMap) -> Self {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self {
            accepted: accepted.map(str::to_owned),
            is_browser: accepts_html(headers),
            style: style(service),
        }
    }

    fn texts(&self, setting: FormLanguage) -> &'static Texts {
        Texts::of(setting, self.accepted.as_deref())
    }

    /// Returns the document of a form's page, in the language of an unknown form if it does not exist.
    async fn document_of(&self, cx: &Cx, id: FormId) -> Document {
        self.document(form::language(cx, id).await.unwrap_or(FormLanguage::Auto))
    }

    /// Returns the document of a page in the language that the form selects.
    fn document(&self, setting: FormLanguage) -> Document {
        Document { texts: self.texts(setting), style: self.style.clone() }
    }

    /// Returns the error as a page for browsers, and as JSON for programs.
    async fn error_response(&self, cx: &Cx, id: FormId, error: Error) -> Response {
        if !self.is_browser {
            return ApiError(error).into_response();
        }
        let document = self.document_of(cx, id).await;
        let texts = document.texts;
        let wait = retry_after(&error);
        let (title, text) = match error.status() {
            404 => (texts.not_found, texts.not_found_help.to_owned()),
            413 => (texts.too_large, texts.too_large_help.to_owned()),
            415 | 422 => (texts.unreadable, texts.unreadable_help.to_owned()),
            429 => (texts.too_many_requests.trim_end_matches('.'), wait_text(&document, wait)),
            503 => {
                let text = format!("{} {}", texts.unavailable_help, wait_text(&document, wait));
                (texts.unavailable, text)
            }
            _ => (texts.internal_error, texts.internal_error_help.to_owned()),
        };
        let correlation_id = cx.correlation_id.as_str().to_owned();
        let page = ErrorPage { title, text, correlation_id }.render(&document);
        let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_GATEWAY);
        // Logs the error; its response is replaced.
        drop(ApiError(error).into_response());
        with_wait(html(status, document.texts, page), wait)
    }
}

fn wait_text(document: &Document, seconds: Option<u32>) -> String {
    let wait = seconds.map(|seconds| document.texts.wait(seconds));
    wait.unwrap_or_default()
}

fn with_wait(mut response: Response, seconds: Option<u32>) -> Response {
    if let Some(seconds) = seconds {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

struct FormRequest {
    cx: Cx,
    id: FormId,
    session: Session,
    credentials: FormCredentials,
    /// The posted fields of answers, which an access prompt keeps.
    answers: Vec<(String, String)>,
    page: PageRequest,
}

impl FormRequest {
    fn new(page: PageRequest, cx: Cx, id: FormId, session: Session, peer: Peer) -> Self {
        let credentials = FormCredentials { address: address(peer), ..FormCredentials::default() };
        Self { cx, id, session, credentials, answers: Vec::new(), page }
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
        match result {
            Ok(public_form) => Ok(public_form),
            Err(error) => Err(self.error_response(error).await),
        }
    }

    async fn load(&self, is_resubmission: bool) -> Result<PublicForm, Error> {
        if is_resubmission {
            form::load_for_resubmission(&self.cx, self.id, &self.credentials).await
        } else {
            form::load(&self.cx, self.id, &self.credentials).await
        }
    }

    /// Returns the access prompt if the form requires credentials, and otherwise the error response.
    async fn error_response(&self, error: Error) -> Response {
        let Some(mode) = required_access(&error) else {
            return self.page.error_response(&self.cx, self.id, error).await;
        };
        let has_credentials = match mode {
            AccessMode::Token => self.credentials.access_token.is_some(),
            AccessMode::Password => self.credentials.password.is_some(),
            _ => self.credentials.signed_in.is_some(),
        };
        let document = self.page.document_of(&self.cx, self.id).await;
        let correlation_id = self.cx.correlation_id.as_str().to_owned();
        let answers = self.answers.clone();
        let prompt = AccessPrompt { id: self.id, mode, has_credentials, answers, correlation_id };
        html(StatusCode::FORBIDDEN, document.texts, prompt.render(&document))
    }

    /// Returns the notice of a page without answers.
    fn before_answers(&self, public_form: &PublicForm) -> FormNotice {
        let Some(refusal) = &public_form.not_accepting else { return FormNotice::Nothing };
        let texts = self.page.texts(public_form.form.language);
        let message = match refusal.code {
            ErrorCode::FormBudgetExhausted => texts.exhausted(public_form.form.token_budget.window),
            _ => texts.closed,
        };
        FormNotice::NotAccepting { message, seconds: retry_after(&refusal.clone().into()) }
    }

    /// Returns the response with the form, the posted answers and a notice.
    fn form_response(
        &self,
        status: StatusCode,
        public_form: &PublicForm,
        posted: &PostedForm,
        notice: FormNotice,
    ) -> Response {
        let document = self.page.document(public_form.form.language);
        let page = FormPage {
            form: public_form.form.clone(),
            requested_by: public_form.requested_by.clone(),
            answers: posted.to_answers(&public_form.form.fields, document.texts.decimal),
            notice,
            access_token: self.credentials.access_token.clone(),
            password: self.credentials.password.clone(),
            correlation_id: self.cx.correlation_id.as_str().to_owned(),
        };
        html(status, document.texts, page.render(&document))
    }
}

/// Returns the access mode of the form, if missing or wrong credentials caused the error.
fn required_access(error: &Error) -> Option<AccessMode> {
    let Error::Refused(refusal) = error else { return None };
    match refusal.details {
        Some(Details::FormAccess { access_mode }) => Some(access_mode),
        _ => None,
    }
}

/// Handles `GET /f/{form}`.
async fn show(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    headers: HeaderMap,
    mut query: QueryReader,
) -> Response {
    let page = PageRequest::new(&service, &headers);
    let mut request = FormRequest::new(page, cx, id, session, peer);
    // The other query parameters are ignored, because links are often shared with tracking parameters.
    request.credentials.access_token = access_token(&mut query);
    let public_form = match request.open(false).await {
        Ok(public_form) => public_form,
        Err(response) => return response,
    };
    let posted = PostedForm::empty(service.governance.entropy().id::<uuid::Uuid>().to_string());
    let notice = request.before_answers(&public_form);
    request.form_response(StatusCode::OK, &public_form, &posted, notice)
}

/// Handles `GET /f/{form}/receipts/{decision}`. Programs are redirected to the receipt in the API.
async fn show_result(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id, decision)): Path<(FormId, DecisionId)>,
    headers: HeaderMap,
) -> Response {
    let request = PageRequest::new(&service, &headers);
    if !request.is_browser {
        return Redirect::to(&format!("/v1/forms/{id}/receipts/{decision}")).into_response();
    }
    let SubmissionConfirmation { receipt, form, requested_by, values } =
        match form::confirmation(&cx, id, decision).await {
            Ok(confirmation) => confirmation,
            Err(error) => return request.error_response(&cx, id, error).await,
        };
    let document = request.document(form.language);
    let link = service.governance.link(&kit::text::url::submission(id, decision));
    let page = ResultPage { receipt, form, requested_by, values, link }.render(&document);
    let mut response = html(StatusCode::OK, document.texts, page);
    let policy = HeaderValue::from_static(RESULT_POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Handles `POST /f/{form}`: answers, or the credentials of the access prompt with the answers that it repeats.
async fn submit_form(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    headers: HeaderMap,
    fields: Result<FormFields<SUBMISSION_MAX>, ApiError>,
) -> Response {
    let page = PageRequest::new(&service, &headers);
    let fields = match fields {
        Ok(FormFields(fields)) => fields,
        Err(ApiError(error)) => return page.error_response(&cx, id, error).await,
    };
    let mut request = FormRequest::new(page, cx, id, session, peer);
    let mut posted = PostedForm::read(fields);
    request.credentials.access_token = posted.take("access_token");
    request.credentials.password = posted.take("password");
    let is_access_prompt = posted.take("gate").is_some();
    request.answers = posted.of_answers();
    let public_form = match request.open(!is_access_prompt).await {
        Ok(public_form) => public_form,
        Err(response) => return response,
    };
    let entropy = service.governance.entropy();
    if is_access_prompt || posted.key.is_empty() {
        posted.key = entropy.id::<uuid::Uuid>().to_string();
        let notice = request.before_answers(&public_form);
        return request.form_response(StatusCode::OK, &public_form, &posted, notice);
    }
    let (quota, quota_result) = check_quota(&service, &request.cx, id, &request.credentials).await;
    let result = match quota_result {
        Ok(()) => submit(&request, &public_form, &posted).await,
        Err(ApiError(error)) => Err(error),
    };
    let error = match result {
        Ok(decision) => {
            let receipt = Redirect::to(&format!("/f/{id}/receipts/{decision}"));
            return with_quota_headers(quota, receipt.into_response());
        }
        Err(error) => error,
    };
    if !matches!(error, Error::Refused(_)) {
        tracing::warn!(%error, "a submission was not recorded");
    }
    if error.code() == ErrorCode::IdempotencyKeyReused {
        posted.key = entropy.id::<uuid::Uuid>().to_string();
    }
    with_quota_headers(quota, rejected_response(&request, &public_form, &posted, &error))
}

async fn submit(
    request: &FormRequest,
    public_form: &PublicForm,
    posted: &PostedForm,
) -> Result<DecisionId, Error> {
    let texts = request.page.texts(public_form.form.language);
    let submission = FormSubmission {
        values: posted.values(&public_form.form.fields, texts.decimal),
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
    let wait = retry_after(error);
    let texts = request.page.texts(public_form.form.language);
    let wait_notice = |message: String| FormNotice::Wait { message, seconds: wait };
    let notice = match error.code() {
        ErrorCode::ValidationError => {
            FormNotice::Errors(error.field_errors().unwrap_or_default().to_vec())
        }
        ErrorCode::IdempotencyKeyReused => FormNotice::AlreadySubmitted,
        ErrorCode::NoActivePolicies => FormNotice::Closed,
        ErrorCode::FormBudgetExhausted => {
            let window: BudgetWindow = public_form.form.token_budget.window;
            wait_notice(texts.exhausted(window).to_owned())
        }
        code if code.status() == 429 => wait_notice(texts.too_many_requests.to_owned()),
        ErrorCode::ServiceUnavailable => wait_notice(texts.unavailable_help.to_owned()),
        _ => wait_notice(format!("{}.", texts.internal_error)),
    };
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    with_wait(request.form_response(status, public_form, posted, notice), wait)
}

/// Returns the path of the console's style sheet.
pub(crate) fn style(service: &Service) -> String {
    format!("/{}/{}.css", service.leptos.site_pkg_dir, service.leptos.output_name)
}

/// The content security policy of the page: the style sheet, the fonts, the icon and form posts to this service are
/// allowed.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The content security policy of the result page, which also has a script.
const RESULT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                             font-src 'self'; form-action 'self'; base-uri 'none'; \
                             frame-ancestors 'none'";

fn html(status: StatusCode, texts: &Texts, page: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_LANGUAGE, texts.language),
        (header::VARY, "accept-language"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::HeaderName::from_static("x-robots-tag"), "noindex"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    (status, headers, page).into_response()
}
