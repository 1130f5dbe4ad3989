//! A person's own account: where they belong, and their password.

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
    let kept = ssr::kept(url::ACCOUNT).await;
    Ok(Account { person: (&session).into(), places: places(&session), kept })
}

/// Changes the signed-in person's password; every other sign-in of theirs ends.
#[server(prefix = "/console", endpoint = "change-password", output = Answer)]
pub(crate) async fn change_password(password: String, new_password: String) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::{url, words};
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    let cx = ssr::governance().public(ssr::correlation_id());
    let body = contract::member::PasswordChange { password, new_password };
    let ip = ssr::client_ip();
    match governance::account::change_password(&cx, &signed_in, ip, body).await {
        Ok(changed) => {
            let session = ssr::session().ok_or_else(ssr::store_fault)?;
            ssr::answer(governance::session::begin(&session, &changed).await)?;
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
