//! `/login/oidc`: the addresses between which a browser moves while an identity provider signs a user in or out, and the
//! address to which providers send logout tokens.

use axum::{
    Router,
    extract::State,
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use governance::{
    Governance,
    access::{
        oidc::{self, Callback, FLOW_LIFETIME_S, ProviderPath, Rejection, SignInError, flow_id},
        session,
    },
    base::error::{Refusal, invalid_field},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use kit::{cookie, text::url};
use tower_sessions::Session;

use crate::{
    edge::{
        ApiError, FromPath, Path, Public, QueryReader, html_form::FormFields,
        origin::is_from_other_site,
    },
    state::Service,
    v1::session::RequestClient,
};

/// The maximum number of bytes of a logout request.
const LOGOUT_MAX: usize = 65_536;

/// The maximum number of characters of a parameter.
const PARAMETER_MAX: usize = 4_096;

/// The time for which the browser stores the tenant of the last sign-in, so that the sign-in page shows its providers.
const TENANT_LIFETIME_S: u32 = 365 * 24 * 60 * 60;

/// The maximum number of started sign-ins of a browser. Starting another one discards the oldest.
const FLOWS_MAX: usize = 5;

/// The content security policy of the sign-out page.
const SIGN_OUT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// Returns the routes. They do not use the protection against cross-site requests of the console: a provider redirects to
/// the callback and posts logout tokens. A cookie and a signature protect these.
pub(super) fn router() -> Router<Service> {
    Router::new()
        .route(url::SIGN_OUT_AT_PROVIDER, get(sign_out))
        .route("/login/oidc/{tenant}/{provider}", get(start))
        .route("/login/oidc/{tenant}/{provider}/callback", get(finish))
        .route("/login/oidc/{tenant}/{provider}/logout", post(logout))
}

impl FromPath for ProviderPath {
    fn from_path(segments: &[String]) -> Option<Self> {
        let (tenant, provider) = FromPath::from_path(segments)?;
        Some(Self { tenant, provider })
    }
}

/// Handles `GET /login/oidc/{tenant}/{provider}`: redirects to the provider. With `fresh`, the provider authenticates the
/// user again.
///
/// A request that another site caused is redirected to the sign-in page, so that another site cannot sign a user in
/// unnoticed.
async fn start(
    State(service): State<Service>,
    Path(path): Path<ProviderPath>,
    headers: HeaderMap,
    mut query: QueryReader,
) -> Response {
    let next = query.text("next", PARAMETER_MAX, "").unwrap_or_default();
    let is_fresh = query.text("fresh", 1, "").is_some();
    if is_from_other_site(&headers) {
        return Redirect::to(&url::sign_in(path.tenant, &next, None)).into_response();
    }
    match oidc::start(&service.governance, path, url::own_path(&next), is_fresh).await {
        Ok(departure) => {
            let mut response = Redirect::to(&departure.url).into_response();
            // The cookie is sent with the redirect of the provider, which comes from another site.
            let name = service.cookies().sign_in(&departure.id);
            append_cookie(&service, &mut response, &name, &departure.cookie, FLOW_LIFETIME_S);
            // Browsers send older cookies first.
            let started = service.cookies().sign_ins(&headers);
            for name in started.iter().take((started.len() + 1).saturating_sub(FLOWS_MAX)) {
                append_cookie(&service, &mut response, name, "", 0);
            }
            response
        }
        Err(error) => rejected(path, &next, error),
    }
}

/// Handles the redirect of the provider to `GET /login/oidc/{tenant}/{provider}/callback`.
async fn finish(
    Public(cx): Public,
    State(service): State<Service>,
    Path(path): Path<ProviderPath>,
    RequestClient(client): RequestClient,
    session: Session,
    headers: HeaderMap,
    mut query: QueryReader,
) -> Response {
    let mut parameter = |name| query.text(name, PARAMETER_MAX, "");
    let callback = Callback {
        code: parameter("code"),
        state: parameter("state"),
        issuer: parameter("iss"),
        error: parameter("error"),
    };
    let id = callback.state.as_deref().and_then(flow_id);
    let name = id.map(|id| service.cookies().sign_in(id));
    let cookie = name.as_deref().and_then(|name| cookie::value(&headers, name));
    let mut response = match oidc::finish(&cx, &session, &client, path, cookie, &callback).await {
        Ok(next) => {
            let mut response = Redirect::to(url::own_path(&next)).into_response();
            let (name, tenant) = (service.cookies().name(url::TENANT_COOKIE), path.tenant);
            let tenant = tenant.to_string();
            append_cookie(&service, &mut response, &name, &tenant, TENANT_LIFETIME_S);
            response
        }
        Err(error) => rejected(path, "", error),
    };
    if let Some(name) = name {
        append_cookie(&service, &mut response, &name, "", 0);
    }
    response
}

/// Returns the refusal of a logout token. Its status is 422, as that of every invalid input of the service; the
/// specification of logout names 400, and providers only check whether the status is 2xx.
fn invalid_logout_token() -> Refusal {
    invalid_field("/logout_token", "invalid", "is not a valid logout token of this provider")
}

/// Handles a logout token at `POST /login/oidc/{tenant}/{provider}/logout` (`OpenID` Connect Back-Channel Logout 1.0,
/// section 2.8).
async fn logout(
    Public(cx): Public,
    Path(path): Path<ProviderPath>,
    FormFields(fields): FormFields<LOGOUT_MAX>,
) -> Response {
    let token = fields.iter().find(|(name, _)| name == "logout_token");
    let result = match token {
        Some((_, token)) => oidc::back_channel_logout(&cx, path, token).await,
        None => Err(Rejection::Invalid.into()),
    };
    match result {
        Ok(()) => StatusCode::OK.into_response(),
        Err(SignInError::Rejected(_)) => ApiError::from(invalid_logout_token()).into_response(),
        Err(SignInError::Failed(error)) => ApiError(error).into_response(),
    }
}

/// Handles `GET /login/oidc/sign-out`: ends the session and shows a page that continues at the provider.
///
/// The page, and not a redirect, continues at the provider: the content security policy of the console permits the
/// sign-out form no address of another origin, also after redirects.
async fn sign_out(
    State(service): State<Service>,
    session: Session,
    headers: HeaderMap,
) -> Response {
    if is_from_other_site(&headers) {
        return Redirect::to("/").into_response();
    }
    let mut response = match end(&service.governance, &session).await {
        Ok(Some(provider)) => {
            let style = super::hosted_form::style(&service);
            let mut response = Html(documents::sign_out::render(&provider, &style)).into_response();
            let refresh = HeaderValue::from_str(&format!("0; url={provider}"));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_SECURITY_POLICY, SIGN_OUT_POLICY);
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
            if let Ok(refresh) = refresh {
                headers.insert(header::REFRESH, refresh);
            }
            response
        }
        Ok(None) => Redirect::to(url::LOGIN).into_response(),
        Err(error) => return ApiError(error).into_response(),
    };
    // A sign-in that was started before does not sign the user in again.
    for name in service.cookies().sign_ins(&headers) {
        append_cookie(&service, &mut response, name, "", 0);
    }
    response
}

/// Ends the session and returns the address of its provider that signs the user out.
async fn end(governance: &Governance, session: &Session) -> governance::Result<Option<String>> {
    let provider = oidc::end_session_url(governance, session).await?;
    session::destroy(governance, session).await?;
    Ok(provider.map(String::from))
}

/// Returns the redirect to the sign-in page, which says why the sign-in was rejected.
fn rejected(path: ProviderPath, next: &str, error: SignInError) -> Response {
    match error {
        SignInError::Rejected(rejection) => {
            Redirect::to(&url::sign_in(path.tenant, next, Some(rejection.as_str()))).into_response()
        }
        SignInError::Failed(error) => ApiError(error).into_response(),
    }
}

/// Sets a cookie for `seconds`, or deletes it with zero. `name` is the one in headers.
fn append_cookie(
    service: &Service,
    response: &mut Response,
    name: &str,
    value: &str,
    seconds: u32,
) {
    if let Some(value) = service.cookies().header(name, value, seconds) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}
