//! The second factor after the password.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{FinishSignIn, read_step},
    markup::{CodeField, PasskeyForm, RecoveryField},
    view::{Factors, PasskeyUse, Step, UsedFactor},
    words,
};
use crate::{
    flash::RejectedForm,
    text::url,
    ui::{
        heading::Heading,
        load::load,
        note::{Tone, note},
        params,
        problem::summary,
        public::PublicFrame,
    },
};

/// `/login/second-factor`
#[component]
pub(crate) fn SecondFactorPage() -> impl IntoView {
    let next = params::query("next");
    let content =
        load(next, read_step, move |step| view! { <StepContent step next=next() /> }.into_any());
    view! {
        <PublicFrame>
            <div class="card panel stack">
                <Heading title=words::STEP_TITLE />
                {content}
            </div>
        </PublicFrame>
    }
}

#[component]
fn StepContent(step: Step, next: String) -> impl IntoView {
    let Step { factors, rejected } = step;
    let used = rejected.as_ref().map(|rejected| rejected.text.clone());
    let is_wrong = move |factor: UsedFactor| used.as_deref() == Some(factor.word());
    let (is_wrong_code, is_wrong_recovery) =
        (is_wrong(UsedFactor::Code), is_wrong(UsedFactor::RecoveryCode));
    let sign_in = url::with_query(url::LOGIN, &[("next", &next)]);
    view! {
        <p>{words::STEP_WHY}</p>
        {rejected.as_ref().map(rejected_note)}
        {factors.passkey.then(|| view! { <Passkey next=next.clone() /> })}
        {factors
            .totp
            .then(|| view! { <Code next=next.clone() factors is_invalid=is_wrong_code /> })}
        {factors.recovery_code.then(|| view! { <Recovery next is_invalid=is_wrong_recovery /> })}
        <p>
            <a href=sign_in>{words::OTHER_ACCOUNT}</a>
        </p>
    }
}

/// Renders why a factor was rejected.
fn rejected_note(rejected: &RejectedForm) -> impl IntoView + use<> {
    let factors = [
        (UsedFactor::Passkey, words::WRONG_PASSKEY),
        (UsedFactor::Code, words::WRONG_CODE),
        (UsedFactor::RecoveryCode, words::WRONG_RECOVERY_CODE),
    ];
    let is_wrong = matches!(&*rejected.problem.code, "UNAUTHORIZED" | "VALIDATION_ERROR");
    let text = factors.into_iter().find(|(factor, _)| is_wrong && factor.word() == rejected.text);
    let text = text.map_or_else(|| summary(&rejected.problem), |(_, text)| text.to_owned());
    note(Tone::Deny, Some("alert"), text)
}

#[component]
fn Passkey(next: String) -> impl IntoView {
    view! {
        <PasskeyForm purpose=PasskeyUse::SecondFactor action=FinishSignIn::url()>
            <input type="hidden" name="next" value=next />
            <button class="primary w-full">{words::USE_PASSKEY}</button>
        </PasskeyForm>
        <noscript>
            <p class="text-muted">{words::PASSKEY_NEEDS_SCRIPTS}</p>
        </noscript>
    }
}

#[component]
fn Code(next: String, factors: Factors, is_invalid: bool) -> impl IntoView {
    // A page has one primary action.
    let class = if factors.passkey { "w-full" } else { "primary w-full" };
    view! {
        <form method="post" action=FinishSignIn::url() class="stack" data-once="">
            <input type="hidden" name="next" value=next />
            <CodeField is_invalid autofocus=true />
            <button class=class>{words::CONTINUE}</button>
        </form>
    }
}

#[component]
fn Recovery(next: String, is_invalid: bool) -> impl IntoView {
    view! {
        <details class="disclosure" open=is_invalid>
            <summary>{words::NO_DEVICE}</summary>
            <form method="post" action=FinishSignIn::url() class="stack" data-once="">
                <input type="hidden" name="next" value=next />
                <RecoveryField is_invalid />
                <button class="w-full">{words::USE_RECOVERY}</button>
            </form>
        </details>
    }
}
