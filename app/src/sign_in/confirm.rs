//! Password confirmation before an action that is signed in the user's name.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{Confirm, read_confirmation},
    confirm_words,
    page::RejectedNote,
    view::{Confirmation, ProviderLink},
    words,
};
use crate::{
    flash::RejectedForm,
    frame::view::Person,
    text::{messages, url},
    ui::{
        field::TextField, heading::Heading, load::load, panel::submit_or_cancel, params,
        public::PublicFrame,
    },
};

/// `/login/confirm`
#[component]
pub(crate) fn ConfirmPage() -> impl IntoView {
    let next = params::query("next");
    let content = load(next, read_confirmation, move |confirmation| {
        let Confirmation { person, rejected, provider } = confirmation;
        match provider {
            Some(provider) => view! { <SignInAgain provider next=next() /> }.into_any(),
            None => view! { <ConfirmForm person rejected next=next() /> }.into_any(),
        }
    });
    view! {
        <PublicFrame>
            <div class="card panel">
                <Heading title=confirm_words::TITLE />
                {content}
            </div>
        </PublicFrame>
    }
}

/// The link for a user whom an identity provider signed in. The provider authenticates the user again.
#[component]
fn SignInAgain(provider: ProviderLink, next: String) -> impl IntoView {
    let back = url::own_path(&next).to_owned();
    view! {
        <p>{confirm_words::WHY_PROVIDER}</p>
        <div class="row end">
            <a class="button" href=back>
                {messages::CANCEL}
            </a>
            <a class="button primary" href=provider.address rel="external">
                {confirm_words::sign_in_again(&provider.name)}
            </a>
        </div>
    }
}

#[component]
fn ConfirmForm(person: Person, rejected: Option<RejectedForm>, next: String) -> impl IntoView {
    let back = url::own_path(&next).to_owned();
    view! {
        <p>{confirm_words::WHY}</p>
        <form method="post" action=Confirm::url() class="stack">
            {rejected
                .map(|rejected| view! { <RejectedNote rejected wrong=confirm_words::WRONG /> })}
            <input type="hidden" name="next" value=next />
            // Password managers select the password by this email.
            <label class="field">
                <span>{words::EMAIL}</span>
                <input type="email" value=person.email autocomplete="username" readonly />
            </label>
            <TextField
                label=words::PASSWORD
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
                autofocus=true
            />
            {submit_or_cancel(confirm_words::CONFIRM, back)}
        </form>
    }
}
