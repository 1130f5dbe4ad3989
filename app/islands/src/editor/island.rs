//! The island around the page of a draft, and those in its head.
//!
//! `Editor` holds the state, which the islands inside it share. Everything else inside it is a view of the server.

use leptos::{
    ev::{Event, MouseEvent, SubmitEvent},
    html,
};
use web_sys::{Element, HtmlTextAreaElement};

use super::{
    editor_state::RuleEditorState,
    stored_input::StoredInput,
    view::{EditorTarget, OpenRule},
    words,
};
use crate::{prelude::*, rule::RuleLine};

/// The page of a draft. A changed rule is saved before a link inside opens another page, and before the comments
/// are submitted. Comments that were typed but not sent stay when another rule is opened.
#[island]
pub fn Editor(
    target: EditorTarget,
    rules: Vec<RuleLine>,
    open: OpenRule,
    children: Children,
) -> impl IntoView {
    let stored = StoredInput::of_comments(&target);
    let editor = RuleEditorState::new(target, rules, open);
    provide_context(editor);
    let content = NodeRef::<html::Div>::new();
    Effect::new(move || {
        let Some(content) = content.get() else { return };
        for (name, text) in stored.read::<BTreeMap<String, String>>().unwrap_or_default() {
            let field = content.query_selector(&format!("[name=\"{name}\"]")).ok().flatten();
            if let Some(field) =
                field.and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok())
            {
                field.set_value(&text);
            }
        }
    });
    let on_input = move |event: Event| {
        let field = event.target().and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok());
        if let Some(field) = field.filter(|field| field.name().starts_with("form[texts]")) {
            let mut typed: BTreeMap<String, String> = stored.read().unwrap_or_default();
            typed.insert(field.name(), field.value());
            stored.write(&typed);
        }
    };
    let on_submit = move |event: SubmitEvent| {
        if event_target::<Element>(&event).id() == "comments" {
            editor.save_before_submission(&event);
            if !event.default_prevented() {
                // The server keeps comments that it rejects.
                stored.clear();
            }
        }
    };
    let on_click = move |event: MouseEvent| editor.save_before_leaving(&event);
    view! {
        <div
            node_ref=content
            class="contents"
            on:click=on_click
            on:input=on_input
            on:submit=on_submit
        >
            {children()}
        </div>
    }
}

/// The revision that was last read.
#[island]
pub fn Revision() -> impl IntoView {
    let editor = expect_context::<RuleEditorState>();
    view! { <span class="tag">"r" {move || editor.revision.get()}</span> }
}

/// How the draft is submitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Submission {
    /// A page submits it.
    Page { href: String, label: String },
    /// If changes were requested, the form of comments also stores the typed replies.
    Comments {
        /// The value of the button.
        value: String,
        /// The revision that was returned, if it is one of this version. It cannot be submitted again.
        returned_revision: Option<u32>,
        /// Why an unchanged revision cannot be submitted.
        unchanged: String,
    },
}

/// The buttons of the page: undo, which needs scripts, the comparison, and the submission.
#[island]
pub fn EditorActions(
    /// The address and the label of the comparison.
    compare: (String, String),
    submission: Submission,
) -> impl IntoView {
    let editor = expect_context::<RuleEditorState>();
    let (href, label) = compare;
    view! {
        <div class="row push">
            <button
                type="button"
                class="quiet with-scripts"
                data-key="z"
                disabled=move || !editor.can_undo()
                on:click=move |_| editor.undo()
            >
                {messages::UNDO}
            </button>
            <a class="button" href=href>
                {label}
            </a>
            {submit_button(editor, submission)}
        </div>
    }
}

fn submit_button(editor: RuleEditorState, submission: Submission) -> AnyView {
    let (value, returned_revision, unchanged) = match submission {
        Submission::Page { href, label } => {
            return any_view! {
                <a class="button primary push" href=href data-key="s">
                    {label}
                </a>
            };
        }
        Submission::Comments { value, returned_revision, unchanged } => {
            (value, returned_revision, unchanged)
        }
    };
    let is_unchanged =
        move || returned_revision == Some(editor.revision.get()) && !editor.was_edited();
    let reason = move || is_unchanged().then(|| unchanged.clone());
    any_view! {
        <div class="unavailable push">
            <span id="unchanged" class="text-xs text-muted">
                {reason}
            </span>
            <button
                form="comments"
                name="form[act]"
                value=value
                class="button primary"
                data-key="s"
                disabled=is_unchanged
                aria-describedby="unchanged"
            >
                "Submit again"
            </button>
        </div>
    }
}

/// The announcement that the first change recalls a version that is still submitted. `revision` is the submitted one.
#[island]
pub fn RecallNote(revision: u32) -> impl IntoView {
    let editor = expect_context::<RuleEditorState>();
    move || {
        let is_unchanged = editor.revision.get() == revision;
        is_unchanged.then(|| note(Tone::Warn, None, words::RECALLS))
    }
}
