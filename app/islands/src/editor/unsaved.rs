//! The reasons why a rule was not saved: validation errors, or a concurrent change of the draft.

use leptos::html;

use super::editor_state::{RuleEditorState, SAVE};
use crate::{
    editor::{
        view::{DraftConflict, EditorTarget, NEW, SaveRejection, condition::members, gate::paths},
        words,
    },
    prelude::*,
    text::{
        errors::{fields, is_at},
        rule::rule_type_info,
        time,
    },
};

#[component]
pub(super) fn UnsavedNote(editor: RuleEditorState, target: EditorTarget) -> impl IntoView {
    let note = move || {
        let discard = discard(&target, &editor.saved_code.get());
        match editor.rejection.get()? {
            SaveRejection::Errors(errors) => {
                Some(any_view! { <ErrorNote editor errors discard /> })
            }
            SaveRejection::Moved(conflict) => {
                Some(any_view! { <DraftConflictNote conflict=*conflict discard /> })
            }
        }
    };
    view! { {note} }
}

/// Returns the address that shows the rule as it is in the draft.
fn discard(target: &EditorTarget, saved_code: &str) -> String {
    let code = if saved_code.is_empty() { NEW } else { saved_code };
    url::with_query(&target.page(), &[("rule", code), ("look", "fresh")])
}

/// Returns the reference of a note that takes the focus when it appears.
fn focused_note() -> NodeRef<html::Div> {
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    note
}

#[component]
fn ErrorNote(editor: RuleEditorState, errors: Vec<FieldError>, discard: String) -> impl IntoView {
    let note = focused_note();
    let title = fields(errors.len());
    let item = |error: FieldError| {
        let field = field_of(editor, &error.path);
        let href = format!("#{}", field.id);
        let prefix = rule_prefix(&error.path).unwrap_or_else(|| words::error_label(&field.label));
        view! {
            <li>
                <a href=href rel="external">
                    {prefix}
                    <bdi>{quoted(&error.message)}</bdi>
                </a>
            </li>
        }
    };
    view! {
        <div node_ref=note class="note deny" role="alert" tabindex="-1">
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{title}</p>
                <ul class="plain-list error-list">{errors.into_iter().map(item).collect_view()}</ul>
                <p class="text-xs">
                    <a href=discard rel="external">
                        {words::DISCARD}
                    </a>
                </p>
            </div>
        </div>
    }
}

/// Returns the prefix "Rule 3: " for an error in another rule.
fn rule_prefix(path: &str) -> Option<String> {
    let rest = path.strip_prefix("/rules/")?;
    let number = rest.split('/').next()?.parse::<usize>().ok()?;
    Some(format!("{} {}: ", "Rule", number + 1))
}

/// The form field that an error belongs to.
struct Field {
    id: String,
    label: String,
}

impl Field {
    fn new(id: impl Into<String>, label: impl Into<String>) -> Self {
        Self { id: id.into(), label: label.into() }
    }
}

fn field_of(editor: RuleEditorState, path: &str) -> Field {
    const MEMBERS: [(&str, &str, &str); 9] = [
        ("/code", "f-code", words::CODE),
        ("/name", "f-name", words::NAME),
        ("/rule_type", "f-rule_type", words::TYPE),
        ("/severity", "f-severity", words::SEVERITY),
        ("/description", "f-description", words::DESCRIPTION),
        ("/source_ref/document", "f-document", words::SOURCE),
        ("/source_ref/section", "f-section", words::SECTION),
        ("/source_ref/url", "f-url", words::URL),
        ("/replaces_rule_code", "f-replaces", words::REPLACES),
    ];
    if let Some((_, id, label)) = MEMBERS.iter().find(|(member, ..)| is_at(path, member)) {
        return Field::new(*id, *label);
    }
    if is_at(path, "/when") {
        let lines = editor.gate.with(|(_, lines)| paths(lines));
        let deepest = lines.iter().enumerate().filter(|(_, line)| is_at(path, line));
        let deepest = deepest.max_by_key(|(_, line)| line.len());
        return deepest.map_or_else(
            || Field::new("f-when", words::WHEN),
            |(index, _)| {
                let label = format!("{}, {}", words::WHEN, words::gate_line(index));
                Field::new(format!("gate-{index}"), label)
            },
        );
    }
    part(editor, path).unwrap_or_else(|| Field::new("f-condition", words::CONDITION))
}

/// Returns the condition part that an error belongs to.
fn part(editor: RuleEditorState, path: &str) -> Option<Field> {
    let rule_type = editor.rule_type()?;
    let matches = |member: &&'static str| is_at(path, &format!("/condition/{member}"));
    let part =
        rule_type_info(rule_type)?.parts.iter().find(|part| members(part).iter().any(matches))?;
    Some(Field::new(format!("f-{rule_type}-{}", part.name), part.label))
}

/// Returns who changed the draft, and when, as far as both are known.
pub fn change_source(conflict: &DraftConflict) -> String {
    let at = conflict.at.map(time::minute_utc);
    conflict.by.clone().into_iter().chain(at).collect::<Vec<_>>().join(", ")
}

/// The note that the draft was changed concurrently: who changed it, when, and how the rule differs.
#[component]
fn DraftConflictNote(conflict: DraftConflict, discard: String) -> impl IntoView {
    let note = focused_note();
    let change = change_source(&conflict);
    let row = |(name, stored, input): (String, String, String)| {
        view! {
            <tr>
                <th scope="row" data-label=words::PART>
                    {name}
                </th>
                <td data-label=words::DRAFT_VALUE>{value(stored)}</td>
                <td data-label=words::YOUR_VALUE>{value(input)}</td>
            </tr>
        }
    };
    let content = if conflict.is_gone {
        any_view! { <p>"The rule is no longer in the draft. Applying your version adds it again."</p> }
    } else if conflict.differences.is_empty() {
        any_view! { <p>"This rule is the same in both; another one has changed."</p> }
    } else {
        any_view! {
            <details class="disclosure">
                <summary>"Show differences"</summary>
                <table class="list differences">
                    <thead>
                        <tr>
                            <th scope="col">{words::PART}</th>
                            <th scope="col">{words::DRAFT_VALUE}</th>
                            <th scope="col">{words::YOUR_VALUE}</th>
                        </tr>
                    </thead>
                    <tbody>{conflict.differences.into_iter().map(row).collect_view()}</tbody>
                </table>
            </details>
        }
    };
    view! {
        <div node_ref=note class="note warn" role="alert" tabindex="-1">
            {icon(Icon::Warn)}
            <div class="stack">
                <p>
                    <strong>{words::draft_updated(conflict.from, conflict.revision)}</strong>
                    " ("
                    <bdi>{change}</bdi>
                    ")."
                </p>
                {content}
                <p class="row">
                    <button class="primary" name="place[act]" value=SAVE>
                        {words::apply(conflict.revision)}
                    </button>
                    <a class="button" href=discard rel="external">
                        {words::USE_DRAFT_VALUE}
                    </a>
                </p>
            </div>
        </div>
    }
}

fn value(text: String) -> AnyView {
    if text.is_empty() {
        any_view! { <span class="text-muted">"nothing"</span> }
    } else {
        any_view! { <bdi class="value">{text}</bdi> }
    }
}
