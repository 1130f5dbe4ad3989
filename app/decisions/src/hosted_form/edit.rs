//! The editor of a form: its settings, and its questions with a preview. Every button preserves the input.

use contract::form::{AccessMode, BudgetWindow, FormLanguage};
use governance::deciding::form::{self, ExpectedForm};
use leptos::tachys::view::RenderHtml;
use page_kit::{
    prelude::*,
    request::{put, remove, too_large},
    ui::{
        form_errors::{Control, ErrorSummaryOf},
        panel::card,
    },
};

use super::{
    access,
    field::{OPTIONAL, anchor, field, sentence},
    input::{FormAct, FormEdit, PendingFormEdit},
    language,
    question::questions,
};

/// The names of tabs in the address.
pub(super) const ACCESS: &str = "access";
pub(super) const BRANDING: &str = "branding";

/// The ID of the element with the preview.
const PREVIEW: &str = "preview";

/// Renders the editor with the tab `tab` open. The fields of the other tabs are hidden, unless there are errors.
pub(super) fn editor(
    tenant: TenantId,
    id: FormId,
    tab: &str,
    current: FormEdit,
    pending: Option<PendingFormEdit>,
    may_write: bool,
) -> AnyView {
    let note = pending.as_ref().map(|pending| unsaved_note(pending.had_password));
    let pending =
        pending.unwrap_or_else(|| PendingFormEdit { form: current, ..PendingFormEdit::default() });
    let PendingFormEdit { form, errors, at, .. } = pending;
    let requests_json = page::query("as") == "json";
    let is_json = requests_json || form.json.is_some();
    let form = if is_json { form.into_json() } else { form };
    let is_hidden = |name: &str| errors.is_empty() && tab != name;
    let summary = (!errors.is_empty()).then(|| {
        let error = |error: &FieldError| (anchor(&error.path, is_json), sentence(error));
        view! { <ErrorSummaryOf errors=errors.iter().map(error).collect() /> }
    });
    let preview = view! { <div id=PREVIEW>{valid_questions(&form)}</div> };
    let (seen, is_fields_hidden) = (form.seen.clone(), is_hidden(""));
    let questions = match form.json.clone() {
        Some(text) => json_questions(&errors, text, requests_json),
        None => questions(&errors, form.questions.clone(), at),
    };
    let settings = settings(&errors, form, is_hidden);
    any_view! {
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
                <input type="hidden" name="form[seen]" value=seen />
                <input type="hidden" name="tab" value=tab.to_owned() />
                <fieldset class="bare stack" disabled=!may_write>
                    // Enter presses the first button of a form, in document order.
                    <button class="sr-only" tabindex="-1" aria-hidden="true">
                        "Save"
                    </button>
                    {summary}
                    {note}
                    {settings}
                    <div hidden=is_fields_hidden>
                        // As JSON, the questions are one field, which then has this ID.
                        <section
                            id=(!is_json).then_some("fields")
                            class="stack"
                            aria-labelledby="questions"
                        >
                            <div class="card-head">
                                <h2 id="questions">"Questions"</h2>
                                {view_switch(tenant, id, is_json, may_write)}
                            </div>
                            {questions}
                        </section>
                    </div>
                    <div class="row">
                        <button class="primary" name="act" value=FormAct::Save.word()>
                            "Save"
                        </button>
                    </div>
                </fieldset>
            </form>
            <aside class="rail">{card("card stack preview", "Preview", preview.into_any())}</aside>
        </div>
    }
}

/// Renders a button that preserves the input.
fn act_button(act: FormAct, label: &'static str) -> AnyView {
    any_view! {
        <button name="act" value=act.word()>
            {label}
        </button>
    }
}

/// Renders the note that the input is not saved, with the button to discard it.
fn unsaved_note(had_password: bool) -> AnyView {
    let password =
        had_password.then(|| view! { <p>"Enter the new password again. It was not stored."</p> });
    any_view! {
        <div class="note warn" role="status">
            {icon(Icon::Warn)}
            <div class="stack">
                <p>"You have unsaved changes."</p>
                {password}
                <div class="row">{act_button(FormAct::Discard, "Discard the changes")}</div>
            </div>
        </div>
    }
}

/// Renders the switch between the two views of the questions. Users without write access get a link.
fn view_switch(tenant: TenantId, id: FormId, is_json: bool, may_write: bool) -> AnyView {
    let (act, label, page) = if is_json {
        (FormAct::OneByOne, "Questions one by one", url::form(tenant, id))
    } else {
        (FormAct::AsJson, AS_JSON, url::form_as_json(tenant, id))
    };
    if may_write {
        act_button(act, label)
    } else {
        any_view! { <a href=page>{label}</a> }
    }
}

