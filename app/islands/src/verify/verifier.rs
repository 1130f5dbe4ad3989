//! Verification of a bundle in the user's browser. Only the verifier checks the bundle, and no input leaves
//! the page.

use leptos::{ev::DragEvent, html};
use web_sys::{FormData, HtmlFormElement, HtmlInputElement};

use super::{
    claims::claim_list,
    result::VerificationResult,
    selected_file,
    session::{State, VerifySession},
    stored_fingerprints,
    view::{Checked, Role},
    words,
};
use crate::prelude::*;

// The IDs of the file fields.
const BUNDLE_FILE: &str = "bundle";
const TRUST_FILE: &str = "trust";

/// The ID of the form that fetches a bundle.
const FETCH_FORM: &str = "fetch";

/// The verification of the bundle of the decision `id`, which is fetched when the page opens, or of another bundle.
/// `children` precede it.
#[island]
pub fn Verifier(id: String, children: Children) -> impl IntoView {
    let session = VerifySession::new();
    let linked = StoredValue::new(id.clone());
    Effect::new(move || {
        session.start();
        let linked = linked.get_value();
        if !linked.is_empty() {
            session.fetch_bundle(linked);
        }
    });
    let is_dragged_over = RwSignal::new(false);
    let drag = move |event: DragEvent| {
        event.prevent_default();
        is_dragged_over.set(true);
    };
    let drop = move |event: DragEvent| {
        event.prevent_default();
        is_dragged_over.set(false);
        session.select_file(Role::Bundle, event.data_transfer().and_then(|data| data.files()));
    };
    view! {
        <div
            class="verify"
            class:over=is_dragged_over
            data-verifier=move || session.is_ready().then_some("ready")
            on:dragover=drag
            on:dragleave=move |_| is_dragged_over.set(false)
            on:drop=drop
        >
            {children()}
            <BundleCard session id />
            <VerificationResult session />
            <TrustCard session />
            {claim_list()}
        </div>
    }
}

/// The bundle to verify: a file, or the ID of a decision.
#[component]
fn BundleCard(session: VerifySession, id: String) -> impl IntoView {
    let fetch = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let form = event.target().and_then(|form| form.dyn_into::<HtmlFormElement>().ok());
        let data = form.and_then(|form| FormData::new_with_form(&form).ok());
        selected_file::clear_field(BUNDLE_FILE);
        session.fetch_bundle(data.and_then(|data| data.get("id").as_string()).unwrap_or_default());
    };
    let is_open = RwSignal::new(false);
    // The last result is shown until the next one, so that the page does not jump during a check.
    let last = Memo::new(move |last: Option<&Option<Arc<Checked>>>| match session.state() {
        State::Done(checked) => Some(checked),
        State::Fetching | State::Checking => last.cloned().flatten(),
        State::Empty | State::NotChecked(_) => None,
    });
    let is_compact = Signal::derive(move || last.read().is_some());
    let label = move || {
        if is_compact.get() { "Choose another" } else { "Choose a bundle, or drop it on this page" }
    };
    let summary = move || {
        last.get().map(|checked| {
            view! {
                <p class="file-name">
                    {icon(Icon::File)} <span>
                        <bdi class="font-semibold">{checked.name.clone()}</bdi>
                        <small class="text-muted">{checked.size_and_time()}</small>
                    </span>
                </p>
            }
        })
    };
    let toggle = move || {
        is_compact.get().then(|| {
            view! {
                <button
                    type="button"
                    aria-expanded=move || is_open.get().to_string()
                    aria-controls=FETCH_FORM
                    on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
                >
                    "Fetch by ID"
                </button>
            }
        })
    };
    view! {
        <section
            class="card stack selected-files bundle"
            class:compact=is_compact
            aria-labelledby="bundle-head"
        >
            <h2 id="bundle-head" class:sr-only=is_compact>
                "Bundle"
            </h2>
            <div class="file-bar">
                {summary}
                <FileField
                    session
                    role=Role::Bundle
                    id=BUNDLE_FILE
                    label=Signal::derive(label)
                    hint="The archive or its JSON form, up to 20 MiB. It stays in this browser."
                /> {toggle}
            </div>
            <form
                method="get"
                action=url::VERIFY
                id=FETCH_FORM
                class="stack"
                hidden=move || is_compact.get() && !is_open.get()
                on:submit=fetch
            >
                <label class="field">
                    <span>{words::ID}</span>
                    <input type="text" name="id" value=id autocomplete="off" spellcheck="false" />
                </label>
                <div class="row">
                    <button>"Fetch bundle"</button>
                </div>
            </form>
        </section>
    }
}

