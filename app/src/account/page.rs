//! The user's own account: roles, password, sessions, time zone and preferences of this browser.

use contract::session::ActiveSession;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{ChangePassword, EndOtherSessions, EndSession, SetTimeZone, read_account},
    view::{Account, TimeZoneForm as Zone},
    words,
};
use crate::{
    flash::RejectedForm,
    frame::{session::SessionDialogs, view::TenantMembership},
    home::words as home_words,
    invitation::list::Invitations,
    preference::view::Preference,
    second_factor::{section::SecuritySection, words as factor_words},
    setup::words as setup_words,
    text::messages,
    ui::{
        empty::Empty,
        field::{HintedField, TextField},
        form_errors::{field_error, invalid},
        heading::Heading,
        list::table,
        load::load,
        menu::PreferenceForm,
        note::{Tone, note},
        params,
        problem::summary,
        public::PublicFrame,
        time::Ago,
    },
};

/// `/account`
#[component]
pub(crate) fn AccountPage() -> impl IntoView {
    let done = params::query("done");
    let content = load(
        done,
        async |done| Ok((read_account().await?, done)),
        |(account, done)| view! { <AccountContent account done /> }.into_any(),
    );
    view! {
        <PublicFrame width="reading">
            <Heading title=words::TITLE />
            {content}
        </PublicFrame>
    }
}

#[component]
fn AccountContent(account: Account, done: String) -> impl IntoView {
    let Account { person, time, memberships, sessions, invitations, security, zone, rejected } =
        account;
    let refused = security.as_ref().is_some_and(|security| security.rejected.is_some());
    let notice = match &*done {
        "password" => Some(words::CHANGED),
        "session" => Some(words::SESSION_ENDED),
        "sessions" => Some(words::OTHERS_ENDED),
        "time-zone" => Some(words::TIME_ZONE_SAVED),
        "passkey" => Some(factor_words::PASSKEY_ADDED),
        "passkey-renamed" => Some(factor_words::PASSKEY_RENAMED),
        "passkey-removed" => Some(factor_words::PASSKEY_REMOVED),
        "authenticator" => Some(factor_words::AUTHENTICATOR_ADDED),
        "authenticator-removed" => Some(factor_words::AUTHENTICATOR_REMOVED),
        _ => None,
    };
    let notice = notice
        .filter(|_| rejected.is_none() && !refused)
        .map(|text| note(Tone::Allow, Some("status"), text));
    let email = person.email.clone();
    let sign_in = match security {
        Some(security) => view! {
            <section class="card">
                <h2>{words::PASSWORD}</h2>
                <PasswordForm email rejected />
            </section>
            <SecuritySection security />
        }
        .into_any(),
        None => view! {
            <section class="card stack">
                <h2>{factor_words::SECURITY}</h2>
                <p class="text-muted">{words::PROVIDER_SESSION}</p>
            </section>
        }
        .into_any(),
    };
    view! {
        <SessionDialogs email=person.email.clone() time />
        <p>
            <bdi class="font-semibold">{person.name}</bdi>
            " "
            <bdi class="text-muted">{person.email.clone()}</bdi>
        </p>
        {notice}
        <Invitations invitations />
        <section class="card">
            <h2>{words::ROLES}</h2>
            <Roles memberships />
        </section>
        {sign_in}
        <section class="card stack">
            <h2>{words::SESSIONS}</h2>
            <Sessions sessions />
        </section>
        <section class="card stack" id="time-zone">
            <h2>{words::TIMES}</h2>
            <TimeZoneForm zone />
        </section>
        <section class="card stack">
            <h2>{words::PREFERENCES}</h2>
            <PreferenceForm name=Preference::Theme />
            <PreferenceForm name=Preference::Density />
            <PreferenceForm name=Preference::Keys />
        </section>
    }
}

