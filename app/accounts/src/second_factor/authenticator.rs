//! The authenticator app: its part of the account page, and the page that sets it up.

use contract::second_factor::{Totp, TotpConfirmation, TotpSetup};
use governance::access::second_factor::totp;
use page_kit::{prelude::*, text::qr_code::QrCode, ui::qr_code::qr_code};

use super::{UsedFactor, account, code_field, codes, read_form, renew, respond_to_removal};

const SET_UP: &str = "Set up authenticator app";

/// The time in seconds for which the browser stores the secret of an authenticator app that is being set up.
const SETUP_SECONDS: u32 = 15 * 60;

/// `/account/authenticator`
pub async fn authenticator() -> PageResult {
    let content = page::or_problem(content(page::query("next")).await);
    let content = view! {
        {content}
        <p>
            <a href=url::SECURITY>"Back to your account"</a>
        </p>
    };
    Ok(card_page(SET_UP, "card panel stack", content))
}

async fn content(next: String) -> PageResult {
    let page = url::with_query(url::AUTHENTICATOR, &[("next", &next)]);
    request::signed_in(&page)?;
    let setup = request::secret(url::AUTHENTICATOR);
    let problem = request::take_rejected(&page).await.map(|rejected| rejected.problem);
    // The secret is absent if the set-up was not started in this browser or took too long.
    let Some(OneTimeSecret { name: secret, secret: uri }) = setup else {
        let text = "Start it again on the page of your account.";
        return Ok(empty_state("The set-up has ended", text));
    };
    let is_invalid = problem.as_ref().is_some_and(|problem| matches!(problem.status, 401 | 422));
    let note = problem.map(|problem| {
        if is_invalid {
            note(Tone::Deny, Some("alert"), UsedFactor::Code.wrong())
        } else {
            problem_note(problem)
        }
    });
    let qr_code = QrCode::of_link(&uri).map(|code| {
        let label = "QR code of the key for the authenticator app";
        view! { <p class="qr-large">{qr_code(code, label)}</p> }
    });
    Ok(any_view! {
        {note}
        <p>
            "Scan the QR code with the app, or enter the key in the app. Then enter the code that the app shows."
        </p>
        {qr_code}
        <dl class="facts">{fact("Key", id_code(grouped(&secret), "Key"))}</dl>
        <p>
            <a href=uri rel="external">
                "Open the app on this device"
            </a>
        </p>
        <form method="post" action=ConfirmAuthenticator::url() class="stack" data-once="">
            <input type="hidden" name="next" value=next />
            {code_field(is_invalid)}
            <button class="primary w-full">"Confirm code"</button>
        </form>
    })
}

/// Returns the secret in groups of four characters, as apps accept it.
fn grouped(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join(" ")
}

/// Renders the app with the form that removes it, or the button that starts the set-up if factors can be added.
pub(super) fn app(totp: Option<&Totp>, can_add: bool) -> Option<AnyView> {
    const REMOVE: &str = "Remove authenticator app";
    let Some(&Totp { created_at, last_used_at }) = totp else {
        let next = url::with_query(url::ACCOUNT, &[("done", "authenticator")]);
        return can_add.then(|| set_up_form(url::SECURITY.to_owned(), next));
    };
    Some(any_view! {
        <dl class="facts">
            {fact("Added", day(created_at))} {fact("Last used", last_used(last_used_at))}
        </dl>
        <details class="disclosure">
            <summary>{REMOVE}</summary>
            <form method="post" action=RemoveAuthenticator::url() class="stack" data-once="">
                <p>"Your account no longer asks for its codes."</p>
                {submit("danger", REMOVE)}
            </form>
        </details>
    })
}

/// Renders when a factor was used last.
pub(super) fn last_used(at: Option<contract::time::Timestamp>) -> AnyView {
    at.map_or_else(|| "Never".into_any(), ago)
}

/// Renders the button that starts the set-up. It continues at `next`; `page` is the page with the button.
pub(super) fn set_up_form(page: String, next: String) -> AnyView {
    any_view! {
        <form method="post" action=SetUpAuthenticator::url() class="row end" data-once="">
            <input type="hidden" name="page" value=page />
            <input type="hidden" name="next" value=next />
            <button>{SET_UP}</button>
        </form>
    }
}

/// Creates the secret of an authenticator app and redirects to the page that shows it. `page` is the page of the form.
#[server(prefix = "/console", endpoint = "set-up-authenticator", output = JsonCodec)]
async fn set_up_authenticator(page: String, next: String) -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    let started = totp::set_up(&cx, &signed_in).await.map(|TotpSetup { secret, uri }| {
        let created = OneTimeSecret { name: secret, secret: uri };
        request::set_secret(&created, url::AUTHENTICATOR, SETUP_SECONDS);
    });
    let done = url::with_query(url::AUTHENTICATOR, &[("next", &next)]);
    request::respond(started, &done, &page, String::new()).await
}

/// Adds the authenticator app to the account. It redirects to `next`, by way of the page with recovery codes if there are
/// new ones.
#[server(prefix = "/console", endpoint = "confirm-authenticator", output = JsonCodec)]
async fn confirm_authenticator(code: String, next: String) -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    let confirmed = confirm(&cx, &signed_in, &code).await;
    let done = confirmed.as_ref().map(|codes| {
        request::delete_secret();
        codes::before(&next, codes)
    });
    let done = done.unwrap_or_default();
    let page = url::with_query(url::AUTHENTICATOR, &[("next", &next)]);
    request::respond(confirmed, &done, &page, String::new()).await
}

/// Returns the recovery codes if the app is the first second factor of the account.
async fn confirm(cx: &Cx, signed_in: &SignedIn, code: &str) -> Result<Vec<String>, Problem> {
    let confirmation: TotpConfirmation = read_form([("code", code.trim().into())])?;
    let (codes, signed_in) = totp::confirm(cx, signed_in, &request::client(), confirmation).await?;
    renew(&signed_in).await?;
    Ok(codes.recovery_codes)
}

/// Removes the authenticator app and redirects to the account page.
#[server(prefix = "/console", endpoint = "remove-authenticator", output = JsonCodec)]
async fn remove_authenticator() -> Result<(), Problem> {
    let (signed_in, cx) = account()?;
    respond_to_removal(totp::remove(&cx, &signed_in).await, "authenticator-removed").await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_shown_in_groups() {
        assert_eq!(grouped("ABCDEFGHIJ"), "ABCD EFGH IJ");
    }
}
