//! Errors of server functions: their status, and their page for HTML forms that are submitted without scripts.
//!
//! The framework writes every server function error as JSON for its client in the browser. Without scripts,
//! the browser would be redirected with the error in the URL, or show a status without a page. An error that the
//! framework creates itself, such as for missing fields, has the status 500.

use axum::{
    Extension,
    body::{Body, Bytes, to_bytes},
    extract::Request,
    middleware::Next,
    response::Response,
};
use governance::CorrelationId;
use http::{Method, StatusCode, header};
use kit::problem::Problem;
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;

use crate::edge::error_page;

/// The maximum size of an error that is read, in bytes.
const BYTES_MAX: usize = 65_536;

/// Replaces the error of a rejected form with a page. A redirect, such as to the sign-in page, is not
/// changed. An error for a script gets the status of its problem.
pub(super) async fn render_as_page(
    Extension(correlation_id): Extension<CorrelationId>,
    request: Request,
    next: Next,
) -> Response {
    let is_form = request.method() == Method::POST && error_page::accepts_html_page(&request);
    let response = next.run(request).await;
    if !response.headers().contains_key(SERVER_FN_ERROR_HEADER) {
        return response;
    }
    if !is_form {
        return with_status_of_problem(response).await;
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
    let (_, problem) = read_problem(body).await;
    let problem = problem.unwrap_or_else(|| Problem { status: 500, ..Problem::default() });
    parts.status = status_of(&problem);
    let page = error_page::render_problem(&problem, correlation_id.as_str(), &mut parts.headers);
    Response::from_parts(parts, Body::from(page))
}

/// Returns the response with the status of its problem, if it has the one that the framework uses for every error.
async fn with_status_of_problem(response: Response) -> Response {
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let (text, problem) = read_problem(body).await;
    if let Some(problem) = problem {
        parts.status = status_of(&problem);
    }
    Response::from_parts(parts, Body::from(text))
}

async fn read_problem(body: Body) -> (Bytes, Option<Problem>) {
    let text = to_bytes(body, BYTES_MAX).await.unwrap_or_default();
    let problem = serde_json::from_slice(&text).ok();
    (text, problem)
}

fn status_of(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
