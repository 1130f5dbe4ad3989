//! The form of one rule. Everything works by plain posts; scripts try and save while one types.

use contract::rule::Severity;
use leptos::{prelude::*, server_fn::ServerFn, wasm_bindgen::JsCast};

use super::{
    desk::{Desk, SAVE, State},
    gate::GateView,
    part::{FaultText, part_view},
    unsaved::UnsavedNote,
};
use crate::{
    api::editor::SaveRule,
    text::{
        between_tags,
        rule::{SHAPES, Shape},
        time, url, verdict, words,
    },
    ui::{problem::ProblemNote, sentence::sentence},
    view::editor::{
        NEW, Place, Unsaved,
        condition::{Fields, TICKED},
        rule::RuleForm,
    },
};

#[component]
pub(super) fn RuleFormView(desk: Desk, place: Place, form: RuleForm) -> impl IntoView {
    let sent = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let button = event.submitter().and_then(|button| button.dyn_into().ok());
        let act = button.map(|button: web_sys::HtmlButtonElement| button.value());
        desk.press(&act.unwrap_or_default());
    };
    let hidden = place.clone();
    desk.wake();
    view! {
        <section class="card rule-sheet" aria-labelledby="rule-title">
            <form
                node_ref=desk.form
                id="rule-form"
                method="post"
                action=SaveRule::url()
                class="stack"
                novalidate
                on:submit=sent
                on:input=move |_| desk.touched()
                on:change=move |_| desk.save("")
            >
                <Head desk/>
                <UnsavedNote desk place=place.clone()/>
                <input type="hidden" name="place[tenant]" value=hidden.tenant.to_string()/>
                <input type="hidden" name="place[policy]" value=hidden.policy.to_string()/>
                <input type="hidden" name="place[version]" value=hidden.version/>
                <input type="hidden" name="place[revision]" value=move || desk.revision.get()/>
                <input type="hidden" name="place[was]" value=move || desk.was.get()/>
                <input type="hidden" name="rule[stated]" value=form.stated.clone()/>
                <Said desk/>
                <Names desk form=form.clone()/>
                <fieldset class="bare stack" id="f-condition">
                    <legend class="font-semibold">{words::editor::CONDITION}</legend>
                    <FaultText desk paths=vec!["/condition".to_owned()] exact=true id="f-condition-fault"/>
                    {SHAPES
                        .map(|shape| {
                            condition(desk, shape, form.of.get(shape.rule_type.as_str()))
                        })}
                </fieldset>
                <GateView desk/>
                <About desk form/>
                <Rest desk place/>
            </form>
        </section>
    }
}

/// The rule's name, how saving stands, and the button that saves: the first of the form, so that
/// Enter presses it.
#[component]
fn Head(desk: Desk) -> impl IntoView {
    let title = move || match desk.was.get() {
        code if code.is_empty() => words::editor::NEW_RULE.to_owned(),
        code => code,
    };
    let state = move || match desk.state.get() {
        State::Read => String::new(),
        State::Typed => words::editor::TYPED.to_owned(),
        State::Saving => words::editor::SAVING.to_owned(),
        State::Saved(at) => words::editor::saved(&time::clock(at), desk.revision.get()),
        State::Unsaved | State::Failed(_) => words::editor::UNSAVED.to_owned(),
    };
    let saved = crate::page::params::query("saved");
    // What a page without scripts has just done; a revision is all that it may say.
    let done = move || {
        let is_revision =
            |text: &String| text.strip_prefix('r').is_some_and(|rest| rest.parse::<u32>().is_ok());
        let fresh = matches!(desk.state.get(), State::Read);
        Some(saved())
            .filter(|text| fresh && is_revision(text))
            .map(|text| words::editor::saved_as(&text))
    };
    let label = move || match desk.unsaved.get() {
        Some(Unsaved::Moved(moved)) => words::editor::apply(moved.revision),
        _ => words::editor::SAVE.to_owned(),
    };
    let failed = move || match desk.state.get() {
        State::Failed(problem) => Some(view! { <ProblemNote problem/> }),
        _ => None,
    };
    view! {
        <div class="sheet-head">
            <h2 id="rule-title">
                <bdi>{title}</bdi>
            </h2>
            <p class="text-xs text-muted tabular-nums" role="status">
                {state} {done}
            </p>
            <button class="primary" name="place[act]" value=SAVE>
                {label}
            </button>
        </div>
        {failed}
    }
}

/// The rule as a sentence, as it is typed.
#[component]
fn Said(desk: Desk) -> impl IntoView {
    let said = move || {
        desk.sentence.get().map(|said| view! { <p class="quote said">{sentence(said)}</p> })
    };
    view! { {said} }
}

