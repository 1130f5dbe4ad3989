//! Confirmation of the identity before an action that is signed in the user's name.

use contract::session::ReauthenticationRequest;
use governance::access::{
    oidc, second_factor,
    session::{self, ProviderSession},
    sign_in,
};
use page_kit::prelude::*;

use super::{password_field, rejected_note};
use crate::second_factor::{
    CODE, Factors, PasskeyUse, RECOVERY_CODE, RECOVERY_HINT, USE_PASSKEY, UsedFactor, parse,
    passkey_form, renew, unauthorized,
};

/// `/login/confirm`
pub async fn confirmation() -> PageResult {
    let content = page::or_problem(content(page::query("next")).await);
    Ok(card_page("Confirm your identity", "card panel", content))
}

fn address(next: &str) -> String {
    url::with_query("/login/confirm", &[("next", next)])
}

async fn content(next: String) -> PageResult {
    let page = address(&next);
    let signed_in = request::signed_in(&page)?;
    let governance = request::governance();
    let session = session::session_info(&governance, &signed_in).await?;
    if let Some(provider) = signed_in.provider {
        let name = oidc::name(&governance, provider).await?;
        let link = sign_in_again(provider, &name, &next);
        request::take_rejected(&page).await;
        return Ok(link);
    }
    let factors = Factors::of(&second_factor::methods(&governance, &signed_in).await?);
    let rejected = request::take_rejected(&page).await;
    Ok(confirm_form(session.user.email, factors, rejected.as_ref(), next))
}

/// Renders the link for a user whom an identity provider signed in. The provider authenticates the user again.
fn sign_in_again(provider: ProviderSession, name: &str, next: &str) -> AnyView {
    let path = oidc::ProviderPath { tenant: provider.tenant_id, provider: provider.provider_id };
    let address = url::with_query(&path.sign_in(), &[("fresh", "1"), ("next", next)]);
    let back = url::own_path(next).to_owned();
    let label = format!("Sign in again with {name}");
    any_view! {
        <p>"You signed in more than 15 minutes ago. Sign in again to sign this action."</p>
        <div class="row end">
            <a class="button" href=back>
                {messages::CANCEL}
            </a>
            <a class="button primary" href=address rel="external">
                {label}
            </a>
        </div>
    }
}

/// Renders the form of a user with a password. The text of the rejected form is the used factor.
fn confirm_form(
    email: String,
    factors: Factors,
    rejected: Option<&RejectedForm>,
    next: String,
) -> AnyView {
    let back = url::own_path(&next).to_owned();
    let has_factor = factors.passkey || factors.has_codes();
    let (why, wrong) = if has_factor {
        (
            "You signed in more than 15 minutes ago. Confirm that it is you to sign this action.",
            "Incorrect password or code.",
        )
    } else {
        (
            "You signed in more than 15 minutes ago. Enter your password to sign this action.",
            "Incorrect password.",
        )
    };
    let note = rejected.map(|rejected| match UsedFactor::from_name(&rejected.text) {
        Some(UsedFactor::Passkey) => rejected_note(rejected, UsedFactor::Passkey.wrong()),
        _ => rejected_note(rejected, wrong),
    });
    any_view! {
        <p>{why}</p>
        {note}
        {factors.passkey.then(|| with_passkey(next.clone()))}
        <form method="post" action=Confirm::url() class="stack">
            <input type="hidden" name="next" value=next />
            // Password managers select the password by this email.
            <label class="field">
                <span>"Email"</span>
                <input type="email" value=email autocomplete="username" readonly />
            </label>
            {password_field(true)}
            {factors.has_codes().then(|| code_field(factors))}
            {submit_or_cancel("Confirm", back)}
        </form>
    }
}

/// Renders the form that confirms with a passkey instead of the password.
fn with_passkey(next: String) -> AnyView {
    let content = view! {
        <input type="hidden" name="next" value=next />
        <button class="w-full">{USE_PASSKEY}</button>
    };
    any_view! {
        {passkey_form(PasskeyUse::Confirm, Confirm::url(), false, content)}
        <p class="text-muted text-xs with-scripts">"Or with your password:"</p>
    }
}

fn code_field(factors: Factors) -> AnyView {
    let (label, hint) = if factors.totp {
        (CODE, "6 digits, or a recovery code.")
    } else {
        (RECOVERY_CODE, RECOVERY_HINT)
    };
    any_view! {
        <HintedField
            label
            hint
            name="code"
            id="code"
            autocomplete="one-time-code"
            required=true
            maxlength=50
        />
    }
}

/// Reauthenticates the user and redirects to `next`: with the password, and with a code if the account has a second
/// factor; or with a passkey.
#[server(prefix = "/console", endpoint = "confirm", output = JsonCodec)]
async fn confirm(
    #[server(default)] password: String,
    #[server(default)] code: String,
    #[server(default)] credential: String,
    next: String,
) -> Result<(), Problem> {
    let page = address(&next);
    let signed_in = request::signed_in(&page)?;
    // Only the form of the passkey has no password.
    let used = if password.is_empty() { UsedFactor::Passkey } else { UsedFactor::Code };
    let confirmed = reauthenticate(&signed_in, password, code, &credential).await;
    request::respond(confirmed, &next, &page, used.as_str().to_owned()).await
}

/// Reauthenticates the user, and continues the session with a new token. Members without input are empty.
async fn reauthenticate(
    signed_in: &SignedIn,
    password: String,
    code: String,
    credential: &str,
) -> Result<(), Problem> {
    let input = |text: String| (!text.is_empty()).then_some(text);
    let password = input(password);
    let credential = match password {
        Some(_) => None,
        None => Some(parse(credential).map_err(|_| unauthorized())?),
    };
    let request = ReauthenticationRequest { password, code: input(code), credential };
    let (governance, client) = (request::governance(), request::client());
    renew(&sign_in::confirm(&governance, signed_in, &client, request).await?).await
}
