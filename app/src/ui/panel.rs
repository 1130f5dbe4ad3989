//! Panels of pages with one form, such as a confirmation.

use leptos::prelude::*;

use super::{heading::Heading, problem::ProblemNote};
use crate::{problem::Problem, text::messages};

/// The title, the error of the last attempt, the content, and a link back.
#[component]
pub(crate) fn Panel(
    #[prop(into)] title: String,
    problem: Option<Problem>,
    children: Children,
    back: String,
    back_label: &'static str,
) -> impl IntoView {
    view! {
        <div class="card panel roomy stack">
            <Heading title />
            {problem.map(|problem| view! { <ProblemNote problem /> })}
            {children()}
            <p>
                <a href=back>{back_label}</a>
            </p>
        </div>
    }
}

/// The link to the list that contains the item of the page.
#[component]
pub(crate) fn Crumb(href: String, label: &'static str) -> impl IntoView {
    view! {
        <nav class="crumbs" aria-label=messages::menu::CRUMBS>
            <a href=href>{label}</a>
        </nav>
    }
}
