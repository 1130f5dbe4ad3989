//! Forms whose every fault stands beside its field. Fields have the names of members of the wire for ids.

use contract::error::FieldError;
use leptos::{html, prelude::*};

use super::{
    icon::{Icon, icon},
    quoted::quoted,
};
use crate::{
    text::{between_tags, words},
    view::editor::is_at,
};

/// All that is wrong, each a link to its field, which `labels` name. It takes the focus.
#[component]
pub(crate) fn Summary(
    faults: Vec<FieldError>,
    /// Member of the wire and label of each field.
    labels: &'static [(&'static str, &'static str)],
) -> impl IntoView {
    let line = |fault: FieldError| {
        let field = fault.path.split('/').nth(1).unwrap_or_default().to_owned();
        let label = labels.iter().find(|(member, _)| *member == field);
        let text = match label {
            Some((_, label)) => format!("{label}: {}", fault.message),
            None => fault.message,
        };
        (field, words::sentence(&text))
    };
    let faults: Vec<_> = faults.into_iter().map(line).collect();
    view! { <SummaryOf faults/> }
}

/// All that is wrong: the id of each field, and a sentence. It takes the focus, on a page without scripts too.
#[component]
pub(crate) fn SummaryOf(faults: Vec<(String, String)>) -> impl IntoView {
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    let number = faults.len();
    let line = |(field, text): (String, String)| {
        view! {
            <li>
                <a href=format!("#{field}") rel="external">
                    <bdi>{quoted(&text)}</bdi>
                </a>
            </li>
        }
    };
    // Only in the server's answer: where scripts put the page together, the effect is enough.
    let autofocus = cfg!(feature = "ssr");
    view! {
        <div node_ref=note class="note deny" role="alert" tabindex="-1" autofocus=autofocus>
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{words::editor::faults(number)}</p>
                <ul class="plain-list faults">{faults.into_iter().map(line).collect_view()}</ul>
            </div>
        </div>
    }
}

/// What is wrong with a form, value by value.
pub(crate) type Told = StoredValue<Vec<FieldError>>;

/// What is wrong with a member, under its field.
pub(crate) fn fault(told: Told, member: &str) -> impl IntoView + use<> {
    let path = format!("/{member}");
    let faults = told.with_value(|faults| {
        let here = faults.iter().filter(|fault| is_at(&fault.path, &path));
        here.map(|fault| words::sentence(&fault.message)).collect::<Vec<_>>()
    });
    let id = format!("{member}-fault");
    view! {
        <p id=id class="fault">
            {faults.into_iter().map(|text| view! { <bdi>{quoted(&text)}</bdi> }).collect_view()}
        </p>
    }
}

/// A one-line text of the form, for the `member` of the wire.
#[component]
pub(crate) fn Line(
    told: Told,
    label: &'static str,
    #[prop(default = "")] hint: &'static str,
    name: &'static str,
    member: &'static str,
    value: String,
    #[prop(optional)] readonly: bool,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=member>{label}</label>
            <input
                id=member
                name=format!("form[{name}]")
                value=value
                readonly=readonly
                autocomplete="off"
                spellcheck="false"
                aria-describedby=format!("{member}-hint {member}-fault")
            />
            <small id=format!("{member}-hint") class="text-muted">
                {hint}
            </small>
            {fault(told, member)}
        </div>
    }
}

/// Several lines of the form.
#[component]
pub(crate) fn Area(
    told: Told,
    label: &'static str,
    #[prop(default = "")] hint: &'static str,
    name: &'static str,
    member: &'static str,
    value: String,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=member>{label}</label>
            <textarea
                id=member
                name=format!("form[{name}]")
                rows="3"
                aria-describedby=format!("{member}-hint {member}-fault")
            >
                {between_tags(value)}
            </textarea>
            <small id=format!("{member}-hint") class="text-muted">
                {hint}
            </small>
            {fault(told, member)}
        </div>
    }
}
