//! The settings of a form, with a preview of its questions. Every button preserves the input.

use contract::{
    form::{AccessMode, BudgetWindow, FormLanguage},
    id::{FormId, TenantId},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    field::{FormFieldInput, anchor},
    question::Questions,
};
use crate::{
    hosted_form::{
        act::{DeleteForm, EditForm, PreviewQuestions},
        markup::valid_questions,
        view::{FormAct, FormEdit, PendingFormEdit},
        words, words as strings,
    },
    text::url,
    ui::{
        form_errors::{ErrorSummaryOf, FormErrors},
        icon::{Icon, icon},
        panel::submit,
        params,
    },
};

/// The ID of the element with the preview.
const PREVIEW: &str = "preview";

#[component]
pub(super) fn FormEditor(
    tenant: TenantId,
    id: FormId,
    /// The open tab. The fields of the other tabs are hidden, unless there are errors.
    tab: String,
    current: FormEdit,
    pending: Option<PendingFormEdit>,
    may_write: bool,
) -> impl IntoView {
    let unsaved_note = pending.as_ref().map(|pending| {
        let had_password = pending.had_password;
        view! { <UnsavedNote had_password /> }
    });
    let pending =
        pending.unwrap_or_else(|| PendingFormEdit { form: current, ..PendingFormEdit::default() });
    let requests_json = params::query("as")() == "json";
    let is_json = requests_json || pending.form.json.is_some();
    let form = if is_json { pending.form.into_json() } else { pending.form };
    let form_errors = StoredValue::new(pending.errors.clone());
    let errors: Vec<_> = pending
        .errors
        .iter()
        .map(|error| (anchor(&error.path, is_json), strings::error(error)))
        .collect();
    let preview = valid_questions(&form);
    let shows_all = !errors.is_empty();
    let is_shown = |name: &str| shows_all || tab == name;
    let shown = SettingsShown {
        fields: is_shown(""),
        access: is_shown(strings::ACCESS_TAB),
        branding: is_shown(strings::BRANDING_TAB),
    };
    let questions = if let Some(text) = form.json.clone() {
        view! { <Json form_errors text is_requested=requests_json /> }.into_any()
    } else {
        let questions = form.questions.clone();
        view! { <Questions form_errors questions changed=pending.at /> }.into_any()
    };
    view! {
        <div class="with-rail">
            <form
                method="post"
                action=EditForm::url()
                class="card stack"
                data-once=""
                data-preview=PREVIEW
                data-preview-by=PreviewQuestions::url()
                novalidate
            >
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="form[seen]" value=form.seen.clone() />
                <input type="hidden" name="tab" value=tab />
                <fieldset class="bare stack" disabled=!may_write>
                    // Enter presses the first button of a form, in document order.
                    <button class="sr-only" tabindex="-1" aria-hidden="true">
                        {strings::SAVE}
                    </button>
                    {(!errors.is_empty()).then(|| view! { <ErrorSummaryOf errors /> })}
                    {unsaved_note}
                    <Settings form_errors form shown />
                    <div hidden=!shown.fields>
                        // As JSON, the questions are one field, which then has this ID.
                        <section
                            id=(!is_json).then_some("fields")
                            class="stack"
                            aria-labelledby="questions"
                        >
                            <div class="card-head">
                                <h2 id="questions">{strings::QUESTIONS}</h2>
                                <QuestionViewSwitch tenant id is_json may_write />
                            </div>
                            {questions}
                        </section>
                    </div>
                    <div class="row">
                        <button class="primary" name="act" value=FormAct::Save.word()>
                            {strings::SAVE}
                        </button>
                    </div>
                </fieldset>
            </form>
            <aside class="rail">
                <section class="card stack preview">
                    <h2>{strings::PREVIEW}</h2>
                    <div id=PREVIEW>{preview}</div>
                </section>
            </aside>
        </div>
    }
}

/// The note that the input is not saved, with the button to discard it.
#[component]
fn UnsavedNote(had_password: bool) -> impl IntoView {
    let password = had_password.then(|| view! { <p>{strings::PASSWORD_NOT_STORED}</p> });
    view! {
        <div class="note warn" role="status">
            {icon(Icon::Warn)}
            <div class="stack">
                <p>{strings::UNSAVED_CHANGES}</p>
                {password}
                <div class="row">
                    <button name="act" value=FormAct::Discard.word()>
                        {strings::DISCARD}
                    </button>
                </div>
            </div>
        </div>
    }
}

