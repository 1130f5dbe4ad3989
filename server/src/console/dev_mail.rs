//! `/dev/mail`: displays the mail of a development process, which is not sent.

use std::path::PathBuf;

use axum::{
    Router,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use governance::Error;
use http::{HeaderValue, header};

use crate::{edge::ApiError, mail, state::Service};

/// Returns the route of the page, or no route if the process does not write its mail to files.
pub(super) fn router(service: &Service) -> Router<Service> {
    let Some(directory) = service.edge.mail_directory.clone() else { return Router::new() };
    let style = super::hosted_form::style(service);
    Router::new().route("/dev/mail", get(move || page(directory.clone(), style.clone())))
}

async fn page(directory: PathBuf, style: String) -> Response {
    let result = tokio::task::spawn_blocking(move || mail::list(&directory)).await;
    let mails = match result.map_err(std::io::Error::other).and_then(|result| result) {
        Ok(mails) => mails,
        Err(error) => return ApiError(Error::Bug(error.into())).into_response(),
    };
    let mut response = Html(documents::dev_mail::render(mails, &style)).into_response();
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; \
             frame-ancestors 'none'",
        ),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
