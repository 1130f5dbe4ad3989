//! The page after a sign-out that continues at the identity provider of the user.

use leptos::prelude::*;

use crate::{sign_in::words, text::messages, ui::brand::Logo};

/// Renders the page. `provider` is the address of the provider, `style` the path of the style sheet.
pub fn render(provider: &str, style: &str) -> String {
    let page = view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="robots" content="noindex" />
                <title inner_html=messages::tab(words::SIGNED_OUT)></title>
                <link rel="stylesheet" href=style.to_owned() />
            </head>
            <body>
                <main class="public">
                    <a href="/" class="brand">
                        <Logo />
                        {messages::PRODUCT}
                    </a>
                    <div class="card panel stack">
                        <h1>{words::SIGNED_OUT}</h1>
                        <p>{words::SIGNED_OUT_HERE}</p>
                        <p>
                            <a class="button" href=provider.to_owned()>
                                {words::SIGN_OUT_AT_PROVIDER}
                            </a>
                        </p>
                    </div>
                </main>
            </body>
        </html>
    };
    page.to_html()
}
