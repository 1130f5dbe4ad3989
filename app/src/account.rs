//! The user's own account: roles, password, sessions, time zone and preferences of this browser.

use accounts::{second_factor::security, sign_in};
use contract::{member::PasswordChange, session::ActiveSession};
use governance::{
    TimeZone,
    access::{account, session},
};
use page_kit::{prelude::*, request::Person, ui::form_errors::Control};

use crate::{
    frame::{
        session::dialogs,
        view::{TenantMembership, memberships},
    },
    invitation,
    preference::{self, Preference},
};

/// `/account`
pub(crate) async fn account() -> PageResult {
    let content = page::or_problem(content().await);
    Ok(any_view! {
        <PublicFrame width="reading">
            <Heading title="Your account" />
            {content}
        </PublicFrame>
    })
}

async fn content() -> PageResult {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let tenants = request::user_tenants(&signed_in).await?;
    let session = tenants.session();
    let active = session::list(&request::governance(), &signed_in).await?;
    let invitations = request::invitations(&signed_in).await?;
    let rejected = request::take_rejected(url::ACCOUNT).await;
    let Person { name, email } = Person::from(session);
    let zone = time_zone_form().await;
    let refused = request::take_rejected(url::SECURITY).await;
    let notice = notice(&page::query("done"))
        .filter(|_| rejected.is_none() && refused.is_none())
        .map(|text| note(Tone::Allow, Some("status"), text));
    // A session of an identity provider cannot change the password or the factors.
    let credentials = if signed_in.provider.is_none() {
        let security = security::section(&signed_in, refused).await?;
        any_view! {
            <section class="card">
                <h2>"Change your password"</h2>
                {password_form(email.clone(), rejected)}
            </section>
            {security}
        }
    } else {
        any_view! {
            <section class="card stack">
                <h2>{security::TITLE}</h2>
                <p class="text-muted">
                    "You signed in with an identity provider. Sign in with your password or a passkey to change the password or the second factors."
                </p>
            </section>
        }
    };
    Ok(any_view! {
        {dialogs(email.clone(), request::session_time(&signed_in))}
        <p>
            <bdi class="font-semibold">{name}</bdi>
            " "
            <bdi class="text-muted">{email}</bdi>
        </p>
        {notice}
        {invitation::card(invitations)}
        <section class="card">
            <h2>"Your roles"</h2>
            {roles(memberships(session))}
        </section>
        {credentials}
        <section class="card stack">
            <h2>"Active sessions"</h2>
            {sessions(&active.items)}
        </section>
        <section class="card stack" id="time-zone">
            <h2>"Dates and times"</h2>
            {zone}
        </section>
        <section class="card stack">
            <h2>"Browser preferences"</h2>
            {preference::form(Preference::Theme)}
            {preference::form(Preference::Density)}
            {preference::form(Preference::Keys)}
        </section>
    })
}

/// Returns the notice of a complete action, by its word in the address.
fn notice(done: &str) -> Option<&'static str> {
    let text = match done {
        "password" => "Password changed. You were signed out on all other devices.",
        "session" => "The session has ended.",
        "sessions" => "All other sessions have ended.",
        "time-zone" => "Time zone saved.",
        "passkey" => "Passkey added.",
        "passkey-renamed" => "Passkey renamed.",
        "passkey-removed" => "Passkey removed.",
        "authenticator" => "Authenticator app set up.",
        "authenticator-removed" => "Authenticator app removed.",
        _ => return None,
    };
    Some(text)
}

fn roles(memberships: Vec<TenantMembership>) -> AnyView {
    if memberships.is_empty() {
        let title = "You are not a member of any tenant.";
        return empty_state(title, "Ask an admin to invite you.");
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
    any_view! { <dl class="facts">{memberships.into_iter().map(membership).collect_view()}</dl> }
}

fn sessions(sessions: &[ActiveSession]) -> AnyView {
    fn client(session: &ActiveSession) -> String {
        let unknown = || "Unknown browser or program".to_owned();
        session.user_agent.clone().unwrap_or_else(unknown)
    }
    let table = Table::new("Active sessions")
        .column("Browser or program", |session: &ActiveSession| {
            let current = session.is_current;
            let current =
                current.then(|| view! { <span class="text-muted">" " "This session"</span> });
            view! {
                <bdi>{client(session)}</bdi>
                {current}
            }
        })
        .column("Network", |session| session.network.clone())
        .column("Last used", |session| ago(session.last_used_at))
        .column("Signed in", |session| ago(session.created_at))
        .column("Action", |session| {
            let label = format!("End session: {}", isolated(&client(session)));
            view! {
                <form method="post" action=EndSession::url() data-once="">
                    <input type="hidden" name="id" value=session.id.to_string() />
                    <button aria-label=label>"End session"</button>
                </form>
            }
        });
    let others = (sessions.len() > 1).then(|| {
        view! {
            <form method="post" action=EndOtherSessions::url() class="row end" data-once="">
                <button>"End other sessions"</button>
            </form>
        }
    });
    any_view! {
        {table.of(sessions)}
        {others}
    }
}

/// Ends one of the user's sessions and redirects to the account page. Ending the current session redirects to
/// the sign-in page.
#[server(prefix = "/console", endpoint = "end-session", output = JsonCodec)]
async fn end_session(id: SessionId) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    if id == signed_in.session_id {
        return sign_in::log_out().await;
    }
    match session::end_one(&request::governance(), &signed_in, id).await {
        // A session that has already ended is not an error.
        Err(error) if error.status() != 404 => Err(error.into()),
        _ => {
            request::redirect(&url::with_query(url::ACCOUNT, &[("done", "session")]));
            Ok(())
        }
    }
}

