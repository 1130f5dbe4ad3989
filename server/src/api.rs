//! The routes of the API: the handler of each endpoint in the layers that its description asks for.

use std::time::Duration;

use axum::{Router, middleware, routing::MethodRouter};
use governance::access::session::SessionStore;
use http::{Method, StatusCode, header};
use tower_http::cors::{self, CorsLayer};
use tower_sessions::{Expiry, SessionManagerLayer, cookie::SameSite};

use crate::{
    edge::{
        access, compression,
        error::CORRELATION,
        extract,
        origin::{SESSION_COOKIE, own_page_or_program},
        session_if_cookie::SessionIfCookie,
    },
    endpoint::{Access, Endpoint, endpoints},
    state::Service,
    v1::forms::FORM_PASSWORD,
};

/// Returns the routes of `/v1`, with authorization by `service`.
pub(crate) fn routes(service: &Service) -> Router<Service> {
    let endpoints = endpoints();
    endpoints.iter().fold(Router::new(), |router, endpoint| {
        let route = route(endpoint, is_compressed(endpoint, &endpoints), service);
        router.route(endpoint.pattern, route)
    })
}

/// Returns whether the responses of an endpoint may be compressed: those of a read, and those of changes by the same
/// callers at its path, because they return the same representation.
fn is_compressed(endpoint: &Endpoint, endpoints: &[Endpoint]) -> bool {
    let mut same_path = endpoints.iter().filter(|other| other.path == endpoint.path);
    same_path.any(|other| other.is_read() && other.permission() == endpoint.permission())
}

fn route(endpoint: &Endpoint, is_compressed: bool, service: &Service) -> MethodRouter<Service> {
    let mut route = (endpoint.handler)();
    if endpoint.access == Access::AnyOrigin {
        // A layer runs only for methods that its route accepts. This layer answers the preflight request
        // itself.
        route = route.options(async || StatusCode::NO_CONTENT).route_layer(public_cors());
    }
    if matches!(endpoint.method, "GET" | "DELETE") {
        route = route.route_layer(middleware::from_fn(extract::without_body));
    }
    if is_compressed {
        route = route.route_layer(middleware::from_fn(compression::compress));
    }
    if let Some(permission) = endpoint.permission() {
        let guard = (service.clone(), permission);
        let guard = middleware::from_fn_with_state(guard, access::authorize);
        return route.route_layer((SessionIfCookie::new(sessions(service)), guard));
    }
    if endpoint.is_session() {
        return route.route_layer((middleware::from_fn(own_page_or_program), sessions(service)));
    }
    route.route_layer(sessions(service))
}

/// Returns the layer for the cookie of signed-in users (contract, section 2).
pub(crate) fn sessions(service: &Service) -> SessionManagerLayer<SessionStore> {
    let cookies = service.cookies();
    let idle = time::Duration::try_from(governance::access::session::IDLE_TIMEOUT)
        .unwrap_or(time::Duration::HOUR);
    SessionManagerLayer::new(SessionStore::new(&service.governance))
        .with_name(cookies.name(SESSION_COOKIE))
        .with_secure(cookies.is_secure())
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(idle))
}

/// Returns the CORS layer of public routes. Pages of other sites can verify receipts, read a form and submit
/// it, all without credentials. They can also read errors.
fn public_cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(cors::Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH, CORRELATION, FORM_PASSWORD])
        .expose_headers(cors::Any)
        // The response is the same for every origin, so caches may store it once.
        .vary(cors::Vary::list([]))
        .max_age(Duration::from_hours(24))
}
