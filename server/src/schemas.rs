//! `/schemas`: the JSON Schemas of policy files and case files, for editors.

use axum::{Router, middleware, routing::get};
use cli::policy::schema;
use serde_json::Value;

use crate::{
    edge::{compression, extract::json_text},
    state::Service,
};

/// Returns the routes of the schemas, which are parts of the `OpenAPI` document.
pub(crate) fn routes(document: &Value) -> Router<Service> {
    let policy = schema::policy(document).to_string();
    let cases = schema::cases(document).to_string();
    Router::new()
        .route(schema::POLICY_PATH, get(async move || json_text(policy)))
        .route(schema::CASES_PATH, get(async move || json_text(cases)))
        .route_layer(middleware::from_fn(compression::compress))
}
