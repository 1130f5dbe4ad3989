//! Server-side support for the server functions: the current request, redirects, errors, and form input
//! stored in the session.

mod cookie;
mod retained;
pub mod shared_reads;

use std::{net::SocketAddr, sync::Arc};

use axum::{body::Body, extract::ConnectInfo};
use contract::{
    error::{ErrorCode, FieldError},
    id::{TenantId, UserId},
    json::Value,
    pagination::LIMIT_DEFAULT,
    read::{self, FromJson},
    second_factor::SecondFactorKind,
};
use governance::{
    CorrelationId, Cx, Governance, PageRequest, SignedIn, UserTenants, access::session::Client,
    base::error::Details, insight::inbox::Counts,
};
use http::{StatusCode, header::ACCEPT, request::Parts};
use leptos::{
    prelude::{expect_context, use_context},
    server_fn::codec::{FromReq, PostUrl},
};
use leptos_axum::ResponseOptions;
use serde::{
    Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use tower_sessions::Session;

pub use self::{
    cookie::{
        delete_secret, delete_sign_ins, last_tenant, preference, secret, set_created,
        set_preference, set_rejected_cookie, set_rejected_fields, set_secret, take_created,
        take_rejected_cookie,
    },
    retained::{get, put, remove, too_large},
    shared_reads::{directory, version},
};
use crate::{
    flash::{FormWithErrors, PostedForm, RejectedForm},
    problem::Problem,
    text::url,
};

/// Returns the parts of the current request.
pub fn parts() -> Parts {
    expect_context::<Parts>()
}

/// Returns the service from the context.
pub fn governance() -> Governance {
    expect_context::<Governance>()
}

pub fn correlation_id() -> CorrelationId {
    let assigned = parts().extensions.get::<CorrelationId>().cloned();
    assigned.unwrap_or_else(|| governance().correlation_id())
}

/// Returns the client of the request: its address and user agent.
pub fn client() -> Client {
    let parts = parts();
    let ip = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let user_agent = parts.headers.get(http::header::USER_AGENT);
    Client::new(ip, user_agent.and_then(|text| text.to_str().ok()))
}

/// Returns the signed-in user. Without a session, it redirects to the sign-in page, which returns to `page`,
/// and returns an error.
pub fn signed_in(page: &str) -> Result<SignedIn, Problem> {
    parts().extensions.get::<SignedIn>().copied().ok_or_else(|| {
        redirect(&url::with_query("/login", &[("next", page)]));
        to_problem(&governance::base::error::unauthorized().into())
    })
}

/// Returns the request context of the signed-in user in a tenant. If the tenant requires a second factor that the session
/// does not have, it redirects to the page that adds one, and returns an error.
pub async fn human(tenant: TenantId) -> Result<Cx, Problem> {
    let page = current_page();
    let signed_in = signed_in(&page)?;
    let tenants = user_tenants(&signed_in).await?;
    let member = governance().member(&signed_in, &tenants, tenant, correlation_id());
    member.map_err(|error| {
        if error.code() == ErrorCode::SecondFactorRequired {
            redirect(&url::required_second_factor(tenant, &page));
        }
        to_problem(&error)
    })
}

/// Returns the signed-in user with all memberships.
pub async fn user_tenants(signed_in: &SignedIn) -> Result<Arc<UserTenants>, Problem> {
    let tenants = shared_reads::user_tenants(&governance(), signed_in).await;
    tenants.map_err(|error| to_problem(&error))
}

/// Returns the counts of open work for the user.
pub async fn counts(cx: &Cx) -> Result<Arc<Counts>, Problem> {
    shared_reads::counts(cx).await.map_err(|error| to_problem(&error))
}

/// Returns the counts of open work for the navigation. If they cannot be read, the page is shown without them.
pub async fn navigation_counts(cx: &Cx) -> Arc<Counts> {
    shared_reads::counts(cx).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the counts of the navigation could not be read");
        Arc::default()
    })
}

pub fn current_user_id() -> Option<UserId> {
    parts().extensions.get::<SignedIn>().map(|signed_in| signed_in.user_id)
}

