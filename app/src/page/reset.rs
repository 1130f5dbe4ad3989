//! Asking for a mail with which a forgotten password is replaced.

use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::reset::{RequestReset, read_reset},
    text::{refusal::say, words},
    ui::{
        field::TextField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        public::PublicFrame,
    },
    view::kept::Kept,
};

/// `/reset`
#[component]
pub(crate) fn ResetPage() -> impl IntoView {
    let done = params::query("done");
    let page = Resource::new(done, async |done| {
        let (has_mail, kept) = read_reset().await?;
        Ok((has_mail, kept, done == "sent"))
    });
    let show = |(has_mail, kept, is_sent): (bool, Option<Kept>, bool)| {
        view! { <Sheet has_mail kept is_sent/> }.into_any()
    };
    view! {
        <PublicFrame>
            <div class="card sheet stack">
                <Heading title=words::reset::TITLE/>
                {load(page, show)}
                <p>
                    <a href="/login">{words::reset::BACK}</a>
                </p>
            </div>
        </PublicFrame>
    }
}

#[component]
fn Sheet(has_mail: bool, kept: Option<Kept>, is_sent: bool) -> impl IntoView {
    use words::reset as text;
    if !has_mail {
        return view! {
            <div class="note warn">
                {icon(Icon::Warn)}
                <p>{text::NO_MAIL}</p>
            </div>
        }
        .into_any();
    }
    if is_sent && kept.is_none() {
        return view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <p>{text::SENT}</p>
            </div>
        }
        .into_any();
    }
    view! {
        <form method="post" action=RequestReset::url() class="stack" data-once="">
            {kept.map(|kept| view! { <Refused kept/> })}
            <p>{text::SAYS}</p>
            <TextField
                label=words::login::EMAIL
                name="email"
                kind="email"
                autocomplete="username"
                required=true
                autofocus=true
            />
            <button class="primary w-full">{text::SEND}</button>
        </form>
    }
    .into_any()
}

#[component]
fn Refused(kept: Kept) -> impl IntoView {
    let text = if kept.text.is_empty() {
        let said = say(&kept.problem);
        format!("{} {}", said.text, said.next)
    } else {
        kept.text
    };
    view! {
        <div class="note deny" role="alert">
            {icon(Icon::Deny)}
            <p>{text}</p>
        </div>
    }
}
