//! The form of one rule. It works with plain posts; scripts evaluate and save while the user types.

use super::{
    editor_state::{RuleEditorState, SAVE, State},
    gate::GateView,
    part::{FieldErrorText, invalid, part_view},
    unsaved::UnsavedNote,
};
use crate::{
    editor::{
        act::SaveRule,
        view::{
            EditorTarget, NEW, SaveRejection,
            condition::{Fields, TICKED},
            rule,
        },
        words,
    },
    prelude::*,
    text::{
        rule::{RULE_TYPES, RuleTypeInfo},
        time,
    },
};

/// The form of the open rule. `saved` is the revision that the last request saved, if scripts are off.
#[island]
pub fn RuleForm(saved: String) -> impl IntoView {
    let editor = expect_context::<RuleEditorState>();
    let (target, form) = (editor.target.get_value(), editor.initial.get_value());
    let on_submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let button = event.submitter().and_then(|button| button.dyn_into().ok());
        let action = button.map(|button: web_sys::HtmlButtonElement| button.value());
        editor.run_action(&action.unwrap_or_default());
    };
    let preview = move || {
        let text = editor.sentence.get();
        text.map(|text| view! { <p class="quote rule-sentence">{sentence(text)}</p> })
    };
    let hidden = target.clone();
    editor.restore_input();
    view! {
        <form
            node_ref=editor.form
            id="rule-form"
            method="post"
            action=SaveRule::url()
            class="stack"
            novalidate
            on:submit=on_submit
            on:input=move |_| editor.on_edit()
            on:change=move |_| editor.save("")
        >
            <Head editor saved />
            <UnsavedNote editor target=target.clone() />
            <input type="hidden" name="place[tenant]" value=hidden.tenant.to_string() />
            <input type="hidden" name="place[policy]" value=hidden.policy.to_string() />
            <input type="hidden" name="place[version]" value=hidden.version />
            <input type="hidden" name="place[revision]" value=move || editor.revision.get() />
            <input type="hidden" name="place[was]" value=move || editor.saved_code.get() />
            <input type="hidden" name="rule[stated]" value=form.stated.clone() />
            {preview}
            {names(editor, form.clone())}
            <fieldset class="bare stack" id="f-condition">
                <legend class="font-semibold">{words::CONDITION}</legend>
                <FieldErrorText
                    editor
                    paths=vec!["/condition".to_owned()]
                    exact=true
                    id="f-condition-error"
                />
                {RULE_TYPES
                    .map(|info| { condition(editor, info, form.of.get(info.rule_type.as_str())) })}
            </fieldset>
            <GateView editor />
            {about(editor, form)}
            <MoreActions editor target />
        </form>
    }
}

/// The name of the rule, the save status, and the save button, which is the first one of the form, so that
/// Enter presses it.
#[component]
fn Head(editor: RuleEditorState, saved: String) -> impl IntoView {
    let title = move || match editor.saved_code.get() {
        code if code.is_empty() => words::NEW_RULE.to_owned(),
        code => code,
    };
    let state = move || match editor.state.get() {
        State::Unchanged => String::new(),
        State::Edited => "Not saved yet".to_owned(),
        State::Saving => "Saving".to_owned(),
        State::Saved(at) => words::saved(&time::clock_utc(at), editor.revision.get()),
        State::Rejected | State::Failed(_) => "Not saved".to_owned(),
    };
    // The result of the previous request, if scripts are off. Only a revision is accepted as a value.
    let saved_note = move || {
        let is_revision =
            |text: &str| text.strip_prefix('r').is_some_and(|rest| rest.parse::<u32>().is_ok());
        let is_unchanged = matches!(editor.state.get(), State::Unchanged);
        (is_unchanged && is_revision(&saved)).then(|| words::saved_as(&saved))
    };
    let label = move || match editor.rejection.get() {
        Some(SaveRejection::Moved(conflict)) => words::apply(conflict.revision),
        _ => words::SAVE.to_owned(),
    };
    let failed = move || match editor.state.get() {
        State::Failed(problem) => Some(problem_note(problem)),
        _ => None,
    };
    view! {
        <div class="panel-head">
            <h2 id="rule-title">
                <bdi>{title}</bdi>
            </h2>
            <p class="text-xs text-muted tabular-nums" role="status">
                {state}
                {saved_note}
            </p>
            <button class="primary" name="place[act]" value=SAVE>
                {label}
            </button>
        </div>
        {failed}
    }
}

fn names(editor: RuleEditorState, form: rule::RuleForm) -> AnyView {
    let types = RULE_TYPES.map(|info| (info.rule_type.as_str(), info.label)).to_vec();
    let severities =
        Severity::ALL.map(|severity| (severity.as_str(), verdict::severity(severity))).to_vec();
    any_view! {
        <div class="pair">
            <Line
                editor
                label=words::CODE
                hint="Unique in the version: letters, digits, . _ and -"
                name="code"
                value=form.code
            />
            <Line editor label=words::NAME name="name" value=form.name />
            {choice(editor, words::TYPE, "rule_type", types, &form.rule_type)}
            {choice(editor, words::SEVERITY, "severity", severities, &form.severity)}
        </div>
        <label class="checkbox">
            <input type="checkbox" name="rule[active]" value=TICKED checked=form.active.is_some() />
            <span>"Active: takes part in decisions"</span>
        </label>
    }
}