/// Returns the address of the page that the user sees: the address of this request, or for a server function
/// the address of the page that called it.
pub fn current_page() -> String {
    let parts = parts();
    let own = parts.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    if !own.starts_with("/console/") {
        return own.to_owned();
    }
    let referrer = parts.headers.get(http::header::REFERER).and_then(|value| value.to_str().ok());
    let referrer = referrer.and_then(|text| text.parse::<http::Uri>().ok());
    let path = referrer.as_ref().and_then(http::Uri::path_and_query);
    path.map_or("/", http::uri::PathAndQuery::as_str).to_owned()
}

/// Redirects the browser to a page of the console. A form sent without scripts is answered with 303, so the
/// browser sends a new GET.
pub fn redirect(page: &str) {
    redirect_to_program(url::own_path(page));
}

/// Redirects the browser to a program on the machine of the user, outside the console.
pub fn redirect_to_program(address: &str) {
    leptos_axum::redirect(address);
    if wants_page() {
        expect_context::<ResponseOptions>().set_status(StatusCode::SEE_OTHER);
    }
}

/// Returns whether the request expects a page: the browser sent a form without scripts, or requests HTML.
pub fn wants_page() -> bool {
    let parts = parts();
    let accept = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Returns the request for the first page of a list, or for the page that starts at `cursor`.
pub fn page_at(cursor: String) -> PageRequest {
    PageRequest { limit: LIMIT_DEFAULT, cursor: (!cursor.is_empty()).then_some(cursor) }
}

/// Converts an error of the service for the page. The response takes its status. Internal errors are logged
/// here, once.
pub fn to_problem(error: &governance::Error) -> Problem {
    let correlation_id = correlation_id();
    if !matches!(error, governance::Error::Refused(_)) {
        tracing::error!(%correlation_id, %error, "a page could not be shown");
    }
    let problem = Problem {
        correlation_id: Some(correlation_id.as_str().into()),
        ..Problem::of_error(error)
    };
    if let (Some(response), Ok(status)) =
        (use_context::<ResponseOptions>(), StatusCode::from_u16(problem.status))
        && !response.0.read().is_ok_and(|parts| parts.status.is_some())
    {
        response.set_status(status);
    }
    let retry_after = match error {
        governance::Error::Unavailable { retry_after, .. } => Some(retry_after.as_secs().max(1)),
        governance::Error::Refused(_) | governance::Error::Bug(_) => {
            problem.wait_seconds.map(u64::from)
        }
    };
    if let (Some(response), Some(seconds)) = (use_context::<ResponseOptions>(), retry_after) {
        response.insert_header(http::header::RETRY_AFTER, http::HeaderValue::from(seconds));
    }
    problem
}

/// Returns the field errors of a rejected request, or `None` for other errors.
pub fn fields(error: &governance::Error) -> Option<Vec<FieldError>> {
    error.field_errors().map(<[_]>::to_vec)
}

/// Returns a sentence for each field error of a rejected request, or `None` for other errors. `labels` maps members to the
/// labels of the form.
pub fn field_sentences(error: &governance::Error, labels: &[(&str, &str)]) -> Option<String> {
    Some(Problem::of_fields(error.field_errors()?, labels).message)
}

/// Converts an error of the service for a form with these labels. The message lists the field errors.
pub fn labelled(error: &governance::Error, labels: &[(&str, &str)]) -> Problem {
    field_sentences(error, labels).map_or_else(|| to_problem(error), Problem::of_form)
}

impl From<governance::Error> for Problem {
    /// See [`to_problem`].
    fn from(error: governance::Error) -> Self {
        to_problem(&error)
    }
}

impl Problem {
    /// Returns the code, the message and the details of an error.
    pub fn of_error(error: &governance::Error) -> Self {
        let problem = Self {
            status: error.status(),
            code: error.code().as_str().to_owned(),
            message: error.message().to_owned(),
            ..Self::default()
        };
        let governance::Error::Refused(refusal) = error else { return problem };
        let problem = Self {
            reason: refusal.reason().map(Box::from),
            wait_seconds: refusal.retry_after(),
            ..problem
        };
        match &refusal.details {
            Some(Details::Transition { from, .. }) => {
                Self { state: Some((*from).into()), ..problem }
            }
            Some(Details::StaleDraft { current }) => {
                Self { revision: Some(current.draft_revision), ..problem }
            }
            Some(Details::Role { action, required_role }) => {
                let message = format!("{action} requires the {required_role} role");
                Self { message, ..problem }
            }
            _ => problem,
        }
    }
}

/// Returns the problem of a sign-in without a second factor, for the dialog of a page. The reason lists the kinds of second
/// factors of the account.
pub fn second_factor_missing(kinds: &[SecondFactorKind]) -> Problem {
    expect_context::<ResponseOptions>().set_status(StatusCode::UNAUTHORIZED);
    let kinds: Vec<_> = kinds.iter().map(|kind| kind.as_str()).collect();
    Problem {
        code: ErrorCode::SecondFactorMissing.as_str().to_owned(),
        status: StatusCode::UNAUTHORIZED.as_u16(),
        reason: Some(kinds.join(" ").into()),
        ..Problem::default()
    }
}

/// Responds to a rejected form.
/// - On a page with scripts, it returns the error, and the page displays it.
/// - Without scripts, it stores the input in the session and redirects to the page of the form. Input that is too large
///   is not stored; the page says so and lists the errors.
/// - If the user must confirm the identity, it stores the input in the session and redirects to the
///   reauthentication page.
pub async fn set_rejected(problem: Problem, page: String, text: String) -> Result<(), Problem> {
    let needs_confirmation = problem.asks_for_confirmation();
    if !needs_confirmation && !wants_page() {
        return Err(problem);
    }
    let rejected = RejectedForm { page: page.clone(), problem, text };
    if !put(&key(&page), &rejected).await? {
        put(&key(&page), without_input(rejected)).await?;
    }
    if needs_confirmation {
        redirect(&url::with_query("/login/confirm", &[("next", &page)]));
        if !wants_page() {
            // The redirect to the page of the confirmation is the response. The error is stored in the session.
            expect_context::<ResponseOptions>().set_status(StatusCode::OK);
        }
    } else {
        redirect(&page);
    }
    Ok(())
}

/// The maximum number of errors and of characters in the message of a rejected form without its input.
const ERRORS_MAX: usize = 20;
const MESSAGE_CHARS_MAX: usize = 4_000;

/// Returns a rejected form whose input is too large to be retained. The message of the problem lists the field errors.
fn without_input(rejected: RejectedForm) -> RejectedForm {
    let RejectedForm { page, mut problem, text } = rejected;
    let form = serde_json::from_str::<FormWithErrors<IgnoredAny>>(&text);
    let mut errors = form.map(|form| form.errors).unwrap_or_default();
    errors.truncate(ERRORS_MAX);
    if !errors.is_empty() {
        let message = Problem::of_fields(&errors, &[]).message;
        problem.message = message.chars().take(MESSAGE_CHARS_MAX).collect();
    }
    RejectedForm { page, problem: Problem { is_input_lost: true, ..problem }, text: String::new() }
}

/// Responds to the form of `page`: with a redirect to `done`, or as to a rejected form with the input `text`.
pub async fn respond<T, E: Into<Problem>>(
    result: Result<T, E>,
    done: &str,
    page: &str,
    text: String,
) -> Result<(), Problem> {
    match result {
        Ok(_) => {
            redirect(done);
            Ok(())
        }
        Err(error) => set_rejected(error.into(), page.to_owned(), text).await,
    }
}

/// Performs the action of the form of `page`, and redirects to the address that it returns, or responds as to a rejected form
/// with the input `text`.
pub async fn act(
    page: &str,
    text: String,
    action: impl Future<Output = Result<String, Problem>>,
) -> Result<(), Problem> {
    // Boxed, because the future of an action can be large.
    let done = Box::pin(action).await;
    let address = done.as_deref().unwrap_or_default().to_owned();
    respond(done, &address, page, text).await
}

/// Parses a body built from a form.
///
/// # Errors
/// Returns `VALIDATION_ERROR` with one sentence per error. `labels` maps members to the labels of the form.
pub fn read_form<T: FromJson>(
    body: impl Into<Value>,
    labels: &[(&str, &str)],
) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, labels))
}

