//! Writing a draft, rule by rule, with what it would decide beside it.

mod desk;
mod form;
mod gate;
mod json;
mod part;
mod rules;
mod unsaved;

use leptos::{html, prelude::*, server_fn::ServerFn};

use self::{desk::Desk, form::RuleFormView, json::JsonView, rules::RuleNav};
use super::{params, tried::found::FoundView};
use crate::{
    api::editor::{SaveChangeReason, read_editor},
    text::{between_tags, url, words},
    ui::{
        code::CodeBlock,
        field::TextArea,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        problem::ProblemNote,
    },
    view::editor::{Bench, EditorPage, Open, Place},
};

/// `/t/{tenant}/policies/{policy}/versions/{version}/edit`
#[component]
pub(crate) fn EditPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let (rule, from, look) = (params::query("rule"), params::query("from"), params::query("look"));
    // It outlives the rule that is open.
    let sample = RwSignal::new(None::<String>);
    let number = params::query("n");
    let page = Resource::new(
        move || ((tenant(), policy(), version()), (rule(), from(), look()), number()),
        async |((tenant, policy, version), (rule, from, look), _)| {
            read_editor(tenant?, policy?, version?, rule, from, look).await
        },
    );
    view! { {load(page, move |page| view! { <Draft page sample/> }.into_any())} }
}

#[component]
fn Draft(page: EditorPage, sample: RwSignal<Option<String>>) -> impl IntoView {
    let place = page.place.clone();
    let title = words::editor::title(&page.policy_name, place.version);
    let (name, number) = (page.policy_name.clone(), place.version);
    let shown = match page.open.clone() {
        Open::Rule(bench) => view! { <Desks page=page.clone() bench=*bench sample/> }.into_any(),
        Open::Json(json) => view! { <JsonView place=place.clone() json=*json/> }.into_any(),
        Open::Unshown => view! { <OnlyJson page=page.clone()/> }.into_any(),
        Open::Closed(typed) => view! { <Closed page=page.clone() typed/> }.into_any(),
    };
    let open = !matches!(page.open, Open::Closed(_));
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::policies(place.tenant)>{words::policies::TITLE}</a>
            {icon(Icon::Next)}
            <a href=url::policy(place.tenant, place.policy)>
                <bdi>{name.clone()}</bdi>
            </a>
            {icon(Icon::Next)}
            <a href=url::version(place.tenant, place.policy, number)>"v" {number}</a>
        </nav>
        <div class="page-head">
            <Heading title>
                <bdi>{name}</bdi>
                <span class="tabular-nums">" v" {number}</span>
                <span class="badge na">{icon(Icon::Pen)} {words::editor::EDIT}</span>
            </Heading>
        </div>
        {page.kept.clone().map(|kept| view! { <ProblemNote problem=kept.problem/> })}
        {open.then(|| view! { <Reason page=page.clone()/> })}
        {shown}
    }
}

/// The rules, the open one, and the sample.
#[component]
fn Desks(page: EditorPage, bench: Bench, sample: RwSignal<Option<String>>) -> impl IntoView {
    let desk = Desk::new(&page, &bench);
    view! {
        <div class="desk">
            <RuleNav desk place=page.place.clone()/>
            <RuleFormView desk place=page.place.clone() form=bench.form/>
            <Sample desk text=page.sample sample/>
        </div>
    }
}

/// The context that the rules are tried on, and what they decide.
#[component]
fn Sample(desk: Desk, text: String, sample: RwSignal<Option<String>>) -> impl IntoView {
    let text = sample.get_untracked().unwrap_or(text);
    let area = NodeRef::<html::Textarea>::new();
    let typed = move |text| {
        sample.set(Some(text));
        desk.sampled();
    };
    // What was typed before the page woke caused no event that anybody heard.
    Effect::new(move || {
        let Some(area) = area.get() else { return };
        if area.default_value().is_ok_and(|served| served != area.value()) {
            typed(area.value());
        }
    });
    let tenant = desk.place.with_value(|place| place.tenant);
    view! {
        <aside class="stack sample">
            <section class="card stack">
                <div class="field">
                    <label for="sample">{words::editor::SAMPLE}</label>
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
                        on:input=move |event| typed(event_target_value(&event))
                    >
                        {between_tags(text)}
                    </textarea>
                    <small id="sample-hint" class="text-muted">
                        {words::editor::SAMPLE_HINT}
                    </small>
                </div>
                <div class="row">
                    <button form="rule-form" name="place[act]" value="run">
                        {words::editor::RUN}
                    </button>
                </div>
            </section>
            <FoundView tenant found=desk.found working=desk.working nothing=words::editor::NOT_RUN/>
        </aside>
    }
}

/// Why the version is made: reviewers read it first.
#[component]
fn Reason(page: EditorPage) -> impl IntoView {
    let typed = page.kept.map(|kept| kept.text).filter(|text| !text.is_empty());
    let summary = page.change_reason.clone();
    let summary = match summary {
        Some(reason) => view! {
            {words::editor::REASON} ": "
            <bdi>{reason}</bdi>
        }
        .into_any(),
        None => words::editor::NO_REASON.into_any(),
    };
    let is_open = typed.is_some();
    let value = typed.or(page.change_reason).unwrap_or_default();
    view! {
        <details class="disclosure" open=is_open>
            <summary>{summary}</summary>
            <form method="post" action=SaveChangeReason::url() class="stack reason">
                <PlaceFields place=page.place/>
                <TextArea
                    label=words::editor::REASON
                    hint=words::editor::REASON_HINT
                    name="text"
                    id="reason".to_owned()
                    value=value
                    maxlength=500
                    required=true
                />
                <div class="row">
                    <button>{words::editor::SAVE_REASON}</button>
                </div>
            </form>
        </details>
    }
}

/// Where a form stands, as hidden fields.
#[component]
fn PlaceFields(place: Place) -> impl IntoView {
    view! {
        <input type="hidden" name="place[tenant]" value=place.tenant.to_string()/>
        <input type="hidden" name="place[policy]" value=place.policy.to_string()/>
        <input type="hidden" name="place[version]" value=place.version/>
        <input type="hidden" name="place[revision]" value=place.revision/>
    }
}

/// A rule that no form can show.
#[component]
fn OnlyJson(page: EditorPage) -> impl IntoView {
    let href = url::with_query(&page.place.page(), &[("look", "json")]);
    let desk = Desk::new(&page, &Bench::default());
    view! {
        <div class="desk">
            <RuleNav desk place=page.place.clone()/>
            <section class="card">
                <p>{words::editor::ONLY_JSON}</p>
                <p>
                    <a class="button" href=href>
                        {words::editor::AS_JSON}
                    </a>
                </p>
            </section>
        </div>
    }
}

/// A version that is no draft any more, and what was typed for it.
#[component]
fn Closed(page: EditorPage, typed: Option<String>) -> impl IntoView {
    let Place { tenant, policy, version, .. } = page.place;
    view! {
        <div class="note warn">
            {icon(Icon::Warn)}
            <p>{words::editor::closed(page.status)}</p>
        </div>
        <p>
            <a class="button" href=url::version(tenant, policy, version)>
                {words::editor::VERSION}
            </a>
        </p>
        {typed.map(|text| view! { <CodeBlock text label=words::editor::TYPED_BEFORE/> })}
    }
}