/// A single-line field for the rule member at `path`; the default is `/{name}`.
#[component]
fn Line(
    editor: RuleEditorState,
    label: &'static str,
    #[prop(default = "")] hint: &'static str,
    name: &'static str,
    #[prop(default = "")] path: &'static str,
    value: String,
) -> impl IntoView {
    let path = if path.is_empty() { format!("/{name}") } else { path.to_owned() };
    let paths = vec![path];
    let (id, error_id) = (format!("f-{name}"), format!("f-{name}-error"));
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
                aria-describedby=error_id.clone()
                aria-invalid=invalid(editor, paths.clone(), false)
            />
            {hint}
            <FieldErrorText editor paths id=error_id />
        </div>
    }
}

fn choice(
    editor: RuleEditorState,
    label: &'static str,
    name: &'static str,
    choices: Vec<(&'static str, &'static str)>,
    value: &str,
) -> AnyView {
    let paths = vec![format!("/{name}")];
    let (id, error_id) = (format!("f-{name}"), format!("f-{name}-error"));
    any_view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select
                id=id
                name=format!("rule[{name}]")
                aria-describedby=error_id.clone()
                aria-invalid=invalid(editor, paths.clone(), false)
            >
                {options(choices, value)}
            </select>
            <FieldErrorText editor paths id=error_id />
        </div>
    }
}

/// Renders the fields of one rule type. The style sheet shows those of the selected type, so that the
/// selection works without scripts and does not delete text typed for another type.
fn condition(editor: RuleEditorState, info: RuleTypeInfo, fields: Option<&Fields>) -> AnyView {
    let (rule_type, no_fields) = (info.rule_type, Fields::new());
    let fields = fields.unwrap_or(&no_fields);
    let part = |part| part_view(editor, rule_type, part, fields);
    let parts = info.parts.iter().map(part).collect_view();
    any_view! {
        <div class="condition" data-type=rule_type.as_str()>
            <p class="text-xs text-muted">{info.description}</p>
            {parts}
        </div>
    }
}

fn about(editor: RuleEditorState, form: rule::RuleForm) -> AnyView {
    let line = |label, name, path, value| view! { <Line editor label name path value /> };
    any_view! {
        <fieldset class="bare stack">
            <legend class="font-semibold">{words::ABOUT}</legend>
            <div class="field">
                <label for="f-description">{words::DESCRIPTION}</label>
                <textarea
                    id="f-description"
                    name="rule[description]"
                    rows="2"
                    aria-describedby="f-description-error"
                    aria-invalid=invalid(editor, vec!["/description".to_owned()], false)
                >
                    {between_tags(form.description)}
                </textarea>
                <FieldErrorText
                    editor
                    paths=vec!["/description".to_owned()]
                    id="f-description-error"
                />
            </div>
            <div class="pair">
                {line(words::SOURCE, "document", "/source_ref/document", form.document)}
                {line(words::SECTION, "section", "/source_ref/section", form.section)}
                {line(words::URL, "url", "/source_ref/url", form.url)}
                {line(words::REPLACES, "replaces", "/replaces_rule_code", form.replaces)}
            </div>
        </fieldset>
    }
}

/// The actions for a rule that is already in the draft.
#[component]
fn MoreActions(editor: RuleEditorState, target: EditorTarget) -> impl IntoView {
    let button = |value: &'static str, text: &'static str| {
        view! {
            <button name="place[act]" value=value>
                {text}
            </button>
        }
    };
    let actions = move || {
        let code = editor.saved_code.get();
        let copy = url::with_query(&target.page(), &[("rule", NEW), ("from", &code)]);
        (!code.is_empty()).then(|| {
            view! {
                <div class="row">{button("up", "Move up")} {button("down", "Move down")}</div>
                <details class="disclosure">
                    <summary>"Move to position, copy or remove"</summary>
                    <div class="stack remainder">
                        <div class="row">
                            <label class="row">
                                "Move to position"
                                <input
                                    name="place[to]"
                                    inputmode="numeric"
                                    size="4"
                                    autocomplete="off"
                                />
                            </label>
                            {button("move", "Move")}
                        </div>
                        <div class="row">
                            <a class="button" href=copy>
                                "Copy this rule"
                            </a>
                        </div>
                        <div class="row">
                            <button class="danger" name="place[act]" value="remove">
                                {words::REMOVE}
                            </button>
                            <span class="text-xs text-muted">
                                "Removed from this draft only. Other versions do not change."
                            </span>
                        </div>
                    </div>
                </details>
            }
        })
    };
    view! { {actions} }
}
