//! The router of the process: the API, AuthZEN, the console, the API reference, metrics and `security.txt`.

use axum::{Router, handler::Handler, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    api::{self, sessions},
    authzen, console, docs,
    edge::{error, request_log},
    metrics, schemas, security_txt,
    state::Service,
};
pub use crate::{
    endpoint::{Access, Audit, Endpoint, endpoints},
    openapi::document,
    v1::health,
};

/// Returns the router of the whole process.
pub fn router(service: Service) -> Router {
    let document = document();
    let mut routes = Router::new()
        .route("/metrics", axum::routing::get(metrics::endpoint::metrics))
        .route(security_txt::PATH, axum::routing::get(security_txt::read))
        .merge(schemas::routes(&document))
        .merge(console::router(&service));
    if service.edge.has_docs {
        routes = routes.merge(docs::routes(&document));
    }
    let api = api::routes(&service).merge(authzen::routes(&service));
    with_middleware(api.merge(routes.route_layer(sessions(&service))), service)
}

/// Wraps routes in the layers that apply to all of them: panic handling and the request log.
pub fn with_middleware(routes: Router<Service>, service: Service) -> Router {
    let request_log_layer =
        middleware::from_fn_with_state(service.clone(), request_log::handle_request);
    // Both layers are added as one, because each layer allocates its own future and each request clones the
    // stack of layers.
    let layers = (request_log_layer, CatchPanicLayer::custom(error::panic_response));
    routes
        .fallback(console::fallback.layer(sessions(&service)))
        .method_not_allowed_fallback(error::no_such_method.layer(sessions(&service)))
        .layer(layers)
        .with_state(service)
}
