//! The editor of a draft: its rules, the open rule, and a sample evaluation.

mod editor_state;
mod form;
mod gate;
mod json;
mod part;
mod requested_changes;
mod rules;
mod unsaved;

use std::collections::BTreeMap;

use contract::id::DecisionId;
use leptos::{html, prelude::*, server_fn::ServerFn};

use self::{
    editor_state::RuleEditorState,
    form::RuleFormView,
    json::JsonView,
    requested_changes::{RequestNote, RuleThreads, SubmitButton, TypedComments, WithComments},
    rules::RuleNav,
};
use super::{
    act::{SaveChangeReason, read_editor},
    view::{EditorPage, EditorTarget, FIELDS, Open, OpenRule, REPLACE_SAMPLE, RequestedChanges},
    words,
};
use crate::{
    policy,
    text::{between_tags, messages, url},
    try_decision::page::result::{EvaluationView, invalid},
    ui::{
        badge::StageBadge,
        code::CodeBlock,
        field::TextArea,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        params,
        problem::ProblemNote,
    },
};

/// `/t/{tenant}/policies/{policy}/versions/{version}/edit`
#[component]
pub(crate) fn EditPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let (rule, from, mode) = (params::query("rule"), params::query("from"), params::query("look"));
    // The sample and the typed comments stay the same when another rule is opened.
    let sample = RwSignal::new(None::<String>);
    let typed_comments = TypedComments::new(BTreeMap::new());
    let number = params::query("n");
    load(
        move || ((tenant(), policy(), version()), (rule(), from(), mode()), number()),
        async |((tenant, policy, version), (rule, from, mode), _)| {
            read_editor(tenant?, policy?, version?, rule, from, mode).await
        },
        move |page| view! { <EditorContent page sample typed_comments /> }.into_any(),
    )
}

#[component]
fn EditorContent(
    page: EditorPage,
    sample: RwSignal<Option<String>>,
    typed_comments: TypedComments,
) -> impl IntoView {
    let target = page.target.clone();
    let title = words::title(&page.policy_name, target.version);
    let (name, number) = (page.policy_name.clone(), target.version);
    let (editor, content) = match page.open.clone() {
        Open::Rule(open_rule) => {
            let editor = RuleEditorState::new(&page, &open_rule);
            let page = page.clone();
            let content = view! { <EditorLayout page open_rule=*open_rule editor sample /> };
            (Some(editor), content.into_any())
        }
        Open::Unshown => {
            let editor = RuleEditorState::new(&page, &OpenRule::default());
            (Some(editor), view! { <OnlyJson page=page.clone() editor /> }.into_any())
        }
        Open::Json(json) => {
            (None, view! { <JsonView target=target.clone() json=*json /> }.into_any())
        }
        Open::Closed(input) => {
            (None, view! { <ClosedVersion page=page.clone() input /> }.into_any())
        }
    };
    let request = page.request.clone();
    let note = request.clone().map(|request| {
        view! { <RequestNote request revision=target.revision editor /> }
    });
    let content = match request.zip(editor) {
        Some((RequestedChanges { comments, .. }, editor)) => view! {
            <WithComments comments editor typed_comments>
                {content}
            </WithComments>
        }
        .into_any(),
        None => content,
    };
    let actions = editor.map(|editor| view! { <Actions page=page.clone() editor /> });
    let revision = move || editor.map_or(target.revision, |editor| editor.revision.get());
    let open = !matches!(page.open, Open::Closed(_));
    view! {
        <nav class="crumbs" aria-label=messages::CRUMBS>
            <a href=url::policies(target.tenant)>{policy::TITLE}</a>
            {icon(Icon::Next)}
            <a href=url::policy(target.tenant, target.policy)>
                <bdi>{name}</bdi>
            </a>
            {icon(Icon::Next)}
            <a href=url::version(target.tenant, target.policy, number)>"v" {number}</a>
        </nav>
        <div class="page-head">
            <Heading title />
            <StageBadge stage=page.stage />
            <span class="tag">"r" {revision}</span>
            {actions}
        </div>
        {page.rejected.clone().map(|rejected| view! { <ProblemNote problem=rejected.problem /> })}
        {note}
        {open.then(|| view! { <Reason page=page.clone() /> })}
        {content}
    }
}

/// The buttons of the page: undo, which needs scripts, the comparison, and the submission.
#[component]
fn Actions(page: EditorPage, editor: RuleEditorState) -> impl IntoView {
    let EditorTarget { tenant, policy, version, .. } = page.target;
    let compare = words::compare(page.active_version);
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
            <a
                class="button"
                href=url::compare(tenant, policy, version)
                on:click=move |event| editor.save_before_leaving(&event)
            >
                {compare}
            </a>
            <SubmitButton page editor />
        </div>
    }
}

