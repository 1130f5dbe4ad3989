//! The first password of an account.

use leptos::prelude::server;

use crate::{codec::JsonCodec, flash::RejectedForm, problem::Problem};

/// Returns whether the link with `token` can still be used, and why the last attempt to set a password was rejected.
#[server(prefix = "/console", endpoint = "setup", output = JsonCodec)]
pub(crate) async fn read_setup(token: String) -> Result<(bool, Option<RejectedForm>), Problem> {
    use crate::request;
    let cx = request::governance().public(request::correlation_id());
    let is_valid = governance::access::account::is_link_valid(&cx, &token).await;
    let is_valid = request::into_problem(is_valid)?;
    Ok((is_valid, request::take_rejected_cookie(crate::text::url::SETUP)))
}

/// Sets the password of the account whose setup link contains `token`, and redirects to the sign-in page.
#[server(prefix = "/console", endpoint = "set-password", output = JsonCodec)]
pub(crate) async fn set_password(token: String, password: String) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let cx = request::governance().public(request::correlation_id());
    let body = contract::member::AccountSetup { token: token.clone(), password };
    match governance::access::account::set_up(&cx, body).await {
        Ok(_) => request::redirect(&url::with_query("/login", &[("done", "setup")])),
        Err(error) => {
            let labels = [("/password", super::words::PASSWORD)];
            let message =
                request::fields(&error).map(|errors| Problem::of_fields(&errors, &labels).message);
            let page = url::with_query(url::SETUP, &[("token", &token)]);
            request::set_rejected_cookie(
                &request::to_problem(&error),
                &message.unwrap_or_default(),
                url::SETUP,
            );
            request::redirect(&page);
        }
    }
    Ok(())
}
