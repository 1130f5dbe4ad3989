//! The page that sets up an authenticator app.

use contract::second_factor::TotpSetup;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{ConfirmAuthenticator, read_authenticator},
    markup::CodeField,
    view::AuthenticatorSetup,
    words,
};
use crate::{
    problem::Problem,
    text::{qr_code::QrCode, url},
    ui::{
        code::Id,
        empty::Empty,
        facts::fact,
        heading::Heading,
        load::load,
        note::{Tone, note},
        params,
        problem::ProblemNote,
        public::PublicFrame,
        qr_code::qr_code,
    },
};

/// `/account/authenticator`
#[component]
pub(crate) fn AuthenticatorPage() -> impl IntoView {
    let next = params::query("next");
    let content = load(next, read_authenticator, move |page| {
        view! { <SetupContent page next=next() /> }.into_any()
    });
    view! {
        <PublicFrame>
            <div class="card panel stack">
                <Heading title=words::SET_UP />
                {content}
                <p>
                    <a href=url::SECURITY>{words::BACK}</a>
                </p>
            </div>
        </PublicFrame>
    }
}

#[component]
fn SetupContent(page: AuthenticatorSetup, next: String) -> impl IntoView {
    let Some(TotpSetup { secret, uri }) = page.setup else {
        return view! { <Empty title=words::SETUP_ENDED text=words::SETUP_ENDED_NEXT /> }
            .into_any();
    };
    let problem = page.rejected.map(|rejected| rejected.problem);
    let is_invalid = problem.as_ref().is_some_and(|problem| matches!(problem.status, 401 | 422));
    view! {
        {problem.map(|problem| rejected_note(problem, is_invalid))}
        <p>{words::SCAN}</p>
        {QrCode::of_link(&uri)
            .map(|code| view! { <p class="qr-large">{qr_code(code, words::QR_CODE)}</p> })}
        <dl class="facts">
            {fact(words::KEY, view! { <Id id=grouped(&secret) what=words::KEY /> })}
        </dl>
        <p>
            <a href=uri rel="external">
                {words::OPEN_APP}
            </a>
        </p>
        <form method="post" action=ConfirmAuthenticator::url() class="stack" data-once="">
            <input type="hidden" name="next" value=next />
            <CodeField is_invalid autofocus=true />
            <button class="primary w-full">{words::CONFIRM_CODE}</button>
        </form>
    }
    .into_any()
}

fn rejected_note(problem: Problem, is_wrong_code: bool) -> AnyView {
    if is_wrong_code {
        return note(Tone::Deny, Some("alert"), words::WRONG_CODE);
    }
    view! { <ProblemNote problem /> }.into_any()
}

/// Returns the secret in groups of four characters, as apps accept it.
fn grouped(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_shown_in_groups() {
        assert_eq!(grouped("ABCDEFGHIJ"), "ABCD EFGH IJ");
    }
}
