//! The sign-in page.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::session::{LogIn, read_login},
    markup::note::{Tone, note},
    text::{messages, url},
    ui::{
        field::TextField, heading::Heading, load::load, params, problem::summary,
        public::PublicFrame,
    },
    view::flash::RejectedForm,
};

/// `/login`
#[component]
pub(crate) fn LoginPage() -> impl IntoView {
    let (next, done) = (params::query("next"), params::query("done"));
    let setup_note = move || {
        (done() == "setup").then(|| note(Tone::Allow, Some("status"), messages::setup::DONE))
    };
    let content = load(next, read_login, move |rejected| {
        view! { <LoginForm rejected next=next() /> }.into_any()
    });
    view! {
        <PublicFrame>
            <div class="card panel">
                <Heading title=messages::login::TITLE />
                {setup_note}
                {content}
            </div>
        </PublicFrame>
    }
}

#[component]
fn LoginForm(rejected: Option<RejectedForm>, next: String) -> impl IntoView {
    let email = rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    view! {
        <form method="post" action=LogIn::url() class="stack">
            {rejected
                .map(|rejected| view! { <RejectedNote rejected wrong=messages::login::WRONG /> })}
            <input type="hidden" name="next" value=next />
            <TextField
                label=messages::login::EMAIL
                name="email"
                kind="email"
                value=email
                autocomplete="username"
                required=true
                autofocus=true
            />
            <TextField
                label=messages::login::PASSWORD
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <button class="primary w-full">{messages::login::SIGN_IN}</button>
            <p>
                <a href=url::RESET>{messages::login::FORGOT}</a>
            </p>
        </form>
    }
}

/// The error of a failed sign-in. A wrong email and a wrong password have the same message, which does not
/// reveal whether an account exists.
#[component]
pub(super) fn RejectedNote(rejected: RejectedForm, wrong: &'static str) -> impl IntoView {
    let problem = rejected.problem;
    let text = if problem.code == "UNAUTHORIZED" { wrong.to_owned() } else { summary(&problem) };
    note(Tone::Deny, Some("alert"), text)
}
