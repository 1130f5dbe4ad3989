//! The signed-in user's account: memberships, password, sessions and time zone.

use contract::id::SessionId;
use leptos::prelude::server;

use super::view::Account;
use crate::{codec::JsonCodec, problem::Problem};

#[server(prefix = "/console", endpoint = "account", output = JsonCodec)]
pub(crate) async fn read_account() -> Result<Account, Problem> {
    use crate::request;
    use crate::{frame::view::memberships, text::url};
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let tenants = request::user_tenants(&signed_in).await?;
    let session = tenants.session();
    let active = request::into_problem(
        governance::access::session::list(&request::governance(), &signed_in).await,
    )?;
    let invitations = request::invitations(&signed_in).await?;
    let rejected = request::take_rejected(url::ACCOUNT).await;
    let (person, memberships) = (session.into(), memberships(session));
    let time = request::session_time(&signed_in);
    let zone = super::load::time_zone_form().await;
    let security = crate::second_factor::load::security(&signed_in).await?;
    let sessions = active.items;
    Ok(Account { person, time, memberships, sessions, invitations, security, zone, rejected })
}

/// Ends one of the user's sessions and redirects to the account page. Ending the current session redirects to
/// the sign-in page.
#[server(prefix = "/console", endpoint = "end-session", output = JsonCodec)]
pub(crate) async fn end_session(id: SessionId) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::ACCOUNT)?;
    if id == signed_in.session_id {
        return crate::sign_in::act::log_out().await;
    }
    match governance::access::session::end_one(&request::governance(), &signed_in, id).await {
        // A session that has already ended is not an error.
        Err(error) if error.status() != 404 => Err(request::to_problem(&error)),
        _ => {
            request::redirect(&url::with_query(url::ACCOUNT, &[("done", "session")]));
            Ok(())
        }
    }
}

/// Ends all of the user's sessions except the current one and redirects to the account page.
#[server(prefix = "/console", endpoint = "end-other-sessions", output = JsonCodec)]
pub(crate) async fn end_other_sessions() -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::ACCOUNT)?;
    request::into_problem(
        governance::access::session::end_others(&request::governance(), &signed_in).await,
    )?;
    request::redirect(&url::with_query(url::ACCOUNT, &[("done", "sessions")]));
    Ok(())
}

/// Changes the signed-in user's password. All other sessions of the user end.
#[server(prefix = "/console", endpoint = "change-password", output = JsonCodec)]
pub(crate) async fn change_password(password: String, new_password: String) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let cx = request::governance().public(request::correlation_id());
    let body = contract::member::PasswordChange { password, new_password };
    let client = request::client();
    match governance::access::account::change_password(&cx, &signed_in, &client, body).await {
        Ok(changed) => {
            let session = request::session().ok_or_else(request::write_error)?;
            request::into_problem(governance::access::session::renew(&session, &changed).await)?;
            request::redirect(&url::with_query(url::ACCOUNT, &[("done", "password")]));
            Ok(())
        }
        Err(error) => {
            let labels = [("/new_password", super::words::NEW)];
            let message =
                request::fields(&error).map(|errors| Problem::of_fields(&errors, &labels).message);
            let problem = request::to_problem(&error);
            request::set_rejected(problem, url::ACCOUNT.to_owned(), message.unwrap_or_default())
                .await
        }
    }
}

/// Changes the time zone of the signed-in user's account.
#[server(prefix = "/console", endpoint = "set-time-zone", output = JsonCodec)]
pub(crate) async fn set_time_zone(time_zone: String) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::ACCOUNT)?;
    super::load::set_time_zone(&signed_in, time_zone).await
}