/// Ends all of the user's sessions except the current one and redirects to the account page.
#[server(prefix = "/console", endpoint = "end-other-sessions", output = JsonCodec)]
async fn end_other_sessions() -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    session::end_others(&request::governance(), &signed_in).await?;
    request::redirect(&url::with_query(url::ACCOUNT, &[("done", "sessions")]));
    Ok(())
}

fn password_form(email: String, rejected: Option<RejectedForm>) -> AnyView {
    let rejected = rejected.map(|rejected| {
        let text = if rejected.problem.code == "UNAUTHORIZED" {
            "Incorrect current password.".to_owned()
        } else if rejected.text.is_empty() {
            summary(&rejected.problem)
        } else {
            rejected.text
        };
        note(Tone::Deny, Some("alert"), text)
    });
    any_view! {
        <form method="post" action=ChangePassword::url() class="stack" data-once="">
            {rejected}
            <p class="text-muted">"You will be signed out on all other devices."</p>
            // Password managers need the account of the password.
            <input type="text" autocomplete="username" value=email hidden=true />
            <TextField
                label="Current password"
                name="password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <HintedField
                label="New password"
                hint="12 to 256 characters. Avoid common passwords."
                name="new_password"
                id="new-password"
                kind="password"
                autocomplete="new-password"
                required=true
            />
            <div class="row end">
                <button class="primary">"Change password"</button>
            </div>
        </form>
    }
}

/// Changes the signed-in user's password. All other sessions of the user end.
#[server(prefix = "/console", endpoint = "change-password", output = JsonCodec)]
async fn change_password(password: String, new_password: String) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let cx = request::governance().public(request::correlation_id());
    let body = PasswordChange { password, new_password };
    match account::change_password(&cx, &signed_in, &request::client(), body).await {
        Ok(changed) => {
            session::renew(&request::cookie_session()?, &changed).await?;
            request::redirect(&url::with_query(url::ACCOUNT, &[("done", "password")]));
            Ok(())
        }
        Err(error) => {
            let text = request::field_sentences(&error, &[("/new_password", "New password")]);
            let page = url::ACCOUNT.to_owned();
            request::set_rejected(error.into(), page, text.unwrap_or_default()).await
        }
    }
}

/// Renders the form of the time zone, with the rejected input and its errors if there are any.
async fn time_zone_form() -> AnyView {
    const MEMBER: &str = "time_zone";
    let (name, errors) = match request::take_form(url::TIME_ZONE).await.1 {
        Some(rejected) => (rejected.form, rejected.errors),
        None => (time::zone().to_owned(), Vec::new()),
    };
    let zones = TimeZone::names().map(|name| view! { <option value=name></option> });
    let field = MemberField::new(&errors, "Time zone", MEMBER, MEMBER)
        .hint("For example Europe/Berlin. Public pages, charts, and fields marked with UTC stay in UTC.")
        .wrap(|Control { id, name: member, described_by, invalid }| {
            any_view! {
                <input
                    id=id
                    name=member
                    value=name
                    list="time-zones"
                    required=true
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=described_by
                    aria-invalid=invalid
                />
                <datalist id="time-zones">{zones.collect_view()}</datalist>
            }
        });
    any_view! {
        <form method="post" action=SetTimeZone::url() class="stack" data-once="">
            {field}
            <div class="row end">
                <button>"Save time zone"</button>
            </div>
        </form>
    }
}

/// Changes the time zone of the signed-in user's account and redirects to the account page.
#[server(prefix = "/console", endpoint = "set-time-zone", output = JsonCodec)]
async fn set_time_zone(time_zone: String) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let cx = request::governance().public(request::correlation_id());
    match account::set_time_zone(&cx, &signed_in, &time_zone).await {
        Ok(()) => {
            request::redirect(&url::with_query(url::ACCOUNT, &[("done", "time-zone")]));
            Ok(())
        }
        Err(error) => match request::fields(&error).or_else(|| forbidden(&error)) {
            Some(errors) => request::set_errors(url::TIME_ZONE.to_owned(), time_zone, errors).await,
            None => Err(error.into()),
        },
    }
}

/// Returns the refusal of a session that may not change the account, for the field of the form.
fn forbidden(error: &governance::Error) -> Option<Vec<FieldError>> {
    let is_forbidden = error.code() == ErrorCode::Forbidden;
    is_forbidden.then(|| vec![FieldError::new("/time_zone", "forbidden", error.message())])
}