/// Responds to the form of `page`, which shows each error next to its field: with a redirect to `done`, or as to a
/// rejected form.
pub async fn respond_to_form<T, F: Serialize>(
    result: governance::Result<T>,
    done: &str,
    page: String,
    form: F,
) -> Result<(), Problem> {
    match result {
        Ok(_) => {
            redirect(done);
            Ok(())
        }
        Err(error) => {
            let errors = fields(&error).unwrap_or_default();
            set_rejected(error.into(), page, form_text(form, errors)).await
        }
    }
}

/// Responds to a form with field errors; its page shows each error next to its field.
pub async fn set_errors<F: Serialize>(
    page: String,
    form: F,
    errors: Vec<FieldError>,
) -> Result<(), Problem> {
    let problem = to_problem(&governance::base::error::invalid(&errors).into());
    set_rejected(problem, page, form_text(form, errors)).await
}

/// Serializes a form for the page that shows it again.
pub fn form_json(form: &impl Serialize) -> String {
    serde_json::to_string(form).unwrap_or_default()
}

/// Serializes a form and its errors for the page that shows them.
pub fn form_text<F: Serialize>(form: F, errors: Vec<FieldError>) -> String {
    form_json(&FormWithErrors { form, errors })
}

/// Returns the form that was posted to this page, read like the arguments of a server function.
///
/// # Errors
/// The problem of a form whose fields are missing or malformed. The response takes its status.
pub async fn posted<F: DeserializeOwned>() -> Result<Option<F>, Problem> {
    let Some(PostedForm(body)) = parts().extensions.get::<PostedForm>().cloned() else {
        return Ok(None);
    };
    let request = http::Request::new(Body::from(body.to_vec()));
    let read = <F as FromReq<PostUrl, http::Request<Body>, Problem>>::from_req(request).await;
    read.map(Some).inspect_err(|problem| {
        if let Ok(status) = StatusCode::from_u16(problem.status) {
            expect_context::<ResponseOptions>().set_status(status);
        }
    })
}

