//! The requested changes: the request, the comments on the open rule, and the button that submits the draft.

use std::collections::BTreeMap;

use leptos::{
    ev::{Event, MouseEvent, SubmitEvent},
    html,
    prelude::*,
    wasm_bindgen::JsCast,
};
use web_sys::{Element, HtmlTextAreaElement};

use super::editor_state::RuleEditorState;
use crate::{
    editor::{
        view::{EditorPage, EditorTarget, RequestedChanges},
        words,
    },
    text::url,
    ui::note::{Tone, note},
    version::actions::{UNCHANGED, VersionAction},
};

/// Comments that were typed but not sent, by the names of their fields. They stay the same when another rule is
/// opened.
pub(super) type TypedComments = StoredValue<BTreeMap<String, String>>;

/// The button that submits the draft. If changes were requested, it also stores the typed replies.
#[component]
pub(super) fn SubmitButton(page: EditorPage, editor: RuleEditorState) -> impl IntoView {
    let EditorTarget { tenant, policy, version, .. } = page.target;
    let Some(request) = page.request else {
        let href =
            format!("{}/{}", url::version(tenant, policy, version), VersionAction::Send.word());
        return view! {
            <a
                class="button primary push"
                href=href
                data-key="s"
                on:click=move |event: MouseEvent| editor.save_before_leaving(&event)
            >
                {VersionAction::Send.button(version)}
            </a>
        }
        .into_any();
    };
    let is_unchanged =
        move || request.returned_revision == Some(editor.revision.get()) && !editor.was_edited();
    let reason = move || is_unchanged().then_some(UNCHANGED);
    view! {
        <div class="unavailable push">
            <span id="unchanged" class="text-xs text-muted">
                {reason}
            </span>
            <button
                form="comments"
                name="form[act]"
                value=request.submit_value
                class="button primary"
                data-key="s"
                disabled=is_unchanged
                aria-describedby="unchanged"
            >
                {words::SUBMIT_AGAIN}
            </button>
        </div>
    }
    .into_any()
}

/// The request, and the announcement that the first change recalls the version. A changed rule is saved before a
/// link of the request opens another one.
#[component]
pub(super) fn RequestNote(
    request: RequestedChanges,
    /// The revision of the page.
    revision: u32,
    editor: Option<RuleEditorState>,
) -> impl IntoView {
    let is_unchanged = move || editor.is_none_or(|editor| editor.revision.get() == revision);
    let recall = move || {
        let is_recalled_later = request.is_submitted && is_unchanged();
        is_recalled_later.then(|| note(Tone::Warn, None, words::RECALLS))
    };
    let leave = move |event: MouseEvent| {
        if let Some(editor) = editor {
            editor.save_before_leaving(&event);
        }
    };
    view! {
        <div inner_html=request.note on:click=leave></div>
        {recall}
    }
}

/// The comments on the open rule.
#[component]
pub(super) fn RuleThreads(request: Option<RequestedChanges>) -> impl IntoView {
    let threads = request.map(|request| request.threads).filter(|threads| !threads.is_empty());
    threads.map(|threads| view! { <div class="rule-threads" inner_html=threads></div> })
}

/// The editor, followed by the other comments.
#[component]
pub(super) fn WithComments(
    comments: String,
    editor: RuleEditorState,
    typed_comments: TypedComments,
    children: Children,
) -> impl IntoView {
    let content = NodeRef::<html::Div>::new();
    Effect::new(move || {
        let Some(content) = content.get() else { return };
        typed_comments.with_value(|typed| {
            for (name, text) in typed {
                let field = content.query_selector(&format!("[name=\"{name}\"]")).ok().flatten();
                let field = field.and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok());
                if let Some(field) = field {
                    field.set_value(text);
                }
            }
        });
    });
    let on_input = move |event: Event| {
        let field = event.target().and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok());
        if let Some(field) = field.filter(|field| field.name().starts_with("form[texts]")) {
            typed_comments.update_value(|typed| {
                typed.insert(field.name(), field.value());
            });
        }
    };
    let on_submit = move |event: SubmitEvent| {
        if event_target::<Element>(&event).id() == "comments" {
            editor.save_before_submission(&event);
        }
    };
    view! {
        <div node_ref=content class="contents" on:input=on_input on:submit=on_submit>
            {children()}
            <div inner_html=comments></div>
        </div>
    }
}
