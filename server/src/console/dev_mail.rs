//! `/dev/mail`: displays the mail of a development process, which is not sent.

use std::{fmt::Write as _, path::PathBuf};

use axum::{
    Router,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use governance::Error;
use http::{HeaderValue, header};

use crate::{
    edge::error::ApiError,
    html::escape,
    mail::{self, WrittenMail},
    state::Service,
};

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
    let mut response = Html(document(&mails, &style)).into_response();
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

fn document(mails: &[WrittenMail], style: &str) -> String {
    let mut list = String::new();
    for mail in mails {
        let _ = write!(list, "<article class=\"card stack\"><dl class=\"facts\">");
        for (name, value) in &mail.headers {
            let _ = write!(list, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
        }
        let _ = write!(list, "</dl><pre>{}</pre></article>", with_links(&mail.body));
    }
    if mails.is_empty() {
        list.push_str("<p>No mail yet. Invite a user, or request a password reset.</p>");
    }
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>Mail · Govern</title>\
         <link rel=\"stylesheet\" href=\"{}\"></head><body><main class=\"stack\">\
         <h1>Mail of this development service</h1>\
         <p>These messages were not sent. Set <code>GOVERN_SMTP_URL</code> to send mail.</p>{list}\
         </main></body></html>",
        escape(style)
    )
}

/// Escapes the text and makes lines that are URLs links.
fn with_links(text: &str) -> String {
    let render_line = |line: &str| {
        let is_link = line.starts_with("http://") || line.starts_with("https://");
        let text = escape(line);
        if is_link && !line.contains(' ') { format!("<a href=\"{text}\">{text}</a>") } else { text }
    };
    text.lines().map(render_line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_text_is_escaped_and_urls_become_links() {
        let mail = WrittenMail {
            headers: vec![("Subject".to_owned(), "<b>".to_owned())],
            body: "\"<script>\" invited you\nhttps://govern.example/setup?token=t\n".to_owned(),
        };
        let page = document(&[mail], "/pkg/govern.css");
        assert!(page.contains("<dd>&lt;b&gt;</dd>") && !page.contains("<script>"), "{page}");
        let link = "https://govern.example/setup?token=t";
        assert!(page.contains(&format!("<a href=\"{link}\">{link}</a>")), "{page}");
    }
}
