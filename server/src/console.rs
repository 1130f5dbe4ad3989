//! Mounts the console beside the API.

mod export;

use std::net::SocketAddr;

use anyhow::Result;
use axum::{
    Extension, Router,
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
        .route_layer(middleware::from_fn(origin::same_origin))
        .route_layer(middleware::from_fn(who))
}

/// What is no route: a static file, the console's page for a missing one, or the error body.
pub(crate) async fn fallback(State(service): State<Service>, request: Request) -> Response {
    if !wants_page(&request) && !is_asset(&request) {
        return error::no_such_path().into_response();
    }
    let (is_page, is_asset) = (wants_page(&request), is_asset(&request));
    let handler =
        file_and_error_handler_with_context::<Service, _>(context(&service.governance), app::shell);
    let mut response = handler.call(request, service).await;
    if !is_page && response.status() == StatusCode::NOT_FOUND {
        return error::no_such_path().into_response();
    }
    if is_asset && response.status().is_success() {
        // The names of our files do not change with their content: they are asked for each time.
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    response
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
