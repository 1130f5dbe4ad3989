//! Trying a context: what would be decided, without a record.

pub(super) mod found;

use std::time::Duration;

use contract::id::TenantId;
use leptos::{html::Textarea, prelude::*, server_fn::ServerFn, task::spawn_local};

use self::found::FoundView;
use super::params;
use crate::{
    api::tried::{TryContext, read_try, try_context},
    problem::Problem,
    text::{between_tags, curl, url, words},
    ui::{
        code::CodeBlock,
        field::TextField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
    },
    view::tried::{Found, TryPage as Start},
};

/// `/t/{tenant}/try`
#[component]
pub(crate) fn TryPage() -> impl IntoView {
    let (tenant, from) = (params::tenant(), params::query("from"));
    let start = Resource::new(
        move || (tenant(), from()),
        async |(tenant, from)| read_try(tenant?, from).await,
    );
    view! { {load(start, |start| view! { <Bench start/> }.into_any())} }
}

/// How long a pause in typing is, before the text is evaluated.
const PAUSE: Duration = Duration::from_millis(250);

/// The text, and what was last found on it.
#[derive(Clone, Copy)]
struct Trial {
    tenant: TenantId,
    text: RwSignal<String>,
    found: RwSignal<Option<Result<Found, Problem>>>,
    working: RwSignal<bool>,
    /// How often was asked: only the newest answer is shown.
    turn: StoredValue<u32>,
}

impl Trial {
    fn new(start: &Start) -> Self {
        Self {
            tenant: start.tenant,
            text: RwSignal::new(start.text.clone()),
            found: RwSignal::new(start.found.clone().map(Ok)),
            working: RwSignal::new(false),
            turn: StoredValue::new(0),
        }
    }

    /// Evaluates the text after `pause`, unless something newer is asked by then.
    fn ask(self, pause: Duration) {
        let mine = self.turn.get_value().wrapping_add(1);
        self.turn.set_value(mine);
        let is_newest = move || self.turn.try_get_value() == Some(mine);
        set_timeout(
            move || {
                let Some(text) = self.text.try_get_untracked().filter(|_| is_newest()) else {
                    return;
                };
                self.working.set(true);
                spawn_local(async move {
                    let answer = try_context(self.tenant, text).await;
                    if is_newest() {
                        self.found.set(Some(answer));
                        self.working.set(false);
                    }
                });
            },
            pause,
        );
    }
}

#[component]
fn Bench(start: Start) -> impl IntoView {
    let trial = Trial::new(&start);
    let tenant = start.tenant;
    let from = start.from.map(|id| {
        view! {
            <p class="text-muted">
                {words::tried::LOADED_FROM} " "
                <a class="font-mono" href=url::decision(tenant, id)>
                    {id.to_string()}
                </a>
            </p>
        }
    });
    let id = start.from.map(|id| id.to_string()).unwrap_or_default();
    view! {
        <div class="page-head">
            <Heading title=words::tried::TITLE/>
            <span class="badge shadow">{icon(Icon::Shadow)} {words::tried::DRY_RUN}</span>
        </div>
        <form method="get" action=url::try_page(tenant) class="filters bench-from">
            <TextField label=words::tried::FROM name="from" value=id/>
            <button>{words::tried::LOAD}</button>
        </form>
        {from}
        <div class="bench">
            <Editor trial text=start.text/>
            <FoundView tenant found=trial.found working=trial.working/>
        </div>
    }
}

#[component]
fn Editor(trial: Trial, text: String) -> impl IntoView {
    let area = NodeRef::<Textarea>::new();
    let typed = move |event| {
        trial.text.set(event_target_value(&event));
        trial.ask(PAUSE);
    };
    let sent = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        trial.ask(Duration::ZERO);
    };
    // What was typed before the page woke caused no event that anybody heard.
    Effect::new(move || {
        let shown = area.get().map(|area| area.value());
        if let Some(shown) = shown.filter(|shown| *shown != trial.text.get_untracked()) {
            trial.text.set(shown);
            trial.ask(PAUSE);
        }
    });
    let line = move || {
        let text = curl::evaluate(trial.tenant, &trial.text.read());
        view! { <CodeBlock text label=words::tried::CURL/> }
    };
    view! {
        <section class="card stack">
            <form method="post" action=TryContext::url() class="stack" on:submit=sent>
                <input type="hidden" name="tenant" value=trial.tenant.to_string()/>
                <div class="field">
                    <label for="context">{words::tried::CONTEXT}</label>
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
                        on:input=typed
                    >
                        {between_tags(text)}
                    </textarea>
                    <small id="context-hint" class="text-muted">
                        {words::tried::HINT}
                        " "
                        <span class="with-scripts">{words::tried::LIVE}</span>
                    </small>
                </div>
                <div class="row">
                    <button class="primary">{words::tried::EVALUATE}</button>
                    <kbd class="with-scripts">"Ctrl+Enter"</kbd>
                </div>
            </form>
            <details class="disclosure">
                <summary>{words::tried::CURL}</summary>
                {line}
            </details>
        </section>
    }
}
