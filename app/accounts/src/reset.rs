//! The page that requests an email to replace a forgotten password.

use contract::{email::parse_email, member::ResetRequest};
use governance::{access::account, base::error::invalid_field};
use page_kit::prelude::*;

/// `/reset`
pub async fn reset() -> PageResult {
    let content = view! {
        {content()}
        <p>
            <a href="/login">"Back to sign in"</a>
        </p>
    };
    Ok(card_page("Reset your password", "card panel stack", content))
}

fn content() -> AnyView {
    if request::governance().mail().is_none() {
        let text = "This service does not send email. Ask its operator to restore your access.";
        return note(Tone::Warn, None, text);
    }
    let rejected = request::take_rejected_cookie(url::RESET);
    if page::query("done") == "sent" && rejected.is_none() {
        let text = "If an account uses this email, a link has been sent. It can be used once, within one hour.";
        return note(Tone::Allow, Some("status"), text);
    }
    let rejected = rejected.map(|rejected| {
        let is_described = !rejected.text.is_empty();
        let text = if is_described { rejected.text } else { summary(&rejected.problem) };
        note(Tone::Deny, Some("alert"), text)
    });
    any_view! {
        <form method="post" action=RequestReset::url() class="stack" data-once="">
            {rejected}
            <p>
                "Enter the email address that you sign in with. If it has an account, you receive an email with a link to choose a new password."
            </p>
            <TextField
                label="Email"
                name="email"
                kind="email"
                autocomplete="username"
                required=true
                autofocus=true
            />
            <button class="primary w-full">"Send the link"</button>
        </form>
    }
}

/// Sends a password reset mail to an address. The response is the same for every address.
#[server(prefix = "/console", endpoint = "request-reset", output = JsonCodec)]
async fn request_reset(email: String) -> Result<(), Problem> {
    let page = match send(&email).await {
        Ok(()) => url::with_query(url::RESET, &[("done", "sent")]),
        Err(error) => {
            request::set_rejected_fields(&error, &[("/email", "Email")], url::RESET);
            url::RESET.to_owned()
        }
    };
    request::redirect(&page);
    Ok(())
}

async fn send(email: &str) -> governance::Result<()> {
    let email = parse_email(email).map_err(|text| invalid_field("/email", "format", text))?;
    let cx = request::governance().public(request::correlation_id());
    account::request_reset(&cx, ResetRequest { email }).await
}
