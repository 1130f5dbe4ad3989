//! The sign-in page.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{LogIn, read_login},
    view::{LoginContent, ProviderLink},
    words,
};
use crate::{
    flash::RejectedForm,
    second_factor::{
        act::SignInWithPasskey, markup::PasskeyForm, view::PasskeyUse, words as factor_words,
    },
    text::{messages, url},
    trust,
    ui::{
        brand::Logo,
        field::TextField,
        heading::Heading,
        load::load,
        note::{Tone, note},
        params,
        problem::summary,
    },
    verify::words as verify_words,
};

/// `/login`
#[component]
pub(crate) fn LoginPage() -> impl IntoView {
    let (next, done) = (params::query("next"), params::query("done"));
    let setup_note = move || {
        (done() == "setup")
            .then(|| note(Tone::Allow, Some("status"), "Your password is set. Sign in with it."))
    };
    let (tenant, problem) = (params::query("tenant"), params::query("problem"));
    let source = move || (next(), tenant(), problem());
    let content = load(
        source,
        |(next, tenant, problem)| read_login(next, tenant, problem),
        move |LoginContent { rejected, providers }| {
            view! {
                <ProviderLinks providers />
                <LoginForm rejected next=next() />
                <PasskeyForm
                    purpose=PasskeyUse::SignIn
                    action=SignInWithPasskey::url()
                    offers_autofill=true
                >
                    <input type="hidden" name="next" value=next() />
                    <button class="w-full">{factor_words::SIGN_IN_WITH_PASSKEY}</button>
                </PasskeyForm>
            }
            .into_any()
        },
    );
    let rejection = move || {
        let text = words::rejection(&problem())?;
        Some(note(Tone::Deny, Some("alert"), text))
    };
    view! {
        <a class="skip" href="#main">
            {messages::SKIP}
        </a>
        <main id="main" class="public sign-in">
            <div class="sign-in-form">
                <a href="/" class="brand">
                    <Logo />
                    {messages::PRODUCT}
                </a>
                <div class="stack">
                    <Heading title=words::TITLE />
                    <p class="text-muted">{words::INTRO}</p>
                    {setup_note}
                    {rejection}
                    {content}
                    <p class="text-muted text-xs">{words::SIGNING}</p>
                </div>
                <nav class="public-links" aria-label=words::LINKS>
                    <a href=url::VERIFY>{verify_words::TITLE}</a>
                    <a href=url::TRUST>{trust::TITLE}</a>
                    <a href="/help">{messages::HELP}</a>
                </nav>
            </div>
            <div class="sign-in-panel">
                <p>{words::CLAIM}</p>
            </div>
        </main>
    }
}

/// The links to the identity providers of a tenant. They come before the password, because a tenant that has a provider
/// wants its members to use it.
#[component]
fn ProviderLinks(providers: Vec<ProviderLink>) -> impl IntoView {
    if providers.is_empty() {
        return ().into_any();
    }
    let links = providers.into_iter().map(|provider| {
        view! {
            // The address is not a page of the console, so the router must not handle it.
            <a class="button w-full" href=provider.address rel="external">
                {words::sign_in_with(&provider.name)}
            </a>
        }
    });
    let links = links.collect_view();
    view! {
        <div class="stack">{links}</div>
        <p class="text-muted text-xs">{words::OR_PASSWORD}</p>
    }
    .into_any()
}

#[component]
fn LoginForm(rejected: Option<RejectedForm>, next: String) -> impl IntoView {
    let email = rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    view! {
        <form method="post" action=LogIn::url() class="stack">
            {rejected.map(|rejected| view! { <RejectedNote rejected wrong=words::WRONG /> })}
            <input type="hidden" name="next" value=next />
            <TextField
                label=words::EMAIL
                name="email"
                kind="email"
                value=email
                autocomplete="username webauthn"
                required=true
                autofocus=true
            />
            <TextField
                label=words::PASSWORD
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <button class="primary w-full">{words::SIGN_IN}</button>
            <p>
                <a href=url::RESET>{words::FORGOT}</a>
            </p>
        </form>
    }
}

/// The error of a failed sign-in, or of a failed confirmation. A wrong email and a wrong password have the same message, which does not
/// reveal whether an account exists.
#[component]
pub(crate) fn RejectedNote(rejected: RejectedForm, wrong: &'static str) -> impl IntoView {
    let problem = rejected.problem;
    let text = if problem.code == "UNAUTHORIZED" { wrong.to_owned() } else { summary(&problem) };
    note(Tone::Deny, Some("alert"), text)
}
