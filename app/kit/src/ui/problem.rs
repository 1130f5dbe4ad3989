//! An error next to its form.

use leptos::{html, prelude::*};

use super::{
    code::id_code,
    icon::{Icon, icon},
    inline_code::quoted,
    note::{Tone, note},
};
use crate::{
    any_view,
    problem::Problem,
    text::{
        errors::{ErrorText, describe},
        messages,
    },
};

/// An error next to its form. It takes the focus, because the pressed button loses it. If the action required a
/// recent sign-in, the user has confirmed the identity since, and the action has to be repeated.
pub fn problem_note(problem: Problem) -> AnyView {
    if problem.asks_for_confirmation() {
        note(Tone::Info, Some("status"), messages::IDENTITY_CONFIRMED)
    } else {
        any_view! { <ErrorNote problem /> }
    }
}

#[component]
fn ErrorNote(problem: Problem) -> impl IntoView {
    let ErrorText { text, next, .. } = describe(&problem);
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    view! {
        <div node_ref=note class="note deny" role="alert" tabindex="-1">
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{quoted(&text)}</p>
                <p>{next}</p>
                {problem_details(problem)}
            </div>
        </div>
    }
}

fn problem_details(problem: Problem) -> AnyView {
    any_view! {
        <p class="text-xs text-muted">
            {problem.code} " "
            {problem.correlation_id.map(|id| id_code(id.into_string(), messages::CORRELATION_ID))}
        </p>
    }
}
