//! The HTML document around the console: head, theme, scripts and security headers.

use http::{HeaderName, HeaderValue, StatusCode, Uri, header, request::Parts};
use leptos::{config::LeptosOptions, hydration::HydrationScripts, nonce::use_nonce};
use leptos_axum::ResponseOptions;
use leptos_meta::MetaTags;
use page_kit::{
    page::Module,
    prelude::*,
    text::description,
    ui::{font, problem::StatusHook},
};

use crate::{preference::Preference, routes::App};

/// Renders the HTML document of a page.
pub(crate) fn shell(options: LeptosOptions) -> AnyView {
    let uri = use_context::<Parts>().map(|parts| parts.uri).unwrap_or_default();
    let path = uri.path().to_owned();
    if let Some(response) = use_context::<ResponseOptions>() {
        set_headers(&response, &uri);
        let set_status = move |status| {
            if let Ok(status) = StatusCode::from_u16(status) {
                response.set_status(status);
            }
        };
        provide_context(StatusHook(Arc::new(set_status)));
    }
    let description =
        description::of(&path).map(|text| view! { <meta name="description" content=text /> });
    // The links of receipts and of set-ups are capabilities.
    let robots = (!description::is_indexed(&path))
        .then(|| view! { <meta name="robots" content="noindex" /> });
    let style = format!("/{}/{}.css", options.site_pkg_dir, options.output_name);
    let module = Module::default();
    provide_context(module.clone());
    // No page sends its data to the browser; islands have properties. The page is chosen before its scripts are rendered.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    let mut scripts = Some(view! { <HydrationScripts options islands=true /> });
    let scripts = move || scripts.take().filter(|_| module.is_loaded());
    any_view! {
        <!DOCTYPE html>
        <html
            lang="en"
            dir="ltr"
            data-theme=Preference::Theme.current()
            data-density=Preference::Density.current()
            data-nav=Preference::Nav.current().or_else(|| initial_navigation(&path))
            data-keys=Preference::Keys.current()
        >
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="application-name" content=messages::PRODUCT />
                {description}
                {robots}
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                {font::preloads()}
                <link rel="stylesheet" href=style />
                <script type="module" src="/page.js"></script>
                <MetaTags />
            </head>
            <body>
                <App />
                {scripts}
            </body>
        </html>
    }
}

/// Returns the state of the navigation on pages that use the full width, until the user chooses one.
fn initial_navigation(path: &str) -> Option<&'static str> {
    let is_wide =
        path.contains("/versions/") && (path.ends_with("/edit") || path.ends_with("/review"));
    (is_wide && page_kit::request::preference(Preference::Nav.as_str()).is_none()).then_some("rail")
}

/// Returns the origin of the program to which the form of the page redirects. Browsers apply `form-action` also to
/// redirects.
fn program_origin(uri: &Uri) -> Option<String> {
    let query = uri.query().filter(|_| uri.path() == url::CLI_LOGIN)?;
    let port = query.split('&').find_map(|pair| pair.strip_prefix("port="))?;
    let port: u16 = port.parse().ok()?;
    Some(format!(" http://127.0.0.1:{port}"))
}

/// Sets the headers of the page at `uri`. The content security policy contains the nonce of the page.
fn set_headers(response: &ResponseOptions, uri: &Uri) {
    let path = uri.path();
    let program = program_origin(uri).unwrap_or_default();
    let nonce = use_nonce().map(|nonce| format!(" 'nonce-{nonce}'")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self'{nonce} 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; \
         manifest-src 'self'; form-action 'self'{program}; base-uri 'none'; frame-ancestors 'none'"
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
    if !description::is_indexed(path) {
        let name = HeaderName::from_static("x-robots-tag");
        response.insert_header(name, HeaderValue::from_static("noindex"));
    }
}
