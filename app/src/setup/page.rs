//! Choosing a password with a one-time link: the first password, or a new one after a reset.

use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Meta;

use super::{
    act::{SetPassword, read_setup},
    words,
};
use crate::{
    flash::RejectedForm,
    ui::{
        field::HintedField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        params,
        problem::summary,
        public::PublicFrame,
    },
};

/// `/setup?token=`. The link is a capability, so search engines must not index it.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let token = params::query("token");
    let content = load(token, read_setup, move |(is_valid, rejected)| {
        if is_valid {
            view! { <SetupForm rejected token=token() /> }.into_any()
        } else {
            let text = words::INVALID_LINK.to_owned();
            view! { <RejectedNote text shows_sign_in=true /> }.into_any()
        }
    });
    view! {
        <Meta name="robots" content="noindex" />
        <PublicFrame>
            <div class="card panel">
                <Heading title=words::TITLE />
                {content}
            </div>
        </PublicFrame>
    }
}

#[component]
fn SetupForm(rejected: Option<RejectedForm>, token: String) -> impl IntoView {
    use super::words as strings;
    view! {
        <form method="post" action=SetPassword::url() class="stack" data-once="">
            {rejected.map(rejected_note)}
            <p>{strings::HELP}</p>
            <input type="hidden" name="token" value=token />
            // Password managers and browsers expect a user name, which is unknown here.
            <input type="text" autocomplete="username" hidden=true />
            <HintedField
                label=strings::PASSWORD
                hint=strings::HINT
                name="password"
                id="password"
                kind="password"
                autocomplete="new-password"
                required=true
            />
            <button class="primary w-full">{strings::SET_PASSWORD}</button>
        </form>
    }
}

/// Renders the reason why no password was set. Unknown, used and expired links have the same message.
fn rejected_note(rejected: RejectedForm) -> impl IntoView {
    let is_gone = rejected.problem.code == "NOT_FOUND";
    let has_account = rejected.problem.code == "CONFLICT";
    let text = if is_gone {
        words::INVALID_LINK.to_owned()
    } else if has_account {
        words::HAS_ACCOUNT.to_owned()
    } else if rejected.text.is_empty() {
        summary(&rejected.problem)
    } else {
        rejected.text
    };
    view! { <RejectedNote text shows_sign_in=is_gone || has_account /> }
}

#[component]
fn RejectedNote(text: String, shows_sign_in: bool) -> impl IntoView {
    let sign_in = shows_sign_in.then(|| {
        view! {
            <p>
                <a href="/login">{words::SIGN_IN}</a>
            </p>
        }
    });
    view! {
        <div class="note deny" role="alert">
            {icon(Icon::Deny)}
            <div>
                <p>{text}</p>
                {sign_in}
            </div>
        </div>
    }
}