/// Returns the input of the rejected form of `page`, and removes it from the session.
pub async fn take_rejected(page: &str) -> Option<RejectedForm> {
    retained::take(&key(page)).await
}

/// Returns the error and the input of the rejected form of `page`, and removes both from the session.
pub async fn take_input<F: Default + DeserializeOwned>(page: &str) -> Option<(Problem, F)> {
    let RejectedForm { problem, text, .. } = take_rejected(page).await?;
    Some((problem, serde_json::from_str(&text).unwrap_or_default()))
}

/// Returns the rejected form of `page` and its error, and removes both from the session. The error is absent
/// if there are field errors: the page shows these next to the fields, and a general note would repeat them.
pub async fn take_form<F: DeserializeOwned>(
    page: &str,
) -> (Option<Problem>, Option<FormWithErrors<F>>) {
    let Some(rejected) = take_rejected(page).await else { return (None, None) };
    let form: Option<FormWithErrors<F>> = serde_json::from_str(&rejected.text).ok();
    let has_field_errors = form.as_ref().is_some_and(|form| !form.errors.is_empty());
    ((!has_field_errors).then_some(rejected.problem), form)
}

fn key(page: &str) -> String {
    format!("form {page}")
}

/// Stores the result of an action for `page`, which shows it once.
pub async fn set_result<T: Serialize>(page: &str, result: &T) -> Result<(), Problem> {
    put(&result_key(page), result).await.map(drop)
}

/// Returns the result of the last action of `page`, and removes it from the session.
pub async fn take_result<T: DeserializeOwned>(page: &str) -> Option<T> {
    retained::take(&result_key(page)).await
}

fn result_key(page: &str) -> String {
    format!("told {page}")
}

pub fn session() -> Option<Session> {
    parts().extensions.get::<Session>().cloned()
}

/// Returns the session of the browser, to write to it.
pub fn cookie_session() -> Result<Session, Problem> {
    session().ok_or_else(write_error)
}

/// Returns the error for a session that cannot be written.
pub fn write_error() -> Problem {
    Problem { code: "SERVICE_UNAVAILABLE".into(), status: 503, ..Problem::default() }
}
