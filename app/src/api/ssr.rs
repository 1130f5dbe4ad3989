//! The server's side of the functions: who asks, where to go next, and what was typed.

pub(super) mod alert;
pub(super) mod analytics;
pub(super) mod audit;
pub(super) mod bundle;
pub(super) mod capability;
pub(super) mod chain;
mod cookie;
pub(super) mod decision;
pub(super) mod delivery;
pub(super) mod editor;
pub(super) mod group;
pub(super) mod hosted;
pub(super) mod inbox;
pub(super) mod key;
pub(super) mod member;
pub(super) mod outcome;
pub(super) mod overview;
pub(super) mod policy;
pub(super) mod policy_form;
pub(super) mod receipt;
pub(super) mod review;
mod rules;
pub(super) mod settings;
pub(super) mod tried;
pub(super) mod trust;
pub(super) mod verify;
pub(super) mod version;
pub(super) mod webhook;

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use contract::{
    error::{FieldError, Problem as Refused},
    id::{TenantId, UserId},
    json::Value,
    page::LIMIT_DEFAULT,
};
use governance::{CorrelationId, Cx, Governance, PageRequest, SignedIn, session::Client};
use http::{StatusCode, header::ACCEPT, request::Parts};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use serde::{Serialize, de::DeserializeOwned};

pub(crate) use self::cookie::preference;
pub(super) use self::cookie::{keep_made, keep_refused, made, refused, set_preference};
use crate::{
    problem::Problem,
    text::url,
    view::{
        invitation::Invitation,
        kept::{Kept, RefusedForm},
    },
};

/// The request at hand.
pub(super) fn parts() -> Parts {
    expect_context::<Parts>()
}

/// The service.
pub(super) fn governance() -> Governance {
    expect_context::<Governance>()
}

/// The request's name.
pub(super) fn correlation_id() -> CorrelationId {
    let named = parts().extensions.get::<CorrelationId>().cloned();
    named.unwrap_or_else(|| governance().correlation_id())
}

/// The address of the caller, as far as the server knows it.
pub(super) fn client_ip() -> Option<IpAddr> {
    parts().extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip())
}

/// The client of the request.
pub(super) fn client() -> Client {
    let parts = parts();
    let user_agent = parts.headers.get(http::header::USER_AGENT);
    Client::new(client_ip(), user_agent.and_then(|text| text.to_str().ok()))
}

/// The signed-in person. Nobody: the answer leads to the sign-in page and back to `page`.
pub(super) fn signed_in(page: &str) -> Result<SignedIn, Problem> {
    parts().extensions.get::<SignedIn>().copied().ok_or_else(|| {
        go(&url::with_query("/login", &[("next", page)]));
        refuse(&governance::error::unauthorized().into())
    })
}

/// An operation of the signed-in person in a tenant.
pub(super) async fn human(tenant: TenantId) -> Result<Cx, Problem> {
    let signed_in = signed_in(&page())?;
    answer(governance().human(&signed_in, tenant, correlation_id()).await)
}

/// The tenants that have invited the signed-in person.
pub(super) async fn invitations(signed_in: &SignedIn) -> Result<Vec<Invitation>, Problem> {
    let pending = governance::account::invitation::list(&governance(), signed_in).await;
    Ok(answer(pending)?.items.into_iter().map(Invitation::from).collect())
}

/// The signed-in person.
pub(super) fn me() -> Option<UserId> {
    parts().extensions.get::<SignedIn>().map(|signed_in| signed_in.user_id)
}

