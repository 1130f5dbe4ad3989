//! `/login/oidc`: the addresses between which a browser moves while an identity provider signs a user in or out, and the
//! address to which providers send logout tokens.

use app::text::url;
use axum::{
    Router,
    extract::State,
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use governance::{
    Governance,
    access::{
        oidc::{self, Callback, FLOW_LIFETIME_S, ProviderPath, Rejection, SignInError},
        session,
    },
    base::error::{Refusal, invalid_field},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_sessions::Session;

use crate::{
    edge::{
        error::ApiError,
        extract::{FromPath, Path, Public},
        html_form::FormFields,
        origin::is_from_other_site,
        query::QueryReader,
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
            let cookie = flow_cookie(&service, &departure.cookie, FLOW_LIFETIME_S);
            append_cookie(&mut response, &cookie);
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
    let cookie = cookie(&headers, flow_cookie_name(&service));
    let mut response = match oidc::finish(&cx, &session, &client, path, cookie, &callback).await {
        Ok(next) => {
            let mut response = Redirect::to(url::own_path(&next)).into_response();
            append_cookie(&mut response, &tenant_cookie(&service, path));
            response
        }
        Err(error) => rejected(path, "", error),
    };
    // A started sign-in is used once.
    append_cookie(&mut response, &flow_cookie(&service, "", 0));
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
    match end(&service.governance, &session).await {
        Ok(Some(provider)) => {
            let style = super::hosted_form::style(&service);
            let mut response = Html(app::sign_out::render(&provider, &style)).into_response();
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
        Err(error) => ApiError(error).into_response(),
    }
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

fn flow_cookie_name(service: &Service) -> &'static str {
    if service.is_https { "__Host-govern-sign-in" } else { "govern-sign-in" }
}

/// Returns the cookie that binds a sign-in to the browser. It is sent with the redirect of the provider, which comes from
/// another site.
fn flow_cookie(service: &Service, value: &str, seconds: u32) -> String {
    let name = flow_cookie_name(service);
    format!("{name}={value}; Path=/; Max-Age={seconds}{}", attributes(service))
}

fn tenant_cookie(service: &Service, path: ProviderPath) -> String {
    let (name, tenant) = (url::TENANT_COOKIE, path.tenant);
    format!(
        "{name}={tenant}; Path={}; Max-Age={TENANT_LIFETIME_S}{}",
        url::LOGIN,
        attributes(service)
    )
}

fn attributes(service: &Service) -> &'static str {
    if service.is_https { "; HttpOnly; SameSite=Lax; Secure" } else { "; HttpOnly; SameSite=Lax" }
}

fn append_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// Returns the value of a cookie of the request.
fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}
