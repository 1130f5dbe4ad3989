//! Asking for the password again, before an act that is signed in the person's name.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{login::Refused, params};
use crate::{
    api::session::{Confirm, read_confirmation},
    text::{url, words},
    ui::{field::TextField, heading::Heading, load::load, public::PublicFrame},
    view::{frame::Person, kept::Kept},
};

/// `/login/confirm`
#[component]
pub(crate) fn ConfirmPage() -> impl IntoView {
    let next = params::query("next");
    let asked = Resource::new(next, async |next| read_confirmation(next).await);
    let show = move |(person, kept)| view! { <ConfirmForm person kept next=next()/> }.into_any();
    view! {
        <PublicFrame>
            <div class="card sheet">
                <Heading title=words::confirm::TITLE/>
                {load(asked, show)}
            </div>
        </PublicFrame>
    }
}

#[component]
fn ConfirmForm(person: Person, kept: Option<Kept>, next: String) -> impl IntoView {
    let back = url::own_path(&next).to_owned();
    view! {
        <p>{words::confirm::WHY}</p>
        <form method="post" action=Confirm::url() class="stack">
            {kept.map(|kept| view! { <Refused kept wrong=words::confirm::WRONG/> })}
            <input type="hidden" name="next" value=next/>
            // Password managers fill the right password when they see for whom.
            <label class="field">
                <span>{words::login::EMAIL}</span>
                <input type="email" value=person.email autocomplete="username" readonly/>
            </label>
            <TextField
                label=words::login::PASSWORD
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
                autofocus=true
            />
            <div class="row end">
                <a class="button" href=back>
                    {words::CANCEL}
                </a>
                <button class="primary">{words::confirm::CONFIRM}</button>
            </div>
        </form>
    }
}
