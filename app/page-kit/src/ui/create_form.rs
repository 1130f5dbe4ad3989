//! The form of a list that creates an item: a plain post, folded under its label.

use contract::id::TenantId;
use kit::any_view;
use kit::problem::Problem;
use leptos::prelude::*;

use super::{panel::submit, problem::problem_note};

/// The label is also the text of the button. `children` are the fields.
#[component]
pub fn CreateForm(
    label: &'static str,
    /// The address of the server function.
    action: &'static str,
    tenant: TenantId,
    /// Whether the form is expanded; a rejected one always is.
    #[prop(optional)]
    open: bool,
    /// The error of a rejected attempt.
    problem: Option<Problem>,
    /// Why nothing can be created; replaces the form.
    #[prop(optional_no_strip)]
    unavailable: Option<&'static str>,
    children: Children,
) -> impl IntoView {
    let open = open || problem.is_some();
    let content = match unavailable {
        Some(reason) => any_view! { <p class="text-muted">{reason}</p> },
        None => any_view! {
            <form method="post" action=action class="stack" data-once="">
                {problem.map(problem_note)}
                <input type="hidden" name="tenant" value=tenant.to_string() />
                {children()}
                {submit("primary", label)}
            </form>
        },
    };
    view! {
        <details class="card disclosure create" open=open>
            <summary data-key="n">{label}</summary>
            {content}
        </details>
    }
}
