//! The page that requests an email to replace a forgotten password.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::reset::{RequestReset, read_reset},
    markup::note::{Tone, note},
    text::messages,
    ui::{
        field::TextField, heading::Heading, load::load, params, problem::summary,
        public::PublicFrame,
    },
    view::flash::RejectedForm,
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
                <Heading title=messages::reset::TITLE />
                {content}
                <p>
                    <a href="/login">{messages::reset::BACK}</a>
                </p>
            </div>
        </PublicFrame>
    }
}

#[component]
fn ResetContent(has_mail: bool, rejected: Option<RejectedForm>, is_sent: bool) -> impl IntoView {
    use messages::reset as strings;
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
                label=messages::login::EMAIL
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
