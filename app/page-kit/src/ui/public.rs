//! The frame of pages outside a tenant: sign-in, help, receipts and errors.

use kit::any_view;
use leptos::prelude::*;

use super::{
    brand::logo,
    heading::Heading,
    icon::{Icon, icon},
};
use crate::text::messages;

/// A page outside a tenant, with the product's name above it.
#[component]
pub fn PublicFrame(
    /// The maximum width of the page.
    #[prop(default = "narrow")]
    width: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <a class="skip" href="#main">
            {messages::SKIP}
        </a>
        <div class=format!("public {width}")>
            <header class="public-bar">
                <a href="/" class="brand">
                    {logo()}
                    {messages::PRODUCT}
                </a>
                <a href="/help" class="quiet">
                    {icon(Icon::Help)}
                    {messages::HELP}
                </a>
            </header>
            <main id="main">{children()}</main>
        </div>
    }
}

/// Renders a page outside a tenant with one card, whose classes are `class`.
pub fn card_page(
    title: &'static str,
    class: &'static str,
    content: impl IntoView + 'static,
) -> AnyView {
    let content = content.into_any();
    any_view! {
        <PublicFrame>
            <div class=class>
                <Heading title />
                {content}
            </div>
        </PublicFrame>
    }
}
