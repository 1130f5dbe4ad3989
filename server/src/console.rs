//! The routes of the console, its static files and its error page.

mod body;
mod dev_mail;
mod export;
mod hosted_form;
mod live;
mod oidc;
mod plain_form_errors;
mod time_left;

pub(crate) use self::hosted_form::style;

use std::net::SocketAddr;

use anyhow::Result;
use axum::{
    Extension, Router,
    body::Body,
    extract::{Request, State},
    handler::Handler,
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use governance::{Governance, SignedIn, TimeZone, access::session};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use kit::text::url::{POSTED_PAGES, has_local_times};
use kit::{console::Development, request::shared_reads::SharedReads};
use leptos::{
    config::{LeptosOptions, get_config_from_str},
    prelude::provide_context,
};
use leptos_axum::{
    LeptosRoutes, file_and_error_handler_with_context, render_app_async_with_context,
};
use tower::ServiceExt as _;
use tower_http::services::ServeDir;
use tower_sessions::Session;

use crate::{
    edge::{ApiError, compression, error, error_page, origin},
    state::Service,
};

/// The settings with which cargo-leptos built the console.
const LEPTOS_TOML: &str = include_str!("../../Leptos.toml");

/// Returns the settings of the console for a service that listens on `addr`.
///
/// # Errors
/// Returns an error if the built-in settings cannot be parsed.
pub fn options(addr: SocketAddr) -> Result<LeptosOptions> {
    let mut options = get_config_from_str(LEPTOS_TOML)?;
    options.site_addr = addr;
    Ok(options)
}

/// The content of `/robots.txt`. It permits pages that must not be indexed: a crawler sees their header
/// `X-Robots-Tag` only if it may request them.
const ROBOTS: &str = "User-agent: *\nDisallow: /v1/\nDisallow: /console/\n";

/// Returns the routes of all pages and of their server functions.
pub(crate) fn router(service: &Service) -> Router<Service> {
    let options = service.leptos.clone();
    let render = service.console.shell;
    let shell = move || render(options.clone());
    let posted = render_app_async_with_context(context(service), shell.clone());
    let posted_pages = POSTED_PAGES
        .into_iter()
        .fold(Router::new(), |router, page| router.route(page, post(posted.clone())));
    Router::new()
        .route("/console/export", post(export::export))
        .leptos_routes_with_context(service, (service.console.pages)(), context(service), shell)
        .merge(posted_pages)
        .route_layer(middleware::from_fn(plain_form_errors::render_as_page))
        // Runs after `limit_body`: the body has arrived, so a session that ended in the meantime has no effect.
        .route_layer(middleware::from_fn(load_signed_in_user))
        .route_layer(middleware::from_fn(body::limit_body))
        .route_layer(middleware::from_fn(origin::same_origin))
        .merge(hosted_form::router())
        .merge(oidc::router())
        .merge(dev_mail::router(service))
        // These do not use `load_signed_in_user`: an open tab does not extend its session.
        .route(kit::text::url::LIVE, get(live::live))
        .route(kit::text::url::SESSION, get(time_left::time_left))
        .route("/robots.txt", get(async || ROBOTS))
        .route_layer(middleware::from_fn(compression::compress))
}

/// The content security policy of static files. It applies to worker scripts, such as the verifier: a worker
/// uses the policy of its own file instead of the page's policy.
const FILE_POLICY: &str =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/// Handles requests without a route: returns a static file, the console's page for unknown paths, or a JSON
/// error.
pub(crate) async fn fallback(State(service): State<Service>, mut request: Request) -> Response {
    let is_page = wants_page(&request);
    if is_asset(&request) {
        let (parts, _) = request.into_parts();
        let file = file(&service, Request::from_parts(parts.clone(), Body::empty())).await;
        if file.status() != StatusCode::NOT_FOUND {
            return file;
        }
        request = Request::from_parts(parts, Body::empty());
    }
    if is_page {
        not_found_page(service, request).await
    } else {
        error::no_such_path().into_response()
    }
}

/// Returns a static file, in the smallest encoding that the client accepts.
///
/// The file handler of `leptos_axum` is not used. It reads response options that the last page may have left
/// on the thread: a file could get the redirect of another user's page, and that page would lose it.
async fn file(service: &Service, request: Request) -> Response {
    let root = &*service.leptos.site_root;
    let files = ServeDir::new(root).precompressed_br().precompressed_gzip();
    let mut response =
        files.oneshot(request).await.unwrap_or_else(|never| match never {}).into_response();
    if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
        // File names do not change with their content, so clients must revalidate them.
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    }
    response
}

/// Renders the console's page for unknown paths.
async fn not_found_page(service: Service, request: Request) -> Response {
    let page =
        file_and_error_handler_with_context::<Service, _>(context(&service), service.console.shell);
    let mut response = page.call(request, service).await;
    let robots = HeaderName::from_static("x-robots-tag");
    response.headers_mut().insert(robots, HeaderValue::from_static("noindex"));
    response
}

/// Returns the context of pages and server functions.
fn context(service: &Service) -> impl Fn() + Clone + Send + Sync + 'static + use<> {
    let (governance, is_development) = (service.governance.clone(), service.edge.is_development);
    let (has_docs, cookies) = (service.edge.has_docs, service.cookies());
    move || {
        provide_context(governance.clone());
        provide_context(cookies);
        if has_docs {
            provide_context(documents::documentation::HasDocumentation);
        }
        provide_context(SharedReads::default());
        if is_development {
            provide_context(Development);
        }
    }
}

/// Returns whether a browser requests a page.
fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !path.starts_with("/v1/")
        && error_page::accepts_html(request.headers())
}

/// Returns whether the request is for a static file: its last path segment has an extension.
fn is_asset(request: &Request) -> bool {
    let path = request.uri().path();
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !path.starts_with("/v1/")
        && path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Stores the signed-in user and the user's time zone in the request, for pages and server functions.
async fn load_signed_in_user(
    Extension(governance): Extension<Governance>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Response {
    let is_local = has_local_times(request.uri().path());
    match signed_in_user(&governance, &session).await {
        Ok(Some((signed_in, zone))) => {
            request.extensions_mut().insert(signed_in);
            if let Some(zone) = zone.filter(|_| is_local) {
                request.extensions_mut().insert(zone);
            }
        }
        Ok(None) => {}
        Err(error) => return ApiError(error).into_response(),
    }
    next.run(request).await
}

async fn signed_in_user(
    governance: &Governance,
    session: &Session,
) -> governance::Result<Option<(SignedIn, Option<TimeZone>)>> {
    let Some(signed_in) = session::current(governance, session).await? else { return Ok(None) };
    Ok(Some((signed_in, session::time_zone(session).await?)))
}
