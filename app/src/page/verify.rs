//! Checking a bundle in the reader's own browser. Nothing but the verifier judges here, and nothing that
//! is given leaves the page.

mod claims;
mod desk;
mod given;
mod kept;
mod outcome;
mod thread;

use contract::id::DecisionId;
use leptos::{ev::DragEvent, html, prelude::*, wasm_bindgen::JsCast};
use web_sys::{FormData, HtmlFormElement, HtmlInputElement};

use self::{
    claims::ClaimList,
    desk::Desk,
    outcome::{Outcome, OwnResult},
};
use super::params;
use crate::{
    api::verify::own_check,
    text::{url, words},
    ui::{
        field::TextField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        public::PublicFrame,
        quoted::quoted,
    },
    view::verify::Role,
};

/// The field of the bundle's file.
const BUNDLE_FILE: &str = "bundle";
/// The field of the trust document's file.
const TRUST_FILE: &str = "trust";

/// `/verify?id=`. The id only fills the field: nothing is fetched unless the reader asks for it.
#[component]
pub(crate) fn VerifyPage() -> impl IntoView {
    let id = params::query("id")();
    let desk = Desk::new();
    Effect::new(move || desk.start());
    let over = RwSignal::new(false);
    let drag = move |event: DragEvent| {
        event.prevent_default();
        over.set(true);
    };
    let drop = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        desk.take(Role::Bundle, event.data_transfer().and_then(|dropped| dropped.files()));
    };
    view! {
        <PublicFrame width="reading">
            <div
                class="verify"
                class:over=over
                data-verifier=move || desk.is_ready().then_some("ready")
                on:dragover=drag
                on:dragleave=move |_| over.set(false)
                on:drop=drop
            >
                <Heading title=words::verify::TITLE/>
                <p class="lead">{words::verify::LEAD}</p>
                <NoScripts id=id.clone()/>
                <Own id=id.clone()/>
                <BundleCard desk id/>
                <TrustCard desk/>
                <Outcome desk/>
                <ClaimList/>
            </div>
        </PublicFrame>
    }
}

/// What a reader without scripts can do.
#[component]
fn NoScripts(id: String) -> impl IntoView {
    let bundle = id.parse().ok().map(|id: DecisionId| {
        view! {
            <p>
                <a href=url::archive(id) rel="external" download=format!("{id}.tar")>
                    {words::verify::TAKE_BUNDLE}
                </a>
            </p>
        }
    });
    view! {
        <div class="note warn without-scripts">
            {icon(Icon::Warn)}
            <div>
                <p>{words::verify::NO_SCRIPTS}</p>
                <pre>{words::verify::COMMAND}</pre>
                {bundle}
            </div>
        </div>
    }
}

/// What the service itself finds, for a reader without scripts.
#[component]
fn Own(id: String) -> impl IntoView {
    let found = Resource::new(move || id.clone(), own_check);
    view! {
        <div class="without-scripts">
            {load(found, |found| found.map(|found| view! { <OwnResult found/> }).into_any())}
        </div>
    }
}

/// What is to be checked.
#[component]
fn BundleCard(desk: Desk, id: String) -> impl IntoView {
    let fetch = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let form = event.target().and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
        let data = form.and_then(|form| FormData::new_with_form(&form).ok());
        given::empty(BUNDLE_FILE);
        desk.fetch(data.and_then(|data| data.get("id").as_string()).unwrap_or_default());
    };
    view! {
        <section class="card stack given" aria-labelledby="bundle-head">
            <h2 id="bundle-head">{words::verify::BUNDLE}</h2>
            <FileField
                desk
                role=Role::Bundle
                id=BUNDLE_FILE
                label=words::verify::CHOOSE
                hint=words::verify::CHOOSE_HINT
            />
            <form method="get" action=url::VERIFY class="stack" on:submit=fetch>
                <TextField label=words::verify::ID name="id" value=id/>
                <div class="row">
                    <button>{words::verify::FETCH}</button>
                </div>
            </form>
        </section>
    }
}

/// Whom the reader trusts.
#[component]
fn TrustCard(desk: Desk) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    let keep = RwSignal::new(false);
    Effect::new(move || {
        let Some(area) = area.get() else { return };
        // What was typed before the page woke caused no event that anybody heard.
        if area.value().is_empty()
            && let Some(lines) = kept::read()
        {
            area.set_value(&lines);
            keep.set(true);
        }
        if !area.value().is_empty() {
            desk.pin(area.value());
        }
    });
    let typed = move |event| {
        let lines = event_target_value(&event);
        if keep.get_untracked() {
            kept::write(&lines);
        }
        desk.pin(lines);
    };
    let decided = move |event| {
        keep.set(event_target_checked(&event));
        match area.get_untracked().filter(|_| keep.get_untracked()) {
            Some(area) => kept::write(&area.value()),
            None => kept::forget(),
        }
    };
    let fetch = move |_| {
        given::empty(TRUST_FILE);
        desk.fetch_registry();
    };
    view! {
        <section class="card stack given with-scripts" aria-labelledby="keys-head">
            <h2 id="keys-head">{words::verify::KEYS}</h2>
            <div class="field">
                <label for="pins">{words::verify::PINS}</label>
                <textarea
                    node_ref=area
                    id="pins"
                    class="code-editor"
                    rows="2"
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    aria-describedby="pins-hint"
                    on:input=typed
                ></textarea>
                <small id="pins-hint" class="text-muted">
                    {quoted(words::verify::PINS_HINT)}
                </small>
                <label class="tick">
                    <input type="checkbox" prop:checked=keep on:change=decided/>
                    <span>{words::verify::KEEP}</span>
                </label>
            </div>
            <FileField
                desk
                role=Role::Trust
                id=TRUST_FILE
                label=words::verify::TRUST
                hint=words::verify::TRUST_HINT
            />
            <div class="row">
                <button type="button" on:click=fetch>
                    {words::verify::USE_PUBLISHED}
                </button>
                <small class="text-muted grow">
                    {move || {
                        if desk.is_published() {
                            words::verify::PUBLISHED_USED
                        } else {
                            words::verify::USE_PUBLISHED_SAYS
                        }
                    }}
                </small>
            </div>
        </section>
    }
}

/// A file to choose.
#[component]
fn FileField(
    desk: Desk,
    role: Role,
    id: &'static str,
    label: &'static str,
    hint: &'static str,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let take = move |input: Option<HtmlInputElement>| {
        desk.take(role, input.and_then(|input| input.files()));
    };
    // So it was with a file that was chosen before the page woke.
    Effect::new(move || take(input.get()));
    let forget = move |_| {
        if let Some(input) = input.get() {
            input.set_value("");
            let _ = input.focus();
        }
        desk.forget_trust();
    };
    let forget = move || {
        desk.has_trust().then(|| {
            view! {
                <button type="button" on:click=forget>
                    {words::verify::FORGET}
                </button>
            }
        })
    };
    let hint_id = format!("{id}-hint");
    let class = if role == Role::Bundle { "field drop with-scripts" } else { "field" };
    view! {
        <div class=class>
            <label for=id>{label}</label>
            <div class="row">
                <input
                    node_ref=input
                    id=id
                    type="file"
                    class="grow"
                    aria-describedby=hint_id.clone()
                    on:change=move |_| take(input.get())
                />
                {(role == Role::Trust).then_some(forget)}
            </div>
            <small id=hint_id class="text-muted">
                {hint}
            </small>
        </div>
    }
}
