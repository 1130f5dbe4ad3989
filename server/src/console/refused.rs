//! What server functions refuse, for people who sent a plain form.
//!
//! The framework writes every refusal as JSON, for its own reader in the browser. To somebody without scripts
//! it would lead back with the fault in the address, or with a status that no browser follows.

use app::problem::Problem;
use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::Request,
    middleware::Next,
    response::Response,
};
use governance::CorrelationId;
use http::{Method, StatusCode, header};
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;

use crate::edge::page;

/// The longest refusal that is read: a code, and a few sentences.
const BYTES_MAX: usize = 65_536;

/// Answers a refused form with a page. A refusal that leads on, as to the sign-in, stays one.
pub(super) async fn as_page(
    Extension(correlation_id): Extension<CorrelationId>,
    request: Request,
    next: Next,
) -> Response {
    let is_form = request.method() == Method::POST && page::is_wanted(&request);
    let response = next.run(request).await;
    if !is_form || !response.headers().contains_key(SERVER_FN_ERROR_HEADER) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE] {
        parts.headers.remove(name);
    }
    parts.headers.remove(SERVER_FN_ERROR_HEADER);
    if parts.status == StatusCode::SEE_OTHER {
        return Response::from_parts(parts, Body::empty());
    }
    parts.headers.remove(header::LOCATION);
    let problem = to_bytes(body, BYTES_MAX).await.ok();
    let problem = problem.and_then(|text| serde_json::from_slice::<Problem>(&text).ok());
    let problem = problem.unwrap_or_else(|| Problem { status: 500, ..Problem::default() });
    parts.status =
        StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let page = page::of_problem(&problem, correlation_id.as_str(), &mut parts.headers);
    Response::from_parts(parts, Body::from(page))
}