const AS_JSON: &str = "Questions as JSON";

/// Renders the questions as JSON, for copy and paste.
fn json_questions(errors: &[FieldError], text: String, is_requested: bool) -> AnyView {
    let hint = "JSON with name, label, type and the options of the type (docs/FORMS.md). Each name is a field that rules read.";
    let field =
        MemberField::new(errors, AS_JSON, "fields", "form[json]").hint(hint).parts(sentence);
    let area = field.wrap(|Control { id, name, described_by, invalid }| {
        any_view! {
            <textarea
                id=id
                name=name
                rows="16"
                class="font-mono"
                spellcheck="false"
                aria-describedby=described_by
                aria-invalid=invalid
            >
                {between_tags(text)}
            </textarea>
        }
    });
    let note = (!is_requested).then(|| {
        view! {
            <p class="text-muted">
                "A question uses options that the form view does not support. Edit the questions as JSON."
            </p>
        }
    });
    (note, area).into_any()
}

/// Renders all settings of the form except its questions. Hidden tabs are submitted too.
fn settings(errors: &[FieldError], form: FormEdit, is_hidden: impl Fn(&str) -> bool) -> AnyView {
    let field = |path, name: &str, hint| field(errors, path, format!("form[{name}]"), hint);
    let tab = |name: &str, fields: AnyView| {
        view! {
            <div hidden=is_hidden(name)>
                <div class="stack">{fields}</div>
            </div>
        }
    };
    let fields = view! {
        {field("/title", "title", "").input("text", form.title)}
        {field("/description", "description", OPTIONAL).area(3, form.description)}
        {field("/decision_type", "decision_type", "").input("text", form.decision_type)}
    };
    let modes = AccessMode::ALL.map(|mode| (mode.as_str(), access(mode)));
    let windows = BudgetWindow::ALL.map(|window| (window.as_str(), window.as_str()));
    let access = view! {
        {field("/access_mode", "access", "").choice(modes, &form.access)}
        {field(
                "/password",
                "password",
                "6 to 256 characters. Leave empty to keep the current password. It is not shown again.",
            )
            .input("password", String::new())}
        <div class="pair">
            {field("/token_budget/limit", "limit", "").input("text", form.limit)}
            {field("/token_budget/window", "window", "").choice(windows, &form.window)}
        </div>
    };
    let languages = FormLanguage::ALL.map(|own| (own.as_str(), language(own)));
    let branding = view! {
        {field("/branding/label", "asker", "Leave empty to use the name of the tenant.")
            .input("text", form.asker)}
        {field("/branding/description", "about", OPTIONAL).area(3, form.about)}
        {field(
                "/language",
                "language",
                "The language of buttons, notices and errors. Your own texts are not translated.",
            )
            .choice(languages, &form.language)}
        {field("/success_message", "thanks", OPTIONAL).area(3, form.thanks)}
    };
    any_view! {
        {tab("", fields.into_any())}
        {tab(ACCESS, access.into_any())}
        {tab(BRANDING, branding.into_any())}
    }
}

/// Renders the preview while the form is edited: the errors, then the valid questions.
fn preview(form: &FormEdit) -> AnyView {
    let errors = form.fields().err().map(|errors| {
        let item = |error: FieldError| {
            view! {
                <li>
                    <bdi>{quoted(&sentence(&error))}</bdi>
                </li>
            }
        };
        view! {
            <div role="status">
                <ul class="plain-list error-list">{errors.into_iter().map(item).collect_view()}</ul>
            </div>
        }
    });
    any_view! { <div class="stack">{errors} {valid_questions(form)}</div> }
}

/// Renders the valid questions, similar to the public page.
fn valid_questions(form: &FormEdit) -> AnyView {
    let fields = form.fields().unwrap_or_else(|_| form.sound_fields());
    any_view! { <div class="stack">{fields.into_iter().map(preview_question).collect_view()}</div> }
}

fn preview_question(field: FormField) -> AnyView {
    let required_mark =
        field.is_required().then(|| view! { <span class="text-muted">" " "(required)"</span> });
    let options = field.options_or_empty().iter();
    let options: Vec<_> = options.map(|own| view! { <li>{bdi(&own.label)}</li> }).collect();
    let options =
        (!options.is_empty()).then(|| view! { <ul class="preview-options">{options}</ul> });
    let class = if field.kind == FieldType::Textarea { "preview-box tall" } else { "preview-box" };
    let input_box = (!field.kind.has_options()).then(|| {
        view! {
            <div class=class>
                <bdi class="text-muted">{field.placeholder.unwrap_or_default()}</bdi>
            </div>
        }
    });
    let help = field.help.map(|help| {
        view! { <small class="text-muted">{bdi(&help)}</small> }
    });
    any_view! {
        <div class="field">
            <span>{bdi(&field.label)} {required_mark}</span>
            {help}
            {options}
            {input_box}
        </div>
    }
}

