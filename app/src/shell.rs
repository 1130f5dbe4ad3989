//! The HTML document around the console: head, theme, scripts and security headers.

use std::sync::Arc;

use http::{HeaderName, HeaderValue, StatusCode, header};
use leptos::{config::LeptosOptions, hydration::HydrationScripts, nonce::use_nonce, prelude::*};
use leptos_axum::ResponseOptions;
use leptos_meta::MetaTags;

use crate::{
    api::preference, routes::App, text::messages, ui::problem::StatusHook,
    view::preference::Preference,
};

/// Renders the HTML document of a page.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    if let Some(response) = use_context::<ResponseOptions>() {
        set_headers(&response);
        let set_status = move |status| {
            if let Ok(status) = StatusCode::from_u16(status) {
                response.set_status(status);
            }
        };
        provide_context(StatusHook(Arc::new(set_status)));
    }
    let style = format!("/{}/{}.css", options.site_pkg_dir, options.output_name);
    view! {
        <!DOCTYPE html>
        <html
            lang="en"
            dir="ltr"
            data-theme=preference::of(Preference::Theme)
            data-keys=preference::of(Preference::Keys)
        >
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="application-name" content=messages::PRODUCT />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="stylesheet" href=style />
                <HydrationScripts options />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// Sets the headers of every page. The content security policy contains the nonce of the page.
fn set_headers(response: &ResponseOptions) {
    let nonce = use_nonce().map(|nonce| format!(" 'nonce-{nonce}'")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self'{nonce} 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; \
         manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.insert_header(name, value);
        }
    }
}
