//! The first password of an account.

use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::kept::Kept};

/// Why no password was set a moment ago.
#[server(prefix = "/console", endpoint = "setup", output = Answer)]
pub(crate) async fn read_setup() -> Result<Option<Kept>, Problem> {
    use super::ssr;
    Ok(ssr::refused(crate::text::url::SETUP))
}

/// Sets the password of the account that the link of `token` belongs to, and leads to the sign-in
/// page.
#[server(prefix = "/console", endpoint = "set-password", output = Answer)]
pub(crate) async fn set_password(token: String, password: String) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::{url, words};
    let cx = ssr::governance().public(ssr::correlation_id());
    let body = contract::member::SetUp { token: token.clone(), password };
    match governance::account::set_up(&cx, body).await {
        Ok(_) => ssr::go(&url::with_query("/login", &[("done", "setup")])),
        Err(error) => {
            let labels = [("/password", words::setup::PASSWORD)];
            let said =
                ssr::fields(&error).map(|errors| Problem::of_fields(&errors, &labels).message);
            let page = url::with_query(url::SETUP, &[("token", &token)]);
            ssr::keep_refused(&ssr::refuse(&error), &said.unwrap_or_default(), url::SETUP);
            ssr::go(&page);
        }
    }
    Ok(())
}
