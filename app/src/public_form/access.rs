//! The pages before a form: its access prompt, and errors that prevent access.

use contract::{
    form::{ACCESS_CHARS_MAX, AccessMode},
    id::FormId,
};
use leptos::prelude::*;

use super::{
    document::{Alert, CorrelationId, Document},
    words::PublicFormTexts,
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
        let Self { title, text, correlation_id } = self;
        let main = view! {
            <div class="form-head">
                <h1>{title}</h1>
                <p>{text}</p>
            </div>
            <CorrelationId id=correlation_id texts=document.texts() />
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
    pub correlation_id: String,
}

impl AccessPrompt {
    pub fn render(self, document: &Document) -> String {
        let texts = document.texts();
        let Self { id, mode, has_credentials, correlation_id } = self;
        let (title, help, error) = match mode {
            AccessMode::Token => (texts.token_title, texts.token_help, texts.wrong_token),
            AccessMode::Password => {
                (texts.password_title, texts.password_help, texts.wrong_password)
            }
            AccessMode::Console | AccessMode::Open => {
                (texts.sign_in_title, texts.sign_in_help, texts.not_a_member)
            }
        };
        let error = has_credentials.then(|| {
            view! {
                <Alert tone="deny">
                    <p>{error}</p>
                </Alert>
            }
        });
        let main = view! {
            <div class="form-head">
                <h1>{title}</h1>
                {error}
                <p>{help}</p>
            </div>
            {action(mode, id, texts)}
            <CorrelationId id=correlation_id texts />
        };
        document.render(title, None, main)
    }
}

/// Renders the form for a token or a password, or the link to the sign-in page.
fn action(mode: AccessMode, id: FormId, texts: &'static PublicFormTexts) -> AnyView {
    let address = format!("/f/{id}");
    match mode {
        AccessMode::Token => view! {
            <form class="public-form" method="get" action=address>
                <Credential label=texts.token name="access_token" kind="text" texts />
            </form>
        }
        .into_any(),
        AccessMode::Password => view! {
            <form class="public-form" method="post" action=address>
                <input type="hidden" name="gate" value="1" />
                <Credential label=texts.password name="password" kind="password" texts />
            </form>
        }
        .into_any(),
        AccessMode::Console | AccessMode::Open => view! {
            <p>
                <a class="button primary" href=format!("/login?next=%2Ff%2F{id}")>
                    {texts.sign_in}
                </a>
            </p>
        }
        .into_any(),
    }
}

#[component]
fn Credential(
    label: &'static str,
    name: &'static str,
    kind: &'static str,
    texts: &'static PublicFormTexts,
) -> impl IntoView {
    view! {
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
        <div class="form-end">
            <button class="primary">{texts.continue_button}</button>
        </div>
    }
}