#[component]
fn Roles(memberships: Vec<TenantMembership>) -> impl IntoView {
    if memberships.is_empty() {
        return view! { <Empty title=home_words::NO_TENANT text=home_words::ASK_AN_ADMIN /> }
            .into_any();
    }
    let membership = |membership: TenantMembership| {
        let href = membership.start();
        view! {
            <dt>
                <a href=href>
                    <bdi>{membership.name}</bdi>
                </a>
            </dt>
            <dd>{messages::role(membership.role)}</dd>
        }
    };
    view! { <dl class="facts">{memberships.into_iter().map(membership).collect_view()}</dl> }
        .into_any()
}

#[component]
fn Sessions(sessions: Vec<ActiveSession>) -> impl IntoView {
    use super::words as strings;
    let others = (sessions.len() > 1).then(|| {
        view! {
            <form method="post" action=EndOtherSessions::url() class="row end" data-once="">
                <button>{strings::END_OTHERS}</button>
            </form>
        }
    });
    let row = |session| view! { <SessionLine session /> };
    view! {
        {table(strings::SESSIONS, strings::SESSIONS_HEAD, sessions, row)}
        {others}
    }
}

#[component]
fn SessionLine(session: ActiveSession) -> impl IntoView {
    use super::words::{self as strings, SESSIONS_HEAD as HEAD};
    let client = session.user_agent.unwrap_or_else(|| strings::UNKNOWN_CLIENT.to_owned());
    let label = strings::end(&client);
    let current = session.is_current.then(|| {
        view! { <span class="text-muted">" " {strings::CURRENT_SESSION}</span> }
    });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi>{client}</bdi>
                {current}
            </th>
            <td data-label=HEAD[1]>{session.network}</td>
            <td data-label=HEAD[2]>
                <Ago at=session.last_used_at />
            </td>
            <td data-label=HEAD[3]>
                <Ago at=session.created_at />
            </td>
            <td data-label=HEAD[4]>
                <form method="post" action=EndSession::url() data-once="">
                    <input type="hidden" name="id" value=session.id.to_string() />
                    <button aria-label=label>{strings::END}</button>
                </form>
            </td>
        </tr>
    }
}

#[component]
fn PasswordForm(email: String, rejected: Option<RejectedForm>) -> impl IntoView {
    use super::words as strings;
    view! {
        <form method="post" action=ChangePassword::url() class="stack" data-once="">
            {rejected.map(|rejected| view! { <RejectedNote rejected /> })}
            <p class="text-muted">{strings::HELP}</p>
            // Password managers need the account of the password.
            <input type="text" autocomplete="username" value=email hidden=true />
            <TextField
                label=strings::CURRENT
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <HintedField
                label=strings::NEW
                hint=setup_words::HINT
                name="new_password"
                id="new-password"
                kind="password"
                autocomplete="new-password"
                required=true
            />
            <div class="row end">
                <button class="primary">{strings::CHANGE}</button>
            </div>
        </form>
    }
}

#[component]
fn RejectedNote(rejected: RejectedForm) -> impl IntoView {
    let text = if rejected.problem.code == "UNAUTHORIZED" {
        words::WRONG.to_owned()
    } else if rejected.text.is_empty() {
        summary(&rejected.problem)
    } else {
        rejected.text
    };
    note(Tone::Deny, Some("alert"), text)
}

#[component]
fn TimeZoneForm(zone: Zone) -> impl IntoView {
    use super::words as strings;
    const MEMBER: &str = "time_zone";
    let errors = StoredValue::new(zone.errors);
    let option = |name: String| view! { <option value=name></option> };
    view! {
        <form method="post" action=SetTimeZone::url() class="stack" data-once="">
            <div class="field">
                <label for=MEMBER>{strings::TIME_ZONE}</label>
                <input
                    id=MEMBER
                    name=MEMBER
                    value=zone.name
                    list="time-zones"
                    required=true
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="time_zone-hint time_zone-error"
                    aria-invalid=invalid(errors, MEMBER)
                />
                <datalist id="time-zones">
                    {zone.names.into_iter().map(option).collect_view()}
                </datalist>
                <small id="time_zone-hint" class="text-muted">
                    {strings::TIME_ZONE_HINT}
                </small>
                {field_error(errors, MEMBER)}
            </div>
            <div class="row end">
                <button>{strings::SAVE_TIME_ZONE}</button>
            </div>
        </form>
    }
}