/// The trust input: fingerprints, a trust document, or the published keys.
#[component]
fn TrustCard(session: VerifySession) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    let is_stored = RwSignal::new(false);
    Effect::new(move || {
        let Some(area) = area.get() else { return };
        // Text typed before hydration fired no `input` event.
        if area.value().is_empty()
            && let Some(pins) = stored_fingerprints::read()
        {
            area.set_value(&pins);
            is_stored.set(true);
        }
        if !area.value().is_empty() {
            session.pin(area.value());
        }
    });
    let on_input = move |event| {
        let pins = event_target_value(&event);
        if is_stored.get_untracked() {
            stored_fingerprints::write(&pins);
        }
        session.pin(pins);
    };
    let on_toggle = move |event| {
        is_stored.set(event_target_checked(&event));
        match area.get_untracked().filter(|_| is_stored.get_untracked()) {
            Some(area) => stored_fingerprints::write(&area.value()),
            None => stored_fingerprints::clear(),
        }
    };
    let fetch = move |_| {
        selected_file::clear_field(TRUST_FILE);
        session.fetch_registry();
    };
    view! {
        <section class="card stack selected-files with-scripts trust" aria-labelledby="keys-head">
            <h2 id="keys-head">"Keys that you trust"</h2>
            <div class="field">
                <label for="pins">"Fingerprints, one per line"</label>
                <textarea
                    node_ref=area
                    id="pins"
                    class="code-editor"
                    rows="2"
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    aria-describedby="pins-hint"
                    on:input=on_input
                ></textarea>
                <small id="pins-hint" class="text-muted">
                    {quoted(
                        "43 characters each, from a source other than the bundle. Write `policy_approval=` before one that signs approvals, and `registry_root=` before a root of a registry.",
                    )}
                </small>
                <label class="checkbox">
                    <input type="checkbox" prop:checked=is_stored on:change=on_toggle />
                    <span>"Remember on this device"</span>
                </label>
            </div>
            <FileField
                session
                role=Role::Trust
                id=TRUST_FILE
                label="Trust document"
                hint="Or a trust registry, together with the fingerprints of its roots."
            />
            <div class="row">
                <button type="button" on:click=fetch>
                    "Use this service's keys"
                </button>
                <small class="text-muted grow">
                    {move || {
                        if session.is_published() {
                            "The keys of this service are in use."
                        } else {
                            "Confirms that the bundle matches this service. Does not confirm the identity of the service."
                        }
                    }}
                </small>
            </div>
        </section>
    }
}

#[component]
fn FileField(
    session: VerifySession,
    role: Role,
    id: &'static str,
    #[prop(into)] label: Signal<&'static str>,
    hint: &'static str,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let select = move |input: Option<HtmlInputElement>| {
        session.select_file(role, input.and_then(|input| input.files()));
    };
    // A file may have been selected before hydration.
    Effect::new(move || select(input.get()));
    let clear = move |_| {
        if let Some(input) = input.get() {
            input.set_value("");
            let _ = input.focus();
        }
        session.clear_trust();
    };
    let clear_button = move || {
        session.has_trust().then(|| {
            view! {
                <button type="button" on:click=clear>
                    {words::REMOVE}
                </button>
            }
        })
    };
    let hint_id = format!("{id}-hint");
    let class = if role == Role::Bundle { "field dropzone with-scripts" } else { "field" };
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
                    on:change=move |_| select(input.get())
                />
                {(role == Role::Trust).then_some(clear_button)}
            </div>
            <small id=hint_id class="text-muted">
                {hint}
            </small>
        </div>
    }
}