/// Returns the session key of the unsaved input.
pub(super) fn pending_key(id: FormId) -> String {
    format!("hosted {id}")
}

/// Saves a form, or changes only the unsaved input, depending on the pressed button. Redirects to the tab `tab` of the
/// form.
#[server(prefix = "/console", endpoint = "edit-form", output = JsonCodec)]
async fn edit_form(
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
    #[server(default)] act: String,
    #[server(default)] tab: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let edited = edit(&cx, id, form, FormAct::of(&act)).await;
    let page = url::form(tenant, id);
    let done = match &edited {
        _ if !tab.is_empty() => url::form_tab(tenant, id, &tab),
        Ok(true) => url::form_as_json(tenant, id),
        _ => page.clone(),
    };
    request::respond(edited, &done, &page, String::new()).await
}

/// Performs the action of a button. Stores unsaved input for the page, and returns whether its questions are JSON.
async fn edit(cx: &Cx, id: FormId, mut form: FormEdit, act: FormAct) -> Result<bool, Problem> {
    cx.tenant(permission::WRITE_FORMS)?;
    let key = pending_key(id);
    let mut pending =
        PendingFormEdit { had_password: !form.password.is_empty(), ..PendingFormEdit::default() };
    match act {
        FormAct::Save => match save(cx, id, &form).await {
            Ok(errors) => pending.errors = errors,
            // The stored form is not the one that the user has seen.
            Err(error) if error.code() == ErrorCode::Conflict => {
                let problem: Problem = error.into();
                pending.form = form.without_password();
                let is_input_lost = !put(&key, pending).await?;
                return Err(Problem { is_input_lost, ..problem });
            }
            Err(error) => return Err(error.into()),
        },
        FormAct::Discard => {}
        FormAct::AsJson => form = form.into_json(),
        FormAct::OneByOne => match form.one_by_one() {
            Ok(fields) => form = fields,
            Err(errors) => pending.errors = errors,
        },
        change => pending.at = change.apply(&mut form.questions),
    }
    let is_json = form.json.is_some();
    if act == FormAct::Discard || (act == FormAct::Save && pending.errors.is_empty()) {
        remove(&key).await?;
        return Ok(is_json);
    }
    // Input is stored only for forms that exist.
    form::read(cx, id).await?;
    pending.form = form.without_password();
    if put(&key, &pending).await? {
        return Ok(is_json);
    }
    let problem = match pending.errors.as_slice() {
        [] => too_large(),
        errors => Problem::of_fields(errors, &[]),
    };
    Err(Problem { is_input_lost: true, ..problem })
}

/// Saves the form, unless it has changed since the user read it. Returns the errors of its fields.
async fn save(cx: &Cx, id: FormId, edit: &FormEdit) -> Result<Vec<FieldError>, governance::Error> {
    let patch = match edit.patch() {
        Ok(patch) => patch,
        Err(errors) => return Ok(errors),
    };
    let expected = ExpectedForm { digest: edit.seen.clone(), is_published: None };
    match form::edit(cx, id, patch, Some(&expected)).await {
        Ok(_) => Ok(Vec::new()),
        Err(error) => request::fields(&error).ok_or(error),
    }
}

/// Renders the questions of an edited form as HTML, similar to the public page. Stores the input while it differs from
/// the saved form, so that it survives leaving the page.
#[server(prefix = "/console", endpoint = "preview-questions", output = JsonCodec)]
async fn preview_questions(
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
) -> Result<String, Problem> {
    let cx = request::human(tenant).await?;
    store(&cx, id, form.clone()).await?;
    Ok(preview(&form).to_html())
}

async fn store(cx: &Cx, id: FormId, input: FormEdit) -> Result<(), Problem> {
    cx.tenant(permission::WRITE_FORMS)?;
    let saved = FormEdit::stored(&form::read(cx, id).await?)?;
    let saved = if input.json.is_some() { saved.into_json() } else { saved };
    let key = pending_key(id);
    if input == saved {
        return remove(&key).await;
    }
    let form = input.without_password();
    let pending = PendingFormEdit { form, ..PendingFormEdit::default() };
    if put(&key, pending).await? { Ok(()) } else { Err(too_large()) }
}
