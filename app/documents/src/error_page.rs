//! The page of an error that occurred before a request reached the console.

use page_kit::{
    prelude::*,
    text::errors::{self, ErrorText},
};

/// Renders the page of a problem. It contains its style sheet and loads no other file.
pub fn render(problem: &Problem, correlation_id: &str, style: &'static str) -> String {
    let ErrorText { title, text, next } = errors::describe(problem);
    let next = (!next.is_empty()).then(|| view! { <p>{next}</p> });
    let page = view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <title inner_html=messages::tab(title)></title>
                <style inner_html=style></style>
            </head>
            <body>
                <main>
                    {broken_seal()} <p class="muted">{problem.status}</p> <h1>{title}</h1>
                    <p>{text}</p> {next} <p>
                        <a class="button" href="/">
                            {messages::HOME}
                        </a>
                    </p> <dl>
                        <dt>"Correlation ID"</dt>
                        <dd>
                            <code>{correlation_id.to_owned()}</code>
                        </dd>
                    </dl>
                </main>
            </body>
        </html>
    };
    page.to_html()
}

/// The drawing of a broken seal. It is decorative.
fn broken_seal() -> AnyView {
    any_view! {
        <svg viewBox="0 0 96 96" width="96" height="96" fill="none" aria-hidden="true">
            <path
                class="seal"
                d="M85 48h9M84.3 55.2l8.8 1.8M82.2 62.2l8.3 3.4M78.8 68.6l7.4 5M55.2 84.3l1.8 8.8M48 85v9M40.8 84.3L39 93.1M33.8 82.2l-3.4 8.3M21.8 74.2l-6.3 6.3M17.2 68.6l-7.4 5M13.8 62.2l-8.3 3.4M11.7 55.2L2.9 57M11 48H2M11.7 40.8L2.9 39M21.8 21.8l-6.3-6.3M27.4 17.2l-5-7.4M33.8 13.8l-3.4-8.3M40.8 11.7L39 2.9M48 11V2M55.2 11.7L57 2.9M62.2 13.8l3.4-8.3M74.2 21.8l6.3-6.3M78.8 27.4l7.4-5M82.2 33.8l8.3-3.4M84.3 40.8l8.8-1.8"
            ></path>
            <path class="crack" d="M60 4l-9 25 8 9-14 17 7 9-10 28"></path>
        </svg>
    }
}
