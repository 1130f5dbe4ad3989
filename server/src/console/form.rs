//! `/f/{form}`: a form for people. Plain HTML that asks for no scripts, and has none.

mod page;
mod sent;

use axum::{
    Router,
    extract::{OriginalUri, State},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use contract::{
    error::{ErrorCode, FieldError},
    form::{ACCESS_CHARS_MAX, AccessMode, Submission},
    id::{DecisionId, FormId},
    json::{Object, Value},
};
use governance::{
    Cx, Error, SignedIn,
    form::{self, Admission, Shown},
    session,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_sessions::Session;

use self::{
    page::{Gate, Questions, Told},
    sent::Sent,
};
use crate::{
    edge::{
        error::{Failure, retry_after},
        extract::{Path, Posted, Public, Query},
        origin,
        page::accepts_html,
    },
    state::Service,
    v1::forms::{Peer, SUBMISSION_MAX, address, count, telling},
};

/// The page, its posts, and the way to a receipt for programs.
pub(super) fn router() -> Router<Service> {
    Router::new()
        .route("/f/{form_id}", get(ask).post(take))
        .route_layer(middleware::from_fn(origin::not_foreign))
}

/// Leads a program that asks for the page of a receipt to the receipt itself.
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

/// Somebody at the door of a form.
struct Visit {
    cx: Cx,
    id: FormId,
    session: Session,
    admission: Admission,
    /// The address of the style sheet.
    style: String,
}

impl Visit {
    fn new(service: &Service, cx: Cx, id: FormId, session: Session, peer: Peer) -> Self {
        let admission = Admission { address: address(peer), ..Admission::default() };
        Self { cx, id, session, admission, style: style(service) }
    }

    /// Opens the form, or says what to answer instead. The cookie is read only where the form asks for a
    /// sign-in.
    async fn open(&mut self, again: bool) -> Result<Shown, Response> {
        let first = self.shown(again).await;
        let asks_for_sign_in = |error: &Error| mode(error) == Some(AccessMode::Console);
        let shown = match first {
            Err(error) if asks_for_sign_in(&error) => match self.signed_in().await {
                Ok(None) => Err(error),
                Ok(person) => {
                    self.admission.signed_in = person;
                    self.shown(again).await
                }
                Err(fault) => Err(fault),
            },
            shown => shown,
        };
        shown.map_err(|error| self.refused(error))
    }

    async fn shown(&self, again: bool) -> Result<Shown, Error> {
        if again {
            form::shown_again(&self.cx, self.id, &self.admission).await
        } else {
            form::shown(&self.cx, self.id, &self.admission).await
        }
    }

    async fn signed_in(&self) -> Result<Option<SignedIn>, Error> {
        session::current(self.cx.governance(), &self.session).await
    }

    /// The gate, where something is asked for; else the page of every refusal.
    fn refused(&self, error: Error) -> Response {
        let Some(mode) = mode(&error) else { return Failure(error).into_response() };
        let is_given = match mode {
            AccessMode::Token => self.admission.access_token.is_some(),
            AccessMode::Password => self.admission.password.is_some(),
            _ => self.admission.signed_in.is_some(),
        };
        let gate = Gate { id: self.id, mode, wrong: is_given.then(|| error.problem().message) };
        html(StatusCode::FORBIDDEN, &gate.page(&self.cx, &self.style))
    }

    /// The questions with the answers so far.
    fn questions<'a>(&'a self, shown: &'a Shown, sent: &'a Sent, told: Told) -> Questions<'a> {
        Questions {
            shown,
            sent,
            told,
            access_token: self.admission.access_token.as_deref(),
            password: self.admission.password.as_deref(),
            correlation_id: self.cx.correlation_id.as_str(),
        }
    }
}

/// What the form asks for, when that is why it was refused.
fn mode(error: &Error) -> Option<AccessMode> {
    let Error::Refused(refusal) = error else { return None };
    let mode = refusal.details.as_ref().filter(|_| refusal.code == ErrorCode::Forbidden)?;
    mode.get("access_mode")?.as_str()?.parse().ok()
}

/// `GET /f/{form}`
async fn ask(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    mut query: Query,
) -> Result<Response, Failure> {
    let mut visit = Visit::new(&service, cx, id, session, peer);
    visit.admission.access_token = query.secret("access_token", ACCESS_CHARS_MAX);
    // Links are passed on with marks of all kinds; a page does not mind them.
    drop(query);
    let shown = match visit.open(false).await {
        Ok(shown) => shown,
        Err(answer) => return Ok(answer),
    };
    let sent = Sent::blank(service.governance.chance().id::<uuid::Uuid>().to_string());
    let page = visit.questions(&shown, &sent, before_answers(&shown)).page(&visit.style);
    Ok(html(StatusCode::OK, &page))
}

