//! The pages before a form: its access prompt, and errors that prevent access.

use contract::form::{ACCESS_CHARS_MAX, AccessMode};
use page_kit::prelude::*;

use super::{
    document::{Document, alert, correlation_id},
    texts::Texts,
};

/// The page of an error that prevents access to a form or a result.
#[derive(Clone, Debug)]
pub struct ErrorPage {
    pub title: &'static str,
    pub text: String,
    pub correlation_id: String,
}

impl ErrorPage {
    pub fn render(self, document: &Document) -> String {
        let Self { title, text, correlation_id: id } = self;
        let main = any_view! {
            <div class="form-head">
                <h1>{title}</h1>
                <p>{text}</p>
            </div>
            {correlation_id(id, document.texts)}
        };
        document.render(title, None, main)
    }
}

/// The page that requests the credentials of a form. It contains nothing of the form.
#[derive(Clone, Debug)]
pub struct AccessPrompt {
    pub id: FormId,
    pub mode: AccessMode,
    /// Whether the request has credentials, which are wrong.
    pub has_credentials: bool,
    /// The posted fields of answers, which are posted again with the credentials.
    pub answers: Vec<(String, String)>,
    pub correlation_id: String,
}

impl AccessPrompt {
    pub fn render(self, document: &Document) -> String {
        let texts = document.texts;
        let Self { id, mode, has_credentials, answers, correlation_id: request } = self;
        let (title, help, error) = match mode {
            AccessMode::Token => (texts.token_title, texts.token_help, texts.wrong_token),
            AccessMode::Password => {
                (texts.password_title, texts.password_help, texts.wrong_password)
            }
            AccessMode::Console | AccessMode::Open => {
                (texts.sign_in_title, texts.sign_in_help, texts.not_a_member)
            }
        };
        let error = has_credentials.then(|| alert("deny", any_view! { <p>{error}</p> }));
        let note = (!answers.is_empty()).then(|| view! { <p>{texts.answers_saved}</p> });
        let main = any_view! {
            <div class="form-head">
                <h1>{title}</h1>
                {error}
                <p>{help}</p>
                {note}
            </div>
            {action(mode, id, answers, texts)}
            {correlation_id(request, texts)}
        };
        document.render(title, None, main)
    }
}

/// Renders the form for a token or a password, or the link to the sign-in page. Answers are hidden fields of the form.
fn action(
    mode: AccessMode,
    id: FormId,
    answers: Vec<(String, String)>,
    texts: &'static Texts,
) -> AnyView {
    let has_answers = !answers.is_empty();
    let control = match mode {
        AccessMode::Token => credential(texts.token, "access_token", "text"),
        AccessMode::Password => credential(texts.password, "password", "password"),
        AccessMode::Console | AccessMode::Open => sign_in(id, has_answers, texts),
    };
    if !has_answers && matches!(mode, AccessMode::Console | AccessMode::Open) {
        return control;
    }
    // The link of a token is the address of the form with the token.
    let is_get = mode == AccessMode::Token && !has_answers;
    let method = if is_get { "get" } else { "post" };
    let gate = (!is_get).then(|| view! { <input type="hidden" name="gate" value="1" /> });
    let hidden = |(name, value)| view! { <input type="hidden" name=name value=value /> };
    let answers = answers.into_iter().map(hidden).collect_view();
    any_view! {
        <form class="public-form" method=method action=format!("/f/{id}")>
            {gate}
            {answers}
            {control}
            <div class="form-end">
                <button class="primary">{texts.continue_button}</button>
            </div>
        </form>
    }
}

/// Renders the link to the sign-in page, which leaves a page with answers open.
fn sign_in(id: FormId, has_answers: bool, texts: &'static Texts) -> AnyView {
    any_view! {
        <p>
            <a
                class=if has_answers { "button" } else { "button primary" }
                href=format!("/login?next=%2Ff%2F{id}")
                target=has_answers.then_some("_blank")
            >
                {texts.sign_in}
            </a>
        </p>
    }
}

fn credential(label: &'static str, name: &'static str, kind: &'static str) -> AnyView {
    any_view! {
        <div class="field">
            <label for=name>{label}</label>
            <input
                id=name
                name=name
                type=kind
                maxlength=ACCESS_CHARS_MAX.to_string()
                required
                autocomplete="off"
                spellcheck="false"
                autofocus=true
            />
        </div>
    }
}
