//! The page that requests an e-mail to replace a forgotten password.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::reset::{RequestReset, read_reset},
    markup::icon::{Icon, icon},
    text::{errors::describe, messages},
    ui::{field::TextField, heading::Heading, load::load, params, public::PublicFrame},
    view::flash::RejectedForm,
};

/// `/reset`
#[component]
pub(crate) fn ResetPage() -> impl IntoView {
    let done = params::query("done");
    let page = Resource::new(done, async |done| {
        let (has_mail, rejected) = read_reset().await?;
        Ok((has_mail, rejected, done == "sent"))
    });
    let show = |(has_mail, rejected, is_sent): (bool, Option<RejectedForm>, bool)| {
        view! { <ResetContent has_mail rejected is_sent /> }.into_any()
    };
    view! {
        <PublicFrame>
            <div class="card panel stack">
                <Heading title=messages::reset::TITLE />
                {load(page, show)}
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
        return view! { <div class="note warn">{icon(Icon::Warn)} <p>{strings::NO_MAIL}</p></div> }
            .into_any();
    }
    if is_sent && rejected.is_none() {
        return view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <p>{strings::SENT}</p>
            </div>
        }
        .into_any();
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
    let text = if rejected.text.is_empty() {
        let error = describe(&rejected.problem);
        format!("{} {}", error.text, error.next)
    } else {
        rejected.text
    };
    view! {
        <div class="note deny" role="alert">
            {icon(Icon::Deny)}
            <p>{text}</p>
        </div>
    }
}
