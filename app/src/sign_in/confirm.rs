//! Confirmation of the identity before an action that is signed in the user's name.

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
    second_factor::{
        markup::PasskeyForm,
        view::{Factors, PasskeyUse, UsedFactor},
        words as factor_words,
    },
    text::{messages, url},
    ui::{
        field::{HintedField, TextField},
        heading::Heading,
        load::load,
        panel::submit_or_cancel,
        params,
        public::PublicFrame,
    },
};

/// `/login/confirm`
#[component]
pub(crate) fn ConfirmPage() -> impl IntoView {
    let next = params::query("next");
    let content = load(next, read_confirmation, move |confirmation| {
        let Confirmation { person, factors, rejected, provider } = confirmation;
        match provider {
            Some(provider) => view! { <SignInAgain provider next=next() /> }.into_any(),
            None => view! { <ConfirmForm person factors rejected next=next() /> }.into_any(),
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
fn ConfirmForm(
    person: Person,
    factors: Factors,
    rejected: Option<RejectedForm>,
    next: String,
) -> impl IntoView {
    let back = url::own_path(&next).to_owned();
    let has_factor = factors.passkey || factors.has_codes();
    let why = if has_factor { confirm_words::WHY_FACTOR } else { confirm_words::WHY };
    let note = rejected.map(|rejected| {
        let wrong = match &*rejected.text {
            text if text == UsedFactor::Passkey.word() => factor_words::WRONG_PASSKEY,
            _ if has_factor => confirm_words::WRONG_FACTOR,
            _ => confirm_words::WRONG,
        };
        view! { <RejectedNote rejected wrong /> }
    });
    let passkey = factors.passkey.then(|| view! { <ConfirmPasskey next=next.clone() /> });
    view! {
        <p>{why}</p>
        {note}
        {passkey}
        <form method="post" action=Confirm::url() class="stack">
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
            {factors.has_codes().then(|| code_field(factors))}
            {submit_or_cancel(confirm_words::CONFIRM, back)}
        </form>
    }
}

/// The form that confirms with a passkey instead of the password.
#[component]
fn ConfirmPasskey(next: String) -> impl IntoView {
    view! {
        <PasskeyForm purpose=PasskeyUse::Confirm action=Confirm::url()>
            <input type="hidden" name="next" value=next />
            <button class="w-full">{factor_words::USE_PASSKEY}</button>
        </PasskeyForm>
        <p class="text-muted text-xs with-scripts">{confirm_words::OR_PASSWORD}</p>
    }
}

fn code_field(factors: Factors) -> impl IntoView {
    let (label, hint) = if factors.totp {
        (factor_words::CODE, confirm_words::CODE_HINT)
    } else {
        (factor_words::RECOVERY_CODE, factor_words::RECOVERY_HINT)
    };
    view! {
        <HintedField
            label
            hint
            name="code"
            id="code"
            autocomplete="one-time-code"
            required=true
            maxlength=50
        />
    }
}
