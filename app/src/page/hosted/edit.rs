//! The members of a form, with a preview of its questions. Every button keeps all that was typed.

use contract::{
    form::{AccessMode, BudgetWindow},
    id::{FormId, TenantId},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    entry::{Entry, anchor},
    preview::sound,
    question::Questions,
};
use crate::{
    api::hosted::{DeleteForm, EditForm, PreviewQuestions},
    page::params,
    text::{
        url,
        words::{self, hosted as say},
    },
    ui::{
        faults::{SummaryOf, Told},
        icon::{Icon, icon},
    },
    view::hosted::{FormAct, FormEdit, Unsaved},
};

/// The element that previews the questions while they are written.
const PREVIEW: &str = "preview";

#[component]
pub(super) fn Edit(
    tenant: TenantId,
    id: FormId,
    now: FormEdit,
    unsaved: Option<Unsaved>,
    may_write: bool,
) -> impl IntoView {
    let not_saved = unsaved.as_ref().map(|unsaved| {
        let had_password = unsaved.had_password;
        view! { <NotSaved had_password/> }
    });
    let unsaved = unsaved.unwrap_or_else(|| Unsaved { form: now, ..Unsaved::default() });
    let asks_json = params::query("as")() == "json";
    let is_json = asks_json || unsaved.form.json.is_some();
    let form = if is_json { unsaved.form.as_json() } else { unsaved.form };
    let told = StoredValue::new(unsaved.faults.clone());
    let faults = unsaved.faults.iter();
    let faults = faults.map(|fault| (anchor(&fault.path, is_json), say::fault(fault)));
    let faults: Vec<_> = faults.collect();
    let preview = sound(&form);
    let questions = if let Some(text) = form.json.clone() {
        view! { <Json told text is_asked=asks_json/> }.into_any()
    } else {
        let questions = form.questions.clone();
        view! { <Questions told questions at=unsaved.at/> }.into_any()
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
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <fieldset class="bare stack" disabled=!may_write>
                    // Enter presses the first button of a form, whatever stands first on the page.
                    <button class="sr-only" tabindex="-1" aria-hidden="true">
                        {say::SAVE}
                    </button>
                    {(!faults.is_empty()).then(|| view! { <SummaryOf faults/> })}
                    {not_saved}
                    <Members told now=form/>
                    // As JSON they are one field, which has this id then.
                    <section
                        id=(!is_json).then_some("fields")
                        class="stack"
                        aria-labelledby="questions"
                    >
                        <div class="card-head">
                            <h2 id="questions">{say::QUESTIONS}</h2>
                            <Look tenant id is_json may_write/>
                        </div>
                        {questions}
                    </section>
                    <div class="row">
                        <button class="primary" name="act" value=FormAct::Save.word()>
                            {say::SAVE}
                        </button>
                    </div>
                </fieldset>
            </form>
            <aside class="rail">
                <section class="card stack preview">
                    <h2>{say::PREVIEW}</h2>
                    <div id=PREVIEW>{preview}</div>
                </section>
            </aside>
        </div>
    }
}

/// What stands here is not saved, and how to be rid of it.
#[component]
fn NotSaved(had_password: bool) -> impl IntoView {
    let password = had_password.then(|| view! { <p>{say::PASSWORD_AGAIN}</p> });
    view! {
        <div class="note warn" role="status">
            {icon(Icon::Warn)}
            <div class="stack">
                <p>{say::NOT_SAVED}</p>
                {password}
                <div class="row">
                    <button name="act" value=FormAct::Discard.word()>
                        {say::DISCARD}
                    </button>
                </div>
            </div>
        </div>
    }
}

/// The way to the other look at the questions. A button takes along what was typed; who has nothing to type
/// gets a link.
#[component]
fn Look(tenant: TenantId, id: FormId, is_json: bool, may_write: bool) -> impl IntoView {
    let (act, word, page) = if is_json {
        (FormAct::OneByOne, say::ONE_BY_ONE, url::form(tenant, id))
    } else {
        (FormAct::AsJson, say::AS_JSON, url::form_as_json(tenant, id))
    };
    if may_write {
        view! { <button name="act" value=act.word()>{word}</button> }.into_any()
    } else {
        view! { <a href=page>{word}</a> }.into_any()
    }
}

/// The questions as JSON, for pasting.
#[component]
fn Json(told: Told, text: String, is_asked: bool) -> impl IntoView {
    let entry = Entry {
        told,
        path: "/fields".to_owned(),
        name: "form[json]".to_owned(),
        label: say::AS_JSON,
        hint: say::JSON_HINT,
    };
    let only = (!is_asked).then(|| view! { <p class="text-muted">{say::JSON_ONLY}</p> });
    view! {
        {only}
        {entry.code(16, text)}
    }
}

/// Everything but the questions.
#[component]
fn Members(told: Told, now: FormEdit) -> impl IntoView {
    let entry = |path: &str, name: &str, label: &'static str, hint: &'static str| Entry {
        told,
        path: path.to_owned(),
        name: format!("form[{name}]"),
        label,
        hint,
    };
    let access = AccessMode::ALL.iter().map(|mode| (mode.as_str(), say::access(*mode))).collect();
    let windows = BudgetWindow::ALL.iter().map(|one| (one.as_str(), say::window(*one))).collect();
    view! {
        {entry("/title", "title", say::NAME, "").line(now.title)}
        {entry("/description", "description", say::DESCRIPTION, say::OPTIONAL)
            .area(3, now.description)}
        {entry("/decision_type", "decision_type", say::DECISION_TYPE, "").line(now.decision_type)}
        {entry("/access_mode", "access", say::ACCESS, "").choice(access, &now.access)}
        {entry("/password", "password", say::PASSWORD, say::PASSWORD_HINT).password()}
        <div class="pair">
            {entry("/token_budget/limit", "limit", say::LIMIT, "").line(now.limit)}
            {entry("/token_budget/window", "window", say::WINDOW, "").choice(windows, &now.window)}
        </div>
        {entry("/branding/label", "asker", say::ASKER, say::ASKER_HINT).line(now.asker)}
        {entry("/branding/description", "about", say::ABOUT, say::OPTIONAL).area(3, now.about)}
        {entry("/success_message", "thanks", say::THANKS, say::OPTIONAL).area(3, now.thanks)}
    }
}

#[component]
pub(super) fn DeleteCard(tenant: TenantId, id: FormId) -> impl IntoView {
    view! {
        <details class="card disclosure">
            <summary>{words::hosted::DELETE}</summary>
            <form method="post" action=DeleteForm::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <p>{words::hosted::DELETE_SAYS}</p>
                <div class="row">
                    <button class="danger">{words::hosted::DELETE}</button>
                </div>
            </form>
        </details>
    }
}
