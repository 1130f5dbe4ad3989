//! Signing in.

use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::session::{LogIn, read_login},
    text::{refusal::say, url, words},
    ui::{
        field::TextField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        public::PublicFrame,
    },
    view::kept::Kept,
};

/// `/login`
#[component]
pub(crate) fn LoginPage() -> impl IntoView {
    let (next, done) = (params::query("next"), params::query("done"));
    let welcome = move || {
        (done() == "setup").then(|| {
            view! {
                <div class="note allow" role="status">
                    {icon(Icon::Allow)}
                    <p>{words::setup::DONE}</p>
                </div>
            }
        })
    };
    let refused = Resource::new(next, async |next| read_login(next).await);
    view! {
        <PublicFrame>
            <div class="card sheet">
                <Heading title=words::login::TITLE/>
                {welcome}
                {load(refused, move |kept| view! { <LoginForm kept next=next()/> }.into_any())}
            </div>
        </PublicFrame>
    }
}

#[component]
fn LoginForm(kept: Option<Kept>, next: String) -> impl IntoView {
    let email = kept.as_ref().map(|kept| kept.text.clone()).unwrap_or_default();
    view! {
        <form method="post" action=LogIn::url() class="stack">
            {kept.map(|kept| view! { <Refused kept wrong=words::login::WRONG/> })}
            <input type="hidden" name="next" value=next/>
            <TextField
                label=words::login::EMAIL
                name="email"
                kind="email"
                value=email
                autocomplete="username"
                required=true
                autofocus=true
            />
            <TextField
                label=words::login::PASSWORD
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <button class="primary w-full">{words::login::SIGN_IN}</button>
            <p>
                <a href=url::RESET>{words::login::FORGOT}</a>
            </p>
        </form>
    }
}

/// One message for every failure, so that nobody learns which address has an account.
#[component]
pub(super) fn Refused(kept: Kept, wrong: &'static str) -> impl IntoView {
    let Kept { problem, .. } = kept;
    let text = if problem.code == "UNAUTHORIZED" {
        wrong.to_owned()
    } else {
        let said = say(&problem);
        format!("{} {}", said.text, said.next)
    };
    view! {
        <div class="note deny" role="alert">
            {icon(Icon::Deny)}
            <p>{text}</p>
        </div>
    }
}
