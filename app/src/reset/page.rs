//! The page that requests an email to replace a forgotten password.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{RequestReset, read_reset},
    words,
};
use crate::{
    flash::RejectedForm,
    sign_in::words as sign_in_words,
    ui::{
        field::TextField,
        heading::Heading,
        load::load,
        note::{Tone, note},
        params,
        problem::summary,
        public::PublicFrame,
    },
};

/// `/reset`
#[component]
pub(crate) fn ResetPage() -> impl IntoView {
    let done = params::query("done");
    let content = load(
        done,
        async |done| {
            let (has_mail, rejected) = read_reset().await?;
            Ok((has_mail, rejected, done == "sent"))
        },
        |(has_mail, rejected, is_sent)| {
            view! { <ResetContent has_mail rejected is_sent /> }.into_any()
        },
    );
    view! {
        <PublicFrame>
            <div class="card panel stack">
                <Heading title=words::TITLE />
                {content}
                <p>
                    <a href="/login">{words::BACK}</a>
                </p>
            </div>
        </PublicFrame>
    }
}

#[component]
fn ResetContent(has_mail: bool, rejected: Option<RejectedForm>, is_sent: bool) -> impl IntoView {
    use super::words as strings;
    if !has_mail {
        return note(Tone::Warn, None, strings::NO_MAIL);
    }
    if is_sent && rejected.is_none() {
        return note(Tone::Allow, Some("status"), strings::SENT);
    }
    view! {
        <form method="post" action=RequestReset::url() class="stack" data-once="">
            {rejected.map(|rejected| view! { <RejectedNote rejected /> })}
            <p>{strings::HELP}</p>
            <TextField
                label=sign_in_words::EMAIL
                name="email"
                kind="email"
                autocomplete="username"
                required=true
                autofocus=true
            />
            <button class="primary w-full">{strings::SEND}</button>
        </form>
    }
    .into_any()
}

#[component]
fn RejectedNote(rejected: RejectedForm) -> impl IntoView {
    let text = if rejected.text.is_empty() { summary(&rejected.problem) } else { rejected.text };
    note(Tone::Deny, Some("alert"), text)
}
