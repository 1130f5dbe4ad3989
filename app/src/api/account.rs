//! A person's own account: where they belong, their password, and their sessions.

use contract::id::SessionId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::account::Account};

/// The page of the signed-in person's account.
#[server(prefix = "/console", endpoint = "account", output = Answer)]
pub(crate) async fn read_account() -> Result<Account, Problem> {
    use super::ssr;
    use crate::{text::url, view::frame::places};
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    let session = ssr::answer(governance::session::who(&ssr::governance(), &signed_in).await)?;
    let active = ssr::answer(governance::session::list(&ssr::governance(), &signed_in).await)?;
    let invitations = ssr::invitations(&signed_in).await?;
    let kept = ssr::kept(url::ACCOUNT).await;
    let (person, places) = ((&session).into(), places(&session));
    Ok(Account { person, places, sessions: active.items, invitations, kept })
}

/// Ends one of the person's sessions and leads back to the page, or to the sign-in page for the current one.
#[server(prefix = "/console", endpoint = "end-session", output = Answer)]
pub(crate) async fn end_session(id: SessionId) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::url;
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    if id == signed_in.session_id {
        return super::session::log_out().await;
    }
    match governance::session::end_one(&ssr::governance(), &signed_in, id).await {
        // One that has ended meanwhile needs no more.
        Err(error) if error.status() != 404 => Err(ssr::refuse(&error)),
        _ => {
            ssr::go(&url::with_query(url::ACCOUNT, &[("done", "session")]));
            Ok(())
        }
    }
}

/// Ends all of the person's sessions but the current one and leads back to the page.
#[server(prefix = "/console", endpoint = "end-other-sessions", output = Answer)]
pub(crate) async fn end_other_sessions() -> Result<(), Problem> {
    use super::ssr;
    use crate::text::url;
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    ssr::answer(governance::session::end_others(&ssr::governance(), &signed_in).await)?;
    ssr::go(&url::with_query(url::ACCOUNT, &[("done", "sessions")]));
    Ok(())
}

/// Changes the signed-in person's password; every other sign-in of theirs ends.
#[server(prefix = "/console", endpoint = "change-password", output = Answer)]
pub(crate) async fn change_password(password: String, new_password: String) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::{url, words};
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    let cx = ssr::governance().public(ssr::correlation_id());
    let body = contract::member::PasswordChange { password, new_password };
    let client = ssr::client();
    match governance::account::change_password(&cx, &signed_in, &client, body).await {
        Ok(changed) => {
            let session = ssr::session().ok_or_else(ssr::store_fault)?;
            ssr::answer(governance::session::renew(&session, &changed).await)?;
            ssr::go(&url::with_query(url::ACCOUNT, &[("done", "password")]));
            Ok(())
        }
        Err(error) => {
            let labels = [("/new_password", words::account::NEW)];
            let said =
                ssr::fields(&error).map(|errors| Problem::of_fields(&errors, &labels).message);
            let problem = ssr::refuse(&error);
            ssr::keep(problem, url::ACCOUNT.to_owned(), said.unwrap_or_default()).await
        }
    }
}
