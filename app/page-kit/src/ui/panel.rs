//! Panels of pages with one form, such as a confirmation.

use kit::any_view;
use kit::problem::Problem;
use leptos::prelude::*;

use super::{
    heading::Heading,
    icon::{Icon, icon},
    problem::problem_note,
};
use crate::text::messages;

/// The title, the error of the last attempt, the content, and a link back.
#[component]
pub fn Panel(
    #[prop(into)] title: String,
    problem: Option<Problem>,
    children: Children,
    back: String,
    back_label: &'static str,
    /// Whether the title takes the focus, so that Ctrl+Enter submits the form of the panel.
    #[prop(optional)]
    is_confirmation: bool,
) -> impl IntoView {
    view! {
        <div class="card panel roomy stack" data-main=is_confirmation.then_some("")>
            <Heading title autofocus=is_confirmation />
            {problem.map(problem_note)}
            {children()}
            <p>
                <a href=back>{back_label}</a>
            </p>
        </div>
    }
}

/// Renders a card with a heading. `class` are its classes, such as `card stack`.
pub fn card(class: &'static str, title: &'static str, content: AnyView) -> AnyView {
    any_view! {
        <section class=class>
            <h2>{title}</h2>
            {content}
        </section>
    }
}

/// Renders the button that submits a form, in a row of its own. `class` is `primary` or `danger`.
pub fn submit(class: &'static str, label: impl IntoView) -> AnyView {
    any_view! {
        <div class="row">
            <button class=class>{label}</button>
        </div>
    }
}

pub fn submit_or_cancel(label: &'static str, back: String) -> AnyView {
    any_view! {
        <div class="row end">
            <a class="button" href=back>
                {messages::CANCEL}
            </a>
            <button class="primary">{label}</button>
        </div>
    }
}

/// The link to the list that contains the item of the page, and to the item if this is a page inside it.
#[component]
pub fn Crumb(
    href: String,
    label: &'static str,
    /// The address and the name of the item.
    #[prop(optional)]
    inner: Option<(String, String)>,
    /// The code of the item of the page.
    #[prop(optional)]
    code: Option<String>,
) -> impl IntoView {
    let inner = inner.map(|(href, name)| {
        view! {
            {icon(Icon::Next)}
            <a href=href>
                <bdi>{name}</bdi>
            </a>
        }
    });
    let code = code.map(|code| {
        view! {
            {icon(Icon::Next)}
            <bdi class="font-mono">{code}</bdi>
        }
    });
    view! {
        <nav class="crumbs" aria-label=messages::CRUMBS>
            <a href=href>{label}</a>
            {inner}
            {code}
        </nav>
    }
}
