//! Mounts the console beside the API.

mod body;
mod dev_mail;
mod export;
mod form;
mod live;
mod refused;

use std::net::SocketAddr;

use anyhow::Result;
use axum::{
    Extension, Router,
    body::Body,
    extract::{Request, State},
    handler::Handler,
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use governance::{Governance, session};
use http::{HeaderValue, Method, StatusCode, header};
use leptos::{
    config::{LeptosOptions, get_config_from_str},
    prelude::provide_context,
};
use leptos_axum::{LeptosRoutes, file_and_error_handler_with_context, generate_route_list};
use tower::ServiceExt as _;
use tower_http::services::ServeDir;
use tower_sessions::Session;

use crate::{
    edge::{
        error::{self, Failure},
        origin, page,
    },
    state::Service,
};

/// The settings that cargo-leptos built the console with.
const LEPTOS_TOML: &str = include_str!("../../Leptos.toml");

/// The console's settings for a service that listens on `addr`.
///
/// # Errors
/// When the built-in settings cannot be read.
pub fn options(addr: SocketAddr) -> Result<LeptosOptions> {
    let mut options = get_config_from_str(LEPTOS_TOML)?;
    options.site_addr = addr;
    Ok(options)
}

/// Every page, and the server functions behind them.
pub(crate) fn router(service: &Service) -> Router<Service> {
    let pages = generate_route_list(app::App);
    let options = service.leptos.clone();
    let shell = move || app::shell(options.clone());
    Router::new()
        .route("/console/export", axum::routing::post(export::export))
        .leptos_routes_with_context(service, pages, context(&service.governance), shell)
        .route_layer(middleware::from_fn(refused::as_page))
        // Behind `limited`: the body has arrived, so that a session that is ended meanwhile does nothing.
        .route_layer(middleware::from_fn(who))
        .route_layer(middleware::from_fn(body::limited))
        .route_layer(middleware::from_fn(origin::same_origin))
        .route_layer(middleware::from_fn(form::receipt_for_programs))
        .merge(form::router())
        .merge(dev_mail::router(service))
        // Not behind `who`: a tab that only listens does not keep its session alive.
        .route(app::text::url::LIVE, axum::routing::get(live::live))
}

/// What a script may do that runs in a thread of its own, as the verifier does: a thread has the policy that
/// its file comes with, and not the page's.
const THREADS: &str =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/// What is no route: a static file, the console's page for a missing one, or the error body.
pub(crate) async fn fallback(State(service): State<Service>, request: Request) -> Response {
    let is_page = wants_page(&request);
    if is_asset(&request) {
        let (parts, _) = request.into_parts();
        let file = file(&service, Request::from_parts(parts.clone(), Body::empty())).await;
        if file.status() != StatusCode::NOT_FOUND {
            return file;
        }
        return if is_page {
            missing(service, Request::from_parts(parts, Body::empty())).await
        } else {
            none()
        };
    }
    if is_page { missing(service, request).await } else { none() }
}

fn none() -> Response {
    error::no_such_path().into_response()
}

/// A file of the site, in the smallest form that the caller takes.
///
/// `leptos_axum` has a way of its own, which looks for what a page wants of its answer where the thread left
/// the last one: a file then takes the redirect of somebody else's page along, and that page loses it.
async fn file(service: &Service, request: Request) -> Response {
    let root = &*service.leptos.site_root;
    let files = ServeDir::new(root).precompressed_br().precompressed_gzip();
    let mut response =
        files.oneshot(request).await.unwrap_or_else(|never| match never {}).into_response();
    if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
        // The names of our files do not change with their content: they are asked for each time.
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(THREADS));
    }
    response
}

/// The console's page for what is missing.
async fn missing(service: Service, request: Request) -> Response {
    let page =
        file_and_error_handler_with_context::<Service, _>(context(&service.governance), app::shell);
    page.call(request, service).await
}

/// What every page and server function is given; the same for both ways in.
fn context(governance: &Governance) -> impl Fn() + Clone + Send + Sync + 'static + use<> {
    let governance = governance.clone();
    move || provide_context(governance.clone())
}

/// Whether a browser asks for a page.
fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !path.starts_with("/v1/")
        && page::accepts_html(request.headers())
}

/// Whether a file of the site is asked for: its last segment has an ending.
fn is_asset(request: &Request) -> bool {
    let path = request.uri().path();
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !path.starts_with("/v1/")
        && path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Notes who is signed in, for the pages behind.
async fn who(
    Extension(governance): Extension<Governance>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Response {
    match session::current(&governance, &session).await {
        Ok(Some(signed_in)) => {
            request.extensions_mut().insert(signed_in);
        }
        Ok(None) => {}
        Err(error) => return Failure(error).into_response(),
    }
    next.run(request).await
}