/// The page that the person looks at: this request's own address, or the one that called.
pub(super) fn page() -> String {
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

/// Leads the browser to one of our own pages, with a fresh GET after a form.
pub(super) fn go(page: &str) {
    leptos_axum::redirect(url::own_path(page));
    if wants_page() {
        expect_context::<ResponseOptions>().set_status(StatusCode::SEE_OTHER);
    }
}

/// Whether the browser sent a plain form, or asks for a page.
pub(super) fn wants_page() -> bool {
    let parts = parts();
    let accept = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// The first page of a list, or the one that starts at `cursor`.
pub(super) fn page_at(cursor: String) -> PageRequest {
    PageRequest { limit: LIMIT_DEFAULT, cursor: (!cursor.is_empty()).then_some(cursor) }
}

/// Words an error of the service for the page; the answer takes its status.
pub(super) fn answer<T>(outcome: governance::Result<T>) -> Result<T, Problem> {
    outcome.map_err(|error| refuse(&error))
}

/// Words an error of the service for the page; the answer takes its status. Faults are logged here,
/// at the edge, once.
pub(super) fn refuse(error: &governance::Error) -> Problem {
    let correlation_id = correlation_id();
    if !matches!(error, governance::Error::Refused(_)) {
        tracing::error!(%correlation_id, %error, "a page could not be shown");
    }
    let problem = Problem {
        status: error.status(),
        correlation_id: Some(correlation_id.as_str().into()),
        ..error.problem().into()
    };
    if let (Some(response), Ok(status)) =
        (use_context::<ResponseOptions>(), StatusCode::from_u16(problem.status))
        && !response.0.read().is_ok_and(|parts| parts.status.is_some())
    {
        response.set_status(status);
    }
    let overloaded = match error {
        governance::Error::Unavailable { retry_after, .. } => Some(retry_after.as_secs().max(1)),
        governance::Error::Refused(_) | governance::Error::Bug(_) => {
            problem.wait_seconds.map(u64::from)
        }
    };
    if let (Some(response), Some(seconds)) = (use_context::<ResponseOptions>(), overloaded) {
        response.insert_header(http::header::RETRY_AFTER, http::HeaderValue::from(seconds));
    }
    problem
}

/// What is wrong with the values of a request; nothing for other refusals.
pub(super) fn fields(error: &governance::Error) -> Option<Vec<FieldError>> {
    let refused = error.problem();
    let errors = refused.details.as_ref()?.get("errors")?.as_array()?.iter();
    let text = |error: &Value, name: &str| error.get(name)?.as_str().map(str::to_owned);
    let field = |error: &Value| {
        Some(FieldError {
            path: text(error, "path")?,
            code: text(error, "code")?,
            message: text(error, "message")?,
        })
    };
    errors.map(field).collect()
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let fact = |name| refused.details.as_ref().and_then(|details| details.get(name));
        let text = |name| fact(name).and_then(Value::as_str).map(Box::from);
        let revision = fact("current").and_then(|current| current.get("draft_revision"));
        Self {
            reason: text("reason"),
            state: text("from"),
            revision: revision.and_then(whole),
            wait_seconds: fact("retry_after").and_then(whole),
            code: refused.code,
            message: refused.message,
            ..Self::default()
        }
    }
}

fn whole(value: &Value) -> Option<u32> {
    value.to_canonical().parse().ok()
}

/// Answers a refused form. A page with scripts shows the refusal in place. A plain form is led back
/// to its page, with what was typed kept in the session; so is anybody whose password must be asked
/// for again, on the way there.
pub(super) async fn keep(problem: Problem, page: String, text: String) -> Result<(), Problem> {
    let confirm = problem.asks_for_confirmation();
    if !confirm && !wants_page() {
        return Err(problem);
    }
    put(&key(&page), Kept { page: page.clone(), problem, text }).await?;
    if confirm {
        go(&url::with_query("/login/confirm", &[("next", &page)]));
        if !wants_page() {
            // The way to the password is the answer; the refusal waits in the session.
            expect_context::<ResponseOptions>().set_status(StatusCode::OK);
        }
    } else {
        go(&page);
    }
    Ok(())
}

/// Answers a form some of whose values are refused: its page tells each fault beside its field.
pub(super) async fn keep_faults<F: Serialize>(
    page: String,
    form: F,
    faults: Vec<FieldError>,
) -> Result<(), Problem> {
    let problem = refuse(&governance::error::invalid(&faults).into());
    keep(problem, page, form_text(form, faults)).await
}

/// A form as it is kept for its page.
pub(super) fn form_text<F: Serialize>(form: F, faults: Vec<FieldError>) -> String {
    serde_json::to_string(&RefusedForm { form, faults }).unwrap_or_default()
}

/// What was typed on `page` when its form was refused; it is told once.
pub(super) async fn kept(page: &str) -> Option<Kept> {
    take(&key(page)).await
}

/// What was typed on `page` when its form was refused, and why, unless each fault stands beside its field:
/// a note that says no more would be noise. It is told once.
pub(super) async fn kept_form<F: DeserializeOwned>(
    page: &str,
) -> (Option<Problem>, Option<RefusedForm<F>>) {
    let Some(kept) = kept(page).await else { return (None, None) };
    let refused: Option<RefusedForm<F>> = serde_json::from_str(&kept.text).ok();
    let is_told = refused.as_ref().is_some_and(|refused| !refused.faults.is_empty());
    ((!is_told).then_some(kept.problem), refused)
}

fn key(page: &str) -> String {
    format!("kept {page}")
}

/// Keeps what an act came to for `page`, which tells it once.
pub(super) async fn tell<T: Serialize>(page: &str, came_to: &T) -> Result<(), Problem> {
    put(&told_key(page), came_to).await
}

/// What an act of `page` came to; it is told once.
pub(super) async fn told<T: DeserializeOwned>(page: &str) -> Option<T> {
    take(&told_key(page)).await
}

fn told_key(page: &str) -> String {
    format!("told {page}")
}

/// Keeps a value in the session until it is taken.
async fn put(key: &str, value: impl Serialize) -> Result<(), Problem> {
    let Some(session) = session() else { return Ok(()) };
    session.insert(key, value).await.map_err(|_| store_fault())
}

/// A value of the session, which does not keep it any longer.
async fn take<T: DeserializeOwned>(key: &str) -> Option<T> {
    let session = session()?;
    // Looked at first: taking a value that is not there would still write the session.
    let value: Option<T> = session.get(key).await.ok()?;
    if value.is_some() {
        session.remove_value(key).await.ok()?;
    }
    value
}

/// Holds a value in the session until it is let go.
pub(super) async fn hold(key: &str, value: impl Serialize) -> Result<(), Problem> {
    put(key, value).await
}

/// A value that the session holds.
pub(super) async fn held<T: DeserializeOwned>(key: &str) -> Option<T> {
    session()?.get(key).await.ok()?
}

/// Lets go of a value that the session holds.
pub(super) async fn let_go(key: &str) -> Result<(), Problem> {
    let Some(session) = session() else { return Ok(()) };
    // Looked at first: taking a value that is not there would still write the session.
    if let Ok(Some(_)) = session.get_value(key).await {
        session.remove_value(key).await.map_err(|_| store_fault())?;
    }
    Ok(())
}

/// The cookie's session.
pub(super) fn session() -> Option<tower_sessions::Session> {
    parts().extensions.get::<tower_sessions::Session>().cloned()
}

/// What is answered when the session cannot be written.
pub(super) fn store_fault() -> Problem {
    Problem { code: "SERVICE_UNAVAILABLE".into(), status: 503, ..Problem::default() }
}
