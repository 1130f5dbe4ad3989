//! Asking for a new password.

use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::kept::Kept};

/// Whether the service sends mail, and why a request was refused a moment ago.
pub(crate) async fn read_reset() -> Result<(bool, Option<Kept>), Problem> {
    use super::ssr;
    Ok((ssr::governance().mail().is_some(), ssr::refused(crate::text::url::RESET)))
}

/// Asks for a mail to reset the passwords of an address; the outcome is the same for every address.
#[server(prefix = "/console", endpoint = "request-reset", output = Answer)]
pub(crate) async fn request_reset(email: String) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::{url, words};
    let cx = ssr::governance().public(ssr::correlation_id());
    let Some(address) = contract::member::address(&email) else {
        let fault =
            governance::error::invalid_field("/email", "format", "must be an e-mail address");
        let error: governance::Error = fault.into();
        let labels = [("/email", words::login::EMAIL)];
        let said = ssr::fields(&error).map(|errors| Problem::of_fields(&errors, &labels).message);
        ssr::keep_refused(&ssr::refuse(&error), &said.unwrap_or_default(), url::RESET);
        ssr::go(url::RESET);
        return Ok(());
    };
    let request = contract::member::ResetRequest { email: address };
    match governance::account::request_reset(&cx, request).await {
        Ok(()) => ssr::go(&url::with_query(url::RESET, &[("done", "sent")])),
        Err(error) => {
            ssr::keep_refused(&ssr::refuse(&error), "", url::RESET);
            ssr::go(url::RESET);
        }
    }
    Ok(())
}
