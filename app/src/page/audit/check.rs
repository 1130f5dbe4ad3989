//! The check of the log: a plain form, and what it found.

use leptos::prelude::*;

use crate::{
    text::words,
    ui::{
        field::TextField,
        icon::{Icon, icon},
    },
    view::audit::Checked,
};

/// Checks everything, or a range. It reads and changes nothing, so its address can be kept.
#[component]
pub(super) fn Check(
    path: String,
    first: String,
    last: String,
    found: Option<Result<Checked, String>>,
) -> impl IntoView {
    let open = found.is_some();
    let found = found.map(|found| match found {
        Ok(checked) => view! { <Found checked/> }.into_any(),
        Err(fault) => view! {
            <div class="note deny" role="alert">
                {icon(Icon::Deny)}
                <p>{fault}</p>
            </div>
        }
        .into_any(),
    });
    view! {
        <details class="card disclosure" open=open>
            <summary>{words::audit::CHECK}</summary>
            <div class="stack">
                <p class="text-muted">{words::audit::CHECK_SAYS}</p>
                <form method="get" action=path class="filters" aria-label=words::audit::CHECK>
                    <input type="hidden" name="check" value="1"/>
                    <TextField label=words::audit::FIRST name="first" kind="number" value=first/>
                    <TextField label=words::audit::LAST name="last" kind="number" value=last/>
                    <button>{words::audit::VERIFY}</button>
                </form>
                {found}
            </div>
        </details>
    }
}

#[component]
fn Found(checked: Checked) -> impl IntoView {
    let headline = words::audit::headline(&checked);
    let (tone, drawing) = match checked.divergence {
        None => ("note allow", Icon::Allow),
        Some(_) => ("note deny", Icon::Deny),
    };
    let wrong = checked.divergence.map(|found| {
        view! {
            <p>{words::audit::wrong(checked.status, &found)}</p>
            <dl class="facts">
                <dt>{words::audit::EXPECTED}</dt>
                <dd class="font-mono">{found.expected}</dd>
                <dt>{words::audit::ACTUAL}</dt>
                <dd class="font-mono">{found.actual}</dd>
            </dl>
        }
    });
    let tail = (checked.tail > 0).then(|| view! { <p>{words::audit::tail(checked.tail)}</p> });
    view! {
        <div class=tone role="status">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{headline}</p>
                {wrong}
                {tail}
            </div>
        </div>
    }
}