#[component]
fn EditorLayout(
    page: EditorPage,
    open_rule: OpenRule,
    editor: RuleEditorState,
    sample: RwSignal<Option<String>>,
) -> impl IntoView {
    view! {
        <div class="rule-editor">
            <RuleNav editor target=page.target.clone() />
            <section class="card rule-panel" aria-labelledby="rule-title">
                <RuleThreads request=page.request />
                <RuleFormView editor target=page.target.clone() form=open_rule.form />
            </section>
            <Sample editor text=page.sample decisions=page.decisions sample />
        </div>
    }
}

/// The sample context and the result of evaluating the draft on it.
#[component]
fn Sample(
    editor: RuleEditorState,
    text: String,
    decisions: Vec<(DecisionId, String)>,
    sample: RwSignal<Option<String>>,
) -> impl IntoView {
    let text = sample.get_untracked().unwrap_or(text);
    let area = NodeRef::<html::Textarea>::new();
    let on_input = move |text| {
        sample.set(Some(text));
        editor.schedule_evaluation();
    };
    // Text typed before hydration fired no `input` event.
    Effect::new(move || {
        let Some(area) = area.get() else { return };
        if area.default_value().is_ok_and(|original| original != area.value()) {
            on_input(area.value());
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
                    <label for="sample-from">{words::SAMPLE_FROM}</label>
                    <select id="sample-from" name="place[from]" form="rule-form">
                        {decisions}
                        <option value=FIELDS>{words::SAMPLE_OF_FIELDS}</option>
                    </select>
                </div>
                <div class="row">
                    <button form="rule-form" name="place[act]" value=REPLACE_SAMPLE>
                        {words::REPLACE_SAMPLE}
                    </button>
                </div>
                <div class="field">
                    <label for="sample">{words::SAMPLE}</label>
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
                        {words::SAMPLE_HINT}
                    </small>
                </div>
                <div class="row">
                    <button form="rule-form" name="place[act]" value="run">
                        {words::RUN}
                    </button>
                </div>
            </section>
            <EvaluationView
                tenant
                evaluation=editor.evaluation
                is_evaluating=editor.is_evaluating
                placeholder=words::NOT_RUN
            />
        </aside>
    }
}

/// The change reason of the version, for reviewers.
#[component]
fn Reason(page: EditorPage) -> impl IntoView {
    let rejected_input =
        page.rejected.map(|rejected| rejected.text).filter(|text| !text.is_empty());
    let summary = match page.change_reason.clone() {
        Some(reason) => view! {
            {words::REASON}
            ": "
            <bdi>{reason}</bdi>
        }
        .into_any(),
        None => words::NO_REASON.into_any(),
    };
    let is_open = rejected_input.is_some();
    let value = rejected_input.or(page.change_reason).unwrap_or_default();
    view! {
        <details class="disclosure" open=is_open>
            <summary>{summary}</summary>
            <form method="post" action=SaveChangeReason::url() class="stack reason">
                <TargetFields target=page.target />
                <TextArea
                    label=words::REASON
                    hint=words::REASON_HINT
                    name="text"
                    id="reason".to_owned()
                    value=value
                    maxlength=500
                    required=true
                />
                <div class="row">
                    <button>{words::SAVE_REASON}</button>
                </div>
            </form>
        </details>
    }
}

/// The target of a form, as hidden fields.
#[component]
fn TargetFields(target: EditorTarget) -> impl IntoView {
    view! {
        <input type="hidden" name="place[tenant]" value=target.tenant.to_string() />
        <input type="hidden" name="place[policy]" value=target.policy.to_string() />
        <input type="hidden" name="place[version]" value=target.version />
        <input type="hidden" name="place[revision]" value=target.revision />
    }
}

/// A rule that the form cannot show.
#[component]
fn OnlyJson(page: EditorPage, editor: RuleEditorState) -> impl IntoView {
    let href = url::with_query(&page.target.page(), &[("look", "json")]);
    view! {
        <div class="rule-editor">
            <RuleNav editor target=page.target.clone() />
            <section class="card">
                <RuleThreads request=page.request />
                <p>{words::ONLY_JSON}</p>
                <p>
                    <a class="button" href=href>
                        {words::AS_JSON}
                    </a>
                </p>
            </section>
        </div>
    }
}

/// A version that is no longer a draft, and the input that was not saved.
#[component]
fn ClosedVersion(page: EditorPage, input: Option<String>) -> impl IntoView {
    let EditorTarget { tenant, policy, version, .. } = page.target;
    view! {
        <div class="note warn">{icon(Icon::Warn)} <p>{words::not_editable(page.stage)}</p></div>
        <p>
            <a class="button" href=url::version(tenant, policy, version)>
                {words::VERSION}
            </a>
        </p>
        {input.map(|text| view! { <CodeBlock text label=words::UNSAVED_INPUT /> })}
    }
}
