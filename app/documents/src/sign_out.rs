//! The page after a sign-out that continues at the identity provider of the user.

use page_kit::prelude::*;

const TITLE: &str = "Signed out";

/// Renders the page. `provider` is the address of the provider, `style` the path of the style sheet.
pub fn render(provider: &str, style: &str) -> String {
    let page = view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="robots" content="noindex" />
                <title inner_html=messages::tab(TITLE)></title>
                <link rel="stylesheet" href=style.to_owned() />
            </head>
            <body>
                <main class="public">
                    <a href="/" class="brand">
                        {logo()}
                        {messages::PRODUCT}
                    </a>
                    <div class="card panel stack">
                        <h1>{TITLE}</h1>
                        <p>
                            {"You are signed out of Govern. You may still be signed in at your identity provider."}
                        </p>
                        <p>
                            <a class="button" href=provider.to_owned()>
                                {"Sign out at the identity provider"}
                            </a>
                        </p>
                    </div>
                </main>
            </body>
        </html>
    };
    page.to_html()
}
