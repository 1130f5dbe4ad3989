//! Why a rule is not in the draft: what to correct, or who has changed the draft meanwhile.

use contract::error::FieldError;
use leptos::{html, prelude::*};

use super::desk::Desk;
use crate::{
    text::{rule::shape, time, url, words},
    ui::{
        icon::{Icon, icon},
        quoted::quoted,
    },
    view::editor::{Moved, Place, Unsaved, condition::members, gate::paths, is_at},
};

/// The note above the form. It takes the focus when it appears.
#[component]
pub(super) fn UnsavedNote(desk: Desk, place: Place) -> impl IntoView {
    let shown = move || {
        let discard = discard(&place, &desk.was.get());
        match desk.unsaved.get()? {
            Unsaved::Faults(faults) => Some(view! { <Faults desk faults discard/> }.into_any()),
            Unsaved::Moved(moved) => Some(view! { <MovedOn moved=*moved discard/> }.into_any()),
        }
    };
    view! { {shown} }
}

/// The address that shows the rule as it stands in the draft.
fn discard(place: &Place, was: &str) -> String {
    let code = if was.is_empty() { crate::view::editor::NEW } else { was };
    url::with_query(&place.page(), &[("rule", code), ("look", "fresh")])
}

#[component]
fn Faults(desk: Desk, faults: Vec<FieldError>, discard: String) -> impl IntoView {
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    let number = faults.len();
    let line = |fault: FieldError| {
        let href = format!("#{}", anchor(desk, &fault.path));
        let place = other(&fault.path);
        view! {
            <li>
                <a href=href rel="external">
                    {place}
                    <bdi>{quoted(&words::sentence(&fault.message))}</bdi>
                </a>
            </li>
        }
    };
    view! {
        <div node_ref=note class="note deny" role="alert" tabindex="-1">
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{words::editor::faults(number)}</p>
                <ul class="plain-list faults">{faults.into_iter().map(line).collect_view()}</ul>
                <p class="text-xs">
                    <a href=discard rel="external">
                        {words::editor::DISCARD}
                    </a>
                </p>
            </div>
        </div>
    }
}

/// "Rule 3: ", where a fault is in another rule.
fn other(path: &str) -> Option<String> {
    let rest = path.strip_prefix("/rules/")?;
    let number = rest.split('/').next()?.parse::<usize>().ok()?;
    Some(format!("{} {}: ", words::editor::RULE, number + 1))
}

/// The field that a fault belongs to.
fn anchor(desk: Desk, path: &str) -> String {
    const MEMBERS: [(&str, &str); 9] = [
        ("/code", "f-code"),
        ("/name", "f-name"),
        ("/rule_type", "f-rule_type"),
        ("/severity", "f-severity"),
        ("/description", "f-description"),
        ("/source_ref/document", "f-document"),
        ("/source_ref/section", "f-section"),
        ("/source_ref/url", "f-url"),
        ("/replaces_rule_code", "f-replaces"),
    ];
    if let Some((_, id)) = MEMBERS.iter().find(|(member, _)| is_at(path, member)) {
        return (*id).to_owned();
    }
    if is_at(path, "/when") {
        let lines = desk.gate.with(|(_, lines)| paths(lines));
        let deepest = lines.iter().enumerate().filter(|(_, line)| is_at(path, line));
        let deepest = deepest.max_by_key(|(_, line)| line.len());
        return deepest.map_or("f-when".to_owned(), |(place, _)| format!("gate-{place}"));
    }
    part(desk, path).unwrap_or_else(|| "f-condition".to_owned())
}

/// The part of the condition that a fault belongs to.
fn part(desk: Desk, path: &str) -> Option<String> {
    let rule_type = desk.rule_type()?;
    let holds = |member: &&'static str| is_at(path, &format!("/condition/{member}"));
    let part = shape(rule_type)?.parts.iter().find(|part| members(part).iter().any(holds))?;
    Some(format!("f-{rule_type}-{}", part.name))
}

/// Somebody else has changed the draft: who, when, and how the rule differs.
#[component]
fn MovedOn(moved: Moved, discard: String) -> impl IntoView {
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    let who = moved.by.into_iter().chain(moved.at.map(time::minute)).collect::<Vec<_>>().join(", ");
    let row = |(name, theirs, mine): (String, String, String)| {
        view! {
            <tr>
                <th scope="row" data-label=words::editor::PART>{name}</th>
                <td data-label=words::editor::THEIRS>{value(theirs)}</td>
                <td data-label=words::editor::MINE>{value(mine)}</td>
            </tr>
        }
    };
    let differences = if moved.is_gone {
        view! { <p>{words::editor::GONE}</p> }.into_any()
    } else if moved.differences.is_empty() {
        view! { <p>{words::editor::SAME_RULE}</p> }.into_any()
    } else {
        view! {
            <table class="list differences">
                <thead>
                    <tr>
                        <th scope="col">{words::editor::PART}</th>
                        <th scope="col">{words::editor::THEIRS}</th>
                        <th scope="col">{words::editor::MINE}</th>
                    </tr>
                </thead>
                <tbody>{moved.differences.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
        .into_any()
    };
    view! {
        <div node_ref=note class="note warn" role="alert" tabindex="-1">
            {icon(Icon::Warn)}
            <div class="stack">
                <p>
                    <strong>{words::editor::moved(moved.from, moved.revision)}</strong>
                    " ("
                    <bdi>{who}</bdi>
                    ")."
                </p>
                {differences}
                <p class="row">
                    <button class="primary" name="place[act]" value=super::desk::SAVE>
                        {words::editor::apply(moved.revision)}
                    </button>
                    <a class="button" href=discard rel="external">
                        {words::editor::TAKE_THEIRS}
                    </a>
                </p>
            </div>
        </div>
    }
}

fn value(text: String) -> AnyView {
    if text.is_empty() {
        view! { <span class="text-muted">{words::editor::NOTHING}</span> }.into_any()
    } else {
        view! { <bdi class="value">{text}</bdi> }.into_any()
    }
}