/// The switch between the two views of the questions. A button preserves the input; users without write
/// access get a link.
#[component]
fn QuestionViewSwitch(
    tenant: TenantId,
    id: FormId,
    is_json: bool,
    may_write: bool,
) -> impl IntoView {
    let (action, label, page) = if is_json {
        (FormAct::OneByOne, strings::ONE_BY_ONE, url::form(tenant, id))
    } else {
        (FormAct::AsJson, strings::AS_JSON, url::form_as_json(tenant, id))
    };
    if may_write {
        view! {
            <button name="act" value=action.word()>
                {label}
            </button>
        }
        .into_any()
    } else {
        view! { <a href=page>{label}</a> }.into_any()
    }
}

/// The questions as JSON, for copy and paste.
#[component]
fn Json(form_errors: FormErrors, text: String, is_requested: bool) -> impl IntoView {
    let field = FormFieldInput {
        form_errors,
        path: "/fields".to_owned(),
        name: "form[json]".to_owned(),
        label: strings::AS_JSON,
        hint: strings::JSON_HINT,
    };
    let note = (!is_requested).then(|| view! { <p class="text-muted">{strings::JSON_ONLY}</p> });
    view! {
        {note}
        {field.code(16, text)}
    }
}

/// The tabs whose fields are shown.
#[derive(Clone, Copy, Debug)]
struct SettingsShown {
    fields: bool,
    access: bool,
    branding: bool,
}

/// Renders the fields of a tab. Hidden fields are submitted too.
fn tab_fields(is_shown: bool, content: impl IntoView) -> impl IntoView {
    view! {
        <div hidden=!is_shown>
            <div class="stack">{content}</div>
        </div>
    }
}

/// All settings of the form except its questions.
#[component]
fn Settings(form_errors: FormErrors, form: FormEdit, shown: SettingsShown) -> impl IntoView {
    let field = |path: &str, name: &str, label: &'static str, hint: &'static str| FormFieldInput {
        form_errors,
        path: path.to_owned(),
        name: format!("form[{name}]"),
        label,
        hint,
    };
    let access =
        AccessMode::ALL.iter().map(|mode| (mode.as_str(), strings::access(*mode))).collect();
    let windows = BudgetWindow::ALL
        .iter()
        .map(|window| (window.as_str(), strings::window(*window)))
        .collect();
    let languages = FormLanguage::ALL
        .iter()
        .map(|language| (language.as_str(), strings::language(*language)))
        .collect();
    let fields = view! {
        {field("/title", "title", strings::NAME, "").line(form.title)}
        {field("/description", "description", strings::DESCRIPTION, strings::OPTIONAL)
            .area(3, form.description)}
        {field("/decision_type", "decision_type", strings::DECISION_TYPE, "")
            .line(form.decision_type)}
    };
    let access = view! {
        {field("/access_mode", "access", strings::ACCESS, "").choice(access, &form.access)}
        {field("/password", "password", strings::PASSWORD, strings::PASSWORD_HINT).password()}
        <div class="pair">
            {field("/token_budget/limit", "limit", strings::LIMIT, "").line(form.limit)}
            {field("/token_budget/window", "window", strings::WINDOW, "")
                .choice(windows, &form.window)}
        </div>
    };
    let branding = view! {
        {field("/branding/label", "asker", strings::ORGANIZATION, strings::ORGANIZATION_HINT)
            .line(form.asker)}
        {field(
                "/branding/description",
                "about",
                strings::ORGANIZATION_DESCRIPTION,
                strings::OPTIONAL,
            )
            .area(3, form.about)}
        {field("/language", "language", strings::LANGUAGE, strings::LANGUAGE_HINT)
            .choice(languages, &form.language)}
        {field("/success_message", "thanks", strings::CONFIRMATION, strings::OPTIONAL)
            .area(3, form.thanks)}
    };
    view! {
        {tab_fields(shown.fields, fields)}
        {tab_fields(shown.access, access)}
        {tab_fields(shown.branding, branding)}
    }
}

#[component]
pub(super) fn DeleteCard(
    tenant: TenantId,
    id: FormId,
    is_published: bool,
    seen: String,
) -> impl IntoView {
    view! {
        <details class="card disclosure">
            <summary>{words::DELETE}</summary>
            <form method="post" action=DeleteForm::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="published" value=is_published.to_string() />
                <input type="hidden" name="seen" value=seen />
                <p>{words::DELETE_HELP}</p>
                {submit("danger", words::DELETE)}
            </form>
        </details>
    }
}
