//! A person's own account: roles, password, and what this browser remembers.

use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::{
        account::{ChangePassword, read_account},
        preference::Preference,
    },
    text::{refusal::say, url, words},
    ui::{
        empty::Empty,
        field::{HintedField, TextField},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        menu::PreferenceForm,
        public::PublicFrame,
    },
    view::{account::Account, frame::Place, kept::Kept},
};

/// `/account`
#[component]
pub(crate) fn AccountPage() -> impl IntoView {
    let done = params::query("done");
    let account = Resource::new(done, async |done| Ok((read_account().await?, done)));
    let show = |(account, done): (Account, String)| {
        view! { <Sheet account is_changed=done == "password"/> }.into_any()
    };
    view! {
        <PublicFrame width="reading">
            <Heading title=words::account::TITLE/>
            {load(account, show)}
        </PublicFrame>
    }
}

#[component]
fn Sheet(account: Account, is_changed: bool) -> impl IntoView {
    let Account { person, places, kept } = account;
    let changed = (is_changed && kept.is_none()).then(|| {
        view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <p>{words::account::CHANGED}</p>
            </div>
        }
    });
    view! {
        <p>
            <bdi class="font-semibold">{person.name}</bdi>
            " "
            <bdi class="text-muted">{person.email.clone()}</bdi>
        </p>
        {changed}
        <section class="card">
            <h2>{words::account::ROLES}</h2>
            <Roles places/>
        </section>
        <section class="card">
            <h2>{words::account::PASSWORD}</h2>
            <PasswordForm email=person.email kept/>
        </section>
        <section class="card stack">
            <h2>{words::account::PREFERENCES}</h2>
            <PreferenceForm name=Preference::Theme/>
            <PreferenceForm name=Preference::Keys/>
        </section>
    }
}

#[component]
fn Roles(places: Vec<Place>) -> impl IntoView {
    if places.is_empty() {
        return view! { <Empty title=words::home::NO_TENANT text=words::home::ASK_AN_ADMIN/> }
            .into_any();
    }
    let place = |place: Place| {
        view! {
            <dt>
                <a href=url::policies(place.tenant)>
                    <bdi>{place.name}</bdi>
                </a>
            </dt>
            <dd>{words::role(place.role)}</dd>
        }
    };
    view! { <dl class="facts">{places.into_iter().map(place).collect_view()}</dl> }.into_any()
}

#[component]
fn PasswordForm(email: String, kept: Option<Kept>) -> impl IntoView {
    use words::account as word;
    view! {
        <form method="post" action=ChangePassword::url() class="stack" data-once="">
            {kept.map(|kept| view! { <Refused kept/> })}
            <p class="text-muted">{word::SAYS}</p>
            // Password managers look for whose password it is.
            <input type="text" autocomplete="username" value=email hidden=true/>
            <TextField
                label=word::CURRENT
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <HintedField
                label=word::NEW
                hint=words::setup::HINT
                name="new_password"
                id="new-password"
                kind="password"
                autocomplete="new-password"
                required=true
            />
            <div class="row end">
                <button class="primary">{word::CHANGE}</button>
            </div>
        </form>
    }
}

#[component]
fn Refused(kept: Kept) -> impl IntoView {
    let text = if kept.problem.code == "UNAUTHORIZED" {
        words::account::WRONG.to_owned()
    } else if kept.text.is_empty() {
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
