//! The sample context of the editor, and the result of evaluating the draft on it.

use leptos::html;

use super::{
    editor_state::RuleEditorState,
    stored_input::StoredInput,
    view::{FIELDS, REPLACE_SAMPLE},
    words,
};
use crate::{
    prelude::*,
    try_decision::result::{EvaluationView, invalid},
};

/// The sample context and the result of evaluating the draft on it. The text that the user typed stays when another
/// rule is opened, and is evaluated then.
#[island]
pub fn SamplePanel(text: String, decisions: Vec<(DecisionId, String)>) -> impl IntoView {
    let editor = expect_context::<RuleEditorState>();
    let stored = editor.target.with_value(StoredInput::of_sample);
    let area = NodeRef::<html::Textarea>::new();
    let on_input = move |text: String| {
        stored.write(&text);
        editor.schedule_evaluation();
    };
    Effect::new(move || {
        let Some(area) = area.get() else { return };
        let shown = area.value();
        if area.default_value().is_ok_and(|original| original != shown) {
            // Text typed before hydration fired no `input` event.
            on_input(shown);
        } else if let Some(typed) = stored.read::<String>().filter(|typed| *typed != shown) {
            area.set_value(&typed);
            editor.evaluate_other_sample();
        }
    });
    Effect::new(move || {
        if let (Some(text), Some(area)) = (editor.new_sample.get(), area.get_untracked()) {
            area.set_value(&text);
            on_input(text);
        }
    });
    let decision = |(id, name): (DecisionId, String)| {
        view! { <option value=id.to_string()>{name}</option> }
    };
    let decisions = decisions.into_iter().map(decision).collect_view();
    let tenant = editor.target.with_value(|target| target.tenant);
    view! {
        <aside class="stack sample">
            <section class="card stack">
                <div class="field">
                    <label for="sample-from">"Sample from"</label>
                    <select id="sample-from" name="place[from]" form="rule-form">
                        {decisions}
                        <option value=FIELDS>"the fields of the rules"</option>
                    </select>
                </div>
                <div class="row">
                    <button form="rule-form" name="place[act]" value=REPLACE_SAMPLE>
                        {words::REPLACE_SAMPLE}
                    </button>
                </div>
                <div class="field">
                    <label for="sample">"Sample context (JSON)"</label>
                    <textarea
                        node_ref=area
                        id="sample"
                        name="sample"
                        form="rule-form"
                        class="code-editor"
                        rows="12"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        aria-describedby="sample-hint"
                        aria-invalid=invalid(editor.evaluation)
                        on:input=move |event| on_input(event_target_value(&event))
                    >
                        {between_tags(text)}
                    </textarea>
                    <small id="sample-hint" class="text-muted">
                        "Evaluated against the draft as shown in the form. Nothing is recorded."
                    </small>
                </div>
                <div class="row">
                    <button form="rule-form" name="place[act]" value="run">
                        "Run sample"
                    </button>
                </div>
            </section>
            <EvaluationView
                tenant
                evaluation=editor.evaluation
                is_evaluating=editor.is_evaluating
                placeholder="The rule is not complete yet, so nothing was evaluated."
            />
        </aside>
    }
}
