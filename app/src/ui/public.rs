//! What surrounds pages outside a tenant: sign-in, help, receipts, and errors.

use leptos::prelude::*;

use crate::text::words;

/// A page of its own, with the product's name above it.
#[component]
pub(crate) fn PublicFrame(
    /// How wide the page may grow.
    #[prop(default = "narrow")]
    width: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <a class="skip" href="#main">
            {words::SKIP}
        </a>
        <div class=format!("public {width}")>
            <header class="public-bar">
                <a href="/" class="brand">
                    {words::PRODUCT}
                </a>
                <a href="/help">{words::menu::HELP}</a>
            </header>
            <main id="main">{children()}</main>
        </div>
    }
}
