//! A person's own account: roles, password, sessions, and what this browser remembers.

use contract::session::ActiveSession;
use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::{
        account::{ChangePassword, EndOtherSessions, EndSession, read_account},
        preference::Preference,
    },
    text::{refusal::say, url, words},
    ui::{
        empty::Empty,
        field::{HintedField, TextField},
        heading::Heading,
        icon::{Icon, icon},
        invitations::Invitations,
        load::load,
        menu::PreferenceForm,
        public::PublicFrame,
        time::Minute,
    },
    view::{account::Account, frame::Place, kept::Kept},
};

/// `/account`
#[component]
pub(crate) fn AccountPage() -> impl IntoView {
    let done = params::query("done");
    let account = Resource::new(done, async |done| Ok((read_account().await?, done)));
    let show = |(account, done): (Account, String)| view! { <Sheet account done/> }.into_any();
    view! {
        <PublicFrame width="reading">
            <Heading title=words::account::TITLE/>
            {load(account, show)}
        </PublicFrame>
    }
}

#[component]
fn Sheet(account: Account, done: String) -> impl IntoView {
    let Account { person, places, sessions, invitations, kept } = account;
    let done = match &*done {
        "password" => Some(words::account::CHANGED),
        "session" => Some(words::account::SESSION_ENDED),
        "sessions" => Some(words::account::OTHERS_ENDED),
        _ => None,
    };
    let done = done.filter(|_| kept.is_none()).map(|text| {
        view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <p>{text}</p>
            </div>
        }
    });
    view! {
        <p>
            <bdi class="font-semibold">{person.name}</bdi>
            " "
            <bdi class="text-muted">{person.email.clone()}</bdi>
        </p>
        {done}
        <Invitations invitations/>
        <section class="card">
            <h2>{words::account::ROLES}</h2>
            <Roles places/>
        </section>
        <section class="card">
            <h2>{words::account::PASSWORD}</h2>
            <PasswordForm email=person.email kept/>
        </section>
        <section class="card stack">
            <h2>{words::account::SESSIONS}</h2>
            <Sessions sessions/>
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
fn Sessions(sessions: Vec<ActiveSession>) -> impl IntoView {
    use words::account as word;
    let others = (sessions.len() > 1).then(|| {
        view! {
            <form method="post" action=EndOtherSessions::url() class="row end" data-once="">
                <button>{word::END_OTHERS}</button>
            </form>
        }
    });
    let row = |session| view! { <SessionLine session/> };
    view! {
        <table class="list">
            <caption class="sr-only">{word::SESSIONS}</caption>
            <thead>
                <tr>{word::SESSIONS_HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{sessions.into_iter().map(row).collect_view()}</tbody>
        </table>
        {others}
    }
}

#[component]
fn SessionLine(session: ActiveSession) -> impl IntoView {
    use words::account::{self as word, SESSIONS_HEAD as HEAD};
    let client = session.user_agent.unwrap_or_else(|| word::UNKNOWN_CLIENT.to_owned());
    let label = word::end(&client);
    let current = session.is_current.then(|| {
        view! { <span class="text-muted">" " {word::CURRENT_SESSION}</span> }
    });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi>{client}</bdi>
                {current}
            </th>
            <td data-label=HEAD[1]>{session.network}</td>
            <td data-label=HEAD[2]>
                <Minute at=session.last_used_at/>
            </td>
            <td data-label=HEAD[3]>
                <Minute at=session.created_at/>
            </td>
            <td data-label=HEAD[4]>
                <form method="post" action=EndSession::url() data-once="">
                    <input type="hidden" name="id" value=session.id.to_string()/>
                    <button aria-label=label>{word::END}</button>
                </form>
            </td>
        </tr>
    }
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