#[component]
fn Names(desk: Desk, form: RuleForm) -> impl IntoView {
    let types = SHAPES.map(|shape| (shape.rule_type.as_str(), shape.label)).to_vec();
    let severities = Severity::ALL.map(|one| (one.as_str(), verdict::severity(one))).to_vec();
    view! {
        <div class="pair">
            <Line desk label=words::editor::CODE hint=words::editor::CODE_HINT name="code" value=form.code/>
            <Line desk label=words::editor::NAME name="name" value=form.name/>
            <Choice desk label=words::editor::TYPE name="rule_type" choices=types value=form.rule_type/>
            <Choice desk label=words::editor::SEVERITY name="severity" choices=severities value=form.severity/>
        </div>
        <label class="tick">
            <input type="checkbox" name="rule[active]" value=TICKED checked=form.active.is_some()/>
            <span>{words::editor::ACTIVE}</span>
        </label>
    }
}

/// A line of text: the member `path` of the rule, else the one of its name.
#[component]
fn Line(
    desk: Desk,
    label: &'static str,
    #[prop(default = "")] hint: &'static str,
    name: &'static str,
    #[prop(default = "")] path: &'static str,
    value: String,
) -> impl IntoView {
    let path = if path.is_empty() { format!("/{name}") } else { path.to_owned() };
    let (id, fault) = (format!("f-{name}"), format!("f-{name}-fault"));
    let hint = (!hint.is_empty()).then(|| view! { <small class="text-muted">{hint}</small> });
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <input
                id=id
                name=format!("rule[{name}]")
                value=value
                autocomplete="off"
                spellcheck="false"
                aria-describedby=fault.clone()
            />
            {hint}
            <FaultText desk paths=vec![path] id=fault/>
        </div>
    }
}

#[component]
fn Choice(
    desk: Desk,
    label: &'static str,
    name: &'static str,
    choices: Vec<(&'static str, &'static str)>,
    value: String,
) -> impl IntoView {
    let (id, fault) = (format!("f-{name}"), format!("f-{name}-fault"));
    let option = |(choice, word): (&'static str, &'static str)| {
        view! { <option value=choice selected=choice == value>{word}</option> }
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select id=id name=format!("rule[{name}]") aria-describedby=fault.clone()>
                {choices.into_iter().map(option).collect_view()}
            </select>
            <FaultText desk paths=vec![format!("/{name}")] id=fault/>
        </div>
    }
}

/// The fields of one type; the style sheet shows those of the type that is chosen, so that the choice
/// works without scripts, and nothing typed for another type is lost.
fn condition(desk: Desk, shape: Shape, fields: Option<&Fields>) -> impl IntoView + use<> {
    let (rule_type, nothing) = (shape.rule_type, Fields::new());
    let fields = fields.unwrap_or(&nothing);
    let parts = shape.parts.iter().map(|part| part_view(desk, rule_type, part, fields));
    let parts = parts.collect_view();
    view! {
        <div class="condition" data-type=rule_type.as_str()>
            <p class="text-xs text-muted">{shape.says}</p>
            {parts}
        </div>
    }
}

/// Words about the rule, and where it comes from.
#[component]
fn About(desk: Desk, form: RuleForm) -> impl IntoView {
    view! {
        <fieldset class="bare stack">
            <legend class="font-semibold">{words::editor::ABOUT}</legend>
            <div class="field">
                <label for="f-description">{words::editor::DESCRIPTION}</label>
                <textarea id="f-description" name="rule[description]" rows="2" aria-describedby="f-description-fault">
                    {between_tags(form.description)}
                </textarea>
                <FaultText desk paths=vec!["/description".to_owned()] id="f-description-fault"/>
            </div>
            <div class="pair">
                <Line desk label=words::editor::SOURCE name="document" path="/source_ref/document" value=form.document/>
                <Line desk label=words::editor::SECTION name="section" path="/source_ref/section" value=form.section/>
                <Line desk label=words::editor::URL name="url" path="/source_ref/url" value=form.url/>
                <Line desk label=words::editor::REPLACES name="replaces" path="/replaces_rule_code" value=form.replaces/>
            </div>
        </fieldset>
    }
}

/// What else can be done with a rule that is in the draft.
#[component]
fn Rest(desk: Desk, place: Place) -> impl IntoView {
    let act = |value: &'static str, word: &'static str| {
        view! { <button name="place[act]" value=value>{word}</button> }
    };
    let shown = move || {
        let code = desk.was.get();
        let copy = url::with_query(&place.page(), &[("rule", NEW), ("from", &code)]);
        (!code.is_empty()).then(|| {
            view! {
                <details class="disclosure">
                    <summary>{words::editor::MORE}</summary>
                    <div class="stack rest">
                        <div class="row">
                            {act("up", words::editor::UP)} {act("down", words::editor::DOWN)}
                            <label class="row">
                                {words::editor::MOVE_TO}
                                <input name="place[to]" inputmode="numeric" size="4" autocomplete="off"/>
                            </label> {act("move", words::editor::MOVE)}
                        </div>
                        <div class="row">
                            <a class="button" href=copy>
                                {words::editor::COPY}
                            </a>
                        </div>
                        <div class="row">
                            <button class="danger" name="place[act]" value="remove">
                                {words::editor::REMOVE}
                            </button>
                            <span class="text-xs text-muted">{words::editor::REMOVE_SAYS}</span>
                        </div>
                    </div>
                </details>
            }
        })
    };
    view! { {shown} }
}
