//! The form that verifies the audit log, and its result.

use leptos::prelude::*;

use crate::{
    audit::{view::Checked, words},
    ui::{
        field::TextField,
        icon::{Icon, icon},
        note::{Tone, note},
    },
};

/// The form for the whole log or a range. The request is read-only, so its address can be bookmarked.
#[component]
pub(super) fn Check(
    path: String,
    first: String,
    last: String,
    result: Option<Result<Checked, String>>,
) -> impl IntoView {
    let open = result.is_some();
    let result = result.map(|result| match result {
        Ok(checked) => view! { <CheckResult checked /> }.into_any(),
        Err(error) => note(Tone::Deny, Some("alert"), error),
    });
    view! {
        <details class="card disclosure" open=open>
            <summary>{words::CHECK}</summary>
            <div class="stack">
                <p class="text-muted">{words::CHECK_HELP}</p>
                <form method="get" action=path class="filters" aria-label=words::CHECK>
                    <input type="hidden" name="check" value="1" />
                    <TextField label=words::FIRST name="first" kind="number" value=first />
                    <TextField label=words::LAST name="last" kind="number" value=last />
                    <button>{words::VERIFY}</button>
                </form>
                {result}
            </div>
        </details>
    }
}

#[component]
fn CheckResult(checked: Checked) -> impl IntoView {
    let headline = checked.headline();
    let (class, drawing) = match checked.divergence {
        None => ("note allow", Icon::Allow),
        Some(_) => ("note deny", Icon::Deny),
    };
    let details = checked.divergence.map(|divergence| {
        view! {
            <p>{words::divergence(checked.status, &divergence)}</p>
            <dl class="facts">
                <dt>{words::EXPECTED}</dt>
                <dd class="font-mono">{divergence.expected}</dd>
                <dt>{words::ACTUAL}</dt>
                <dd class="font-mono">{divergence.actual}</dd>
            </dl>
        }
    });
    let tail_note =
        (checked.tail > 0).then(|| view! { <p>{words::uncovered_events(checked.tail)}</p> });
    view! {
        <div class=class role="status">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{headline}</p>
                {details}
                {tail_note}
            </div>
        </div>
    }
}
