//! Choosing a password by a link that works once: the first one, or another one after a reset.

use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Meta;

use super::params;
use crate::{
    api::setup::{SetPassword, read_setup},
    text::{refusal::say, words},
    ui::{
        field::HintedField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        public::PublicFrame,
    },
    view::kept::Kept,
};

/// `/setup?token=`. The link is a capability, so no search engine may keep it.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let token = params::query("token");
    let refused = Resource::new(token, async |_| read_setup().await);
    view! {
        <Meta name="robots" content="noindex"/>
        <PublicFrame>
            <div class="card sheet">
                <Heading title=words::setup::TITLE/>
                {load(refused, move |kept| view! { <SetupForm kept token=token()/> }.into_any())}
            </div>
        </PublicFrame>
    }
}

#[component]
fn SetupForm(kept: Option<Kept>, token: String) -> impl IntoView {
    use words::setup as say;
    view! {
        <form method="post" action=SetPassword::url() class="stack" data-once="">
            {kept.map(|kept| view! { <Refused kept/> })}
            <p>{say::SAYS}</p>
            <input type="hidden" name="token" value=token/>
            // Password managers and browsers look for one; the address is not known here.
            <input type="text" autocomplete="username" hidden=true/>
            <HintedField
                label=say::PASSWORD
                hint=say::HINT
                name="password"
                id="password"
                kind="password"
                autocomplete="new-password"
                required=true
            />
            <button class="primary w-full">{say::SET}</button>
        </form>
    }
}

/// Why no password was set. All links that lead nowhere look alike.
#[component]
fn Refused(kept: Kept) -> impl IntoView {
    let is_gone = kept.problem.code == "NOT_FOUND";
    let has_account = kept.problem.code == "CONFLICT";
    let text = if is_gone {
        words::setup::NO_LINK.to_owned()
    } else if has_account {
        words::setup::HAS_ACCOUNT.to_owned()
    } else if kept.text.is_empty() {
        let said = say(&kept.problem);
        format!("{} {}", said.text, said.next)
    } else {
        kept.text
    };
    let leads_on = is_gone || has_account;
    let sign_in = leads_on.then(|| view! { <p><a href="/login">{words::setup::SIGN_IN}</a></p> });
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