/// Returns what the page says before anything is typed.
fn before_answers(shown: &Shown) -> Told {
    let Some(exhausted) = &shown.exhausted else { return Told::Nothing };
    let error = Error::from(exhausted.clone());
    Told::Exhausted { message: error.problem().message, seconds: retry_after(&error) }
}

/// `POST /f/{form}`: the answers, or the password that the gate asks for.
async fn take(
    Public(cx): Public,
    State(service): State<Service>,
    Path((id,)): Path<(FormId,)>,
    session: Session,
    peer: Peer,
    posted: Posted<SUBMISSION_MAX>,
) -> Result<Response, Failure> {
    let mut visit = Visit::new(&service, cx, id, session, peer);
    let mut sent = Sent::read(posted.0);
    visit.admission.access_token = sent.take("access_token");
    visit.admission.password = sent.take("password");
    let is_gate = sent.take("gate").is_some();
    let shown = match visit.open(!is_gate).await {
        Ok(shown) => shown,
        Err(answer) => return Ok(answer),
    };
    let chance = service.governance.chance();
    if is_gate || sent.key.is_empty() {
        sent.key = chance.id::<uuid::Uuid>().to_string();
        let page = visit.questions(&shown, &sent, before_answers(&shown)).page(&visit.style);
        return Ok(html(StatusCode::OK, &page));
    }
    let (quota, counted) = count(&service, &visit.cx, id, &visit.admission).await;
    let taken = match counted {
        Ok(()) => submit(&visit, &shown, &sent).await,
        Err(Failure(error)) => Err(error),
    };
    let error = match taken {
        Ok(decision) => {
            let receipt = Redirect::to(&format!("/f/{id}/receipts/{decision}"));
            return Ok(telling(quota, receipt.into_response()));
        }
        Err(error) => error,
    };
    if !matches!(error, Error::Refused(_)) {
        tracing::warn!(%error, "a submission was not taken");
    }
    if error.code() == ErrorCode::IdempotencyKeyReused {
        sent.key = chance.id::<uuid::Uuid>().to_string();
    }
    Ok(telling(quota, again(&visit, &shown, &sent, &error)))
}

async fn submit(visit: &Visit, shown: &Shown, sent: &Sent) -> Result<DecisionId, Error> {
    let submission = Submission {
        values: sent.values(&shown.form.fields),
        access_token: visit.admission.access_token.clone(),
        password: visit.admission.password.clone(),
        respondent: None,
        idempotency_key: Some(sent.key.clone()),
    };
    let (submitted, _) = form::submit(&visit.cx, visit.id, &visit.admission, &submission).await?;
    Ok(submitted.decision_id)
}

/// The form once more, with every answer kept and what is wrong.
fn again(visit: &Visit, shown: &Shown, sent: &Sent, error: &Error) -> Response {
    let problem = error.problem();
    let wait = retry_after(error);
    let told = match error.code() {
        ErrorCode::ValidationError => Told::Faults(faults(problem.details.as_ref())),
        ErrorCode::IdempotencyKeyReused => Told::SentBefore,
        ErrorCode::NoActivePolicies => Told::Closed,
        _ => Told::Wait { message: problem.message, seconds: wait },
    };
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let mut answer = html(status, &visit.questions(shown, sent, told).page(&visit.style));
    if let Some(seconds) = wait {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    answer
}

/// What is wrong with the answers.
fn faults(details: Option<&Value>) -> Vec<FieldError> {
    let errors = details.and_then(|details| details.get("errors")).and_then(Value::as_array);
    let text =
        |error: &Object, name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
    let fault = |error: &Value| {
        let error = error.as_object()?;
        let (path, code) = (text(error, "path")?, text(error, "code")?);
        Some(FieldError { path, code, message: text(error, "message")? })
    };
    errors.unwrap_or_default().iter().filter_map(fault).collect()
}

/// The address of the console's style sheet.
pub(super) fn style(service: &Service) -> String {
    format!("/{}/{}.css", service.leptos.site_pkg_dir, service.leptos.output_name)
}

/// The page's own policy: a style sheet, the icon, a post to us, and nothing else.
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
