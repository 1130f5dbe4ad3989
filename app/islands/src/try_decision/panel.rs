//! The context of a dry run, and its evaluation while the user types.

use leptos::html::Textarea;

use super::{
    act::{TryContext, try_context},
    result::{self, EvaluationView},
    view::Evaluation,
    words,
};
use crate::prelude::*;

/// The pause in typing after which the text is evaluated.
const EVALUATE_DELAY: Duration = Duration::from_millis(250);

/// The text and its latest evaluation.
#[derive(Clone, Copy)]
struct TryState {
    tenant: TenantId,
    text: RwSignal<String>,
    evaluation: RwSignal<Option<Result<Evaluation, Problem>>>,
    is_evaluating: RwSignal<bool>,
    /// Only the response to the latest request is shown.
    request_count: StoredValue<u32>,
}

impl TryState {
    fn new(tenant: TenantId, text: String, evaluation: Option<Evaluation>) -> Self {
        Self {
            tenant,
            text: RwSignal::new(text),
            evaluation: RwSignal::new(evaluation.map(Ok)),
            is_evaluating: RwSignal::new(false),
            request_count: StoredValue::new(0),
        }
    }

    /// Evaluates the text after `delay`, unless there is a newer request by then.
    fn evaluate_after(self, delay: Duration) {
        let request = self.request_count.get_value().wrapping_add(1);
        self.request_count.set_value(request);
        let is_newest = move || self.request_count.try_get_value() == Some(request);
        set_timeout(
            move || {
                let Some(text) = self.text.try_get_untracked().filter(|_| is_newest()) else {
                    return;
                };
                self.is_evaluating.set(true);
                spawn_local(async move {
                    let response = try_context(self.tenant, text).await;
                    if is_newest() {
                        self.evaluation.set(Some(response));
                        self.is_evaluating.set(false);
                    }
                });
            },
            delay,
        );
    }
}

/// The context and its evaluation.
#[island]
pub fn TryPanel(tenant: TenantId, text: String, evaluation: Option<Evaluation>) -> impl IntoView {
    let state = TryState::new(tenant, text.clone(), evaluation);
    view! {
        <div class="try-panel">
            <Editor state text />
            <EvaluationView tenant evaluation=state.evaluation is_evaluating=state.is_evaluating />
        </div>
    }
}

#[component]
fn Editor(state: TryState, text: String) -> impl IntoView {
    let area = NodeRef::<Textarea>::new();
    let on_input = move |event| {
        state.text.set(event_target_value(&event));
        state.evaluate_after(EVALUATE_DELAY);
    };
    let on_submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        state.evaluate_after(Duration::ZERO);
    };
    // Text typed before hydration fired no `input` event.
    Effect::new(move || {
        let input = area.get().map(|area| area.value());
        if let Some(input) = input.filter(|input| *input != state.text.get_untracked()) {
            state.text.set(input);
            state.evaluate_after(EVALUATE_DELAY);
        }
    });
    let command = move || {
        let text = curl::evaluate(state.tenant, &state.text.read());
        code_block(text, words::CURL)
    };
    view! {
        <section class="card stack">
            <form method="post" action=TryContext::url() class="stack" on:submit=on_submit>
                <input type="hidden" name="tenant" value=state.tenant.to_string() />
                <div class="field">
                    <label for="context">"Context (JSON)"</label>
                    <textarea
                        node_ref=area
                        id="context"
                        name="context"
                        class="code-editor"
                        rows="22"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        aria-describedby="context-hint"
                        aria-invalid=result::invalid(state.evaluation)
                        on:input=on_input
                    >
                        {between_tags(text)}
                    </textarea>
                    <small id="context-hint" class="text-muted">
                        "Required: decision_type and fields. Optional: evidence and metadata."
                        " "
                        <span class="with-scripts">"Evaluated while you type."</span>
                    </small>
                </div>
                <div class="row">
                    <button class="primary">{words::EVALUATE}</button>
                    <kbd class="with-scripts">"Ctrl+Enter"</kbd>
                </div>
            </form>
            <details class="disclosure">
                <summary>{words::CURL}</summary>
                {command}
            </details>
        </section>
    }
}
