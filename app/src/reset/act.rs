//! Requests for a password reset.

use leptos::prelude::server;

use crate::{codec::JsonCodec, flash::RejectedForm, problem::Problem};

/// Returns whether the service sends mail, and why the last request was rejected.
pub(crate) async fn read_reset() -> Result<(bool, Option<RejectedForm>), Problem> {
    use crate::request;
    Ok((
        request::governance().mail().is_some(),
        request::take_rejected_cookie(crate::text::url::RESET),
    ))
}

/// Sends a password reset mail to an address. The response is the same for every address.
#[server(prefix = "/console", endpoint = "request-reset", output = JsonCodec)]
pub(crate) async fn request_reset(email: String) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let cx = request::governance().public(request::correlation_id());
    let address = match contract::email::parse_email(&email) {
        Ok(address) => address,
        Err(message) => {
            let invalid = governance::base::error::invalid_field("/email", "format", message);
            let error: governance::Error = invalid.into();
            let labels = [("/email", crate::sign_in::words::EMAIL)];
            let message =
                request::fields(&error).map(|errors| Problem::of_fields(&errors, &labels).message);
            request::set_rejected_cookie(
                &request::to_problem(&error),
                &message.unwrap_or_default(),
                url::RESET,
            );
            request::redirect(url::RESET);
            return Ok(());
        }
    };
    let request = contract::member::ResetRequest { email: address };
    match governance::access::account::request_reset(&cx, request).await {
        Ok(()) => request::redirect(&url::with_query(url::RESET, &[("done", "sent")])),
        Err(error) => {
            request::set_rejected_cookie(&request::to_problem(&error), "", url::RESET);
            request::redirect(url::RESET);
        }
    }
    Ok(())
}
