//! Signing in with a factor: the page of the second factor after the password, and a passkey alone.

use contract::second_factor::{PasskeySignIn, SecondFactorRequest};
use governance::access::{
    second_factor::{self, passkey},
    session::{self, PendingSignIn},
};
use page_kit::{
    prelude::*,
    request::{
        client, cookie_session, governance, redirect, set_rejected_cookie, take_rejected_cookie,
        wants_page,
    },
};

use super::{
    Factors, PasskeyUse, RECOVERY_CODE, RECOVERY_HINT, USE_PASSKEY, UsedFactor, WHY, code_field,
    parse, passkey_form, unauthorized,
};

/// The reason of a sign-in whose second factor came too late.
const EXPIRED: &str = "expired";

/// `/login/second-factor`. Without a pending sign-in, it redirects to the sign-in page.
pub async fn second_factor() -> PageResult {
    let content = page::or_problem(content(page::query("next")).await);
    Ok(card_page("Confirm that it is you", "card panel stack", content))
}

async fn content(next: String) -> PageResult {
    let Some(pending) = pending().await? else {
        let problem = expired();
        redirect(&sign_in_again(&next));
        return Err(problem);
    };
    let factors = Factors::of(pending.methods());
    let rejected = take_rejected_cookie(url::SECOND_FACTOR);
    let used = rejected.as_ref().and_then(|rejected| UsedFactor::from_name(&rejected.text));
    let is_wrong = |factor| used == Some(factor);
    let sign_in = url::with_query(url::LOGIN, &[("next", &next)]);
    Ok(any_view! {
        <p>{WHY}</p>
        {rejected.map(|rejected| rejected_note(&rejected, used))}
        {factors.passkey.then(|| with_passkey(&next))}
        {factors.totp.then(|| with_code(&next, factors, is_wrong(UsedFactor::Code)))}
        {factors.recovery_code.then(|| with_recovery(&next, is_wrong(UsedFactor::RecoveryCode)))}
        <p>
            <a href=sign_in>"Sign in with another account"</a>
        </p>
    })
}

/// Renders why a factor was rejected.
fn rejected_note(rejected: &RejectedForm, used: Option<UsedFactor>) -> AnyView {
    let is_wrong = matches!(&*rejected.problem.code, "UNAUTHORIZED" | "VALIDATION_ERROR");
    let text = match used {
        Some(factor) if is_wrong => factor.wrong().to_owned(),
        _ => summary(&rejected.problem),
    };
    note(Tone::Deny, Some("alert"), text)
}

fn with_passkey(next: &str) -> AnyView {
    any_view! {
        {passkey_step(next)}
        <noscript>
            <p class="text-muted">"Passkeys need JavaScript. Enable it, or use another factor."</p>
        </noscript>
    }
}

/// Renders the form that completes a sign-in with a passkey.
pub fn passkey_step(next: &str) -> AnyView {
    let content = view! {
        <input type="hidden" name="next" value=next.to_owned() />
        <button class="primary w-full">{USE_PASSKEY}</button>
    };
    passkey_form(PasskeyUse::SecondFactor, FinishSignIn::url(), false, content)
}

fn with_code(next: &str, factors: Factors, is_invalid: bool) -> AnyView {
    // A page has one primary action.
    let class = if factors.passkey { "w-full" } else { "primary w-full" };
    any_view! {
        <form method="post" action=FinishSignIn::url() class="stack" data-once="">
            <input type="hidden" name="next" value=next.to_owned() />
            {code_field(is_invalid)}
            <button class=class>"Continue"</button>
        </form>
    }
}

fn with_recovery(next: &str, is_invalid: bool) -> AnyView {
    any_view! {
        <details class="disclosure" open=is_invalid>
            <summary>"Use a recovery code"</summary>
            <form method="post" action=FinishSignIn::url() class="stack" data-once="">
                <input type="hidden" name="next" value=next.to_owned() />
                <div class="field">
                    <label for="recovery">{RECOVERY_CODE}</label>
                    <input
                        id="recovery"
                        name="code"
                        class="font-mono"
                        autocomplete="off"
                        autocapitalize="off"
                        maxlength="50"
                        required=true
                        spellcheck="false"
                        aria-describedby="recovery-hint"
                        aria-invalid=is_invalid.then_some("true")
                    />
                    <small id="recovery-hint" class="text-muted">
                        {RECOVERY_HINT}
                    </small>
                </div>
                <button class="w-full">"Use recovery code"</button>
            </form>
        </details>
    }
}

/// Returns the sign-in that waits for its second factor.
pub(super) async fn pending() -> Result<Option<PendingSignIn>, Problem> {
    Ok(session::pending(&governance(), &cookie_session()?).await?)
}

/// Returns the problem of a second factor without a pending sign-in.
pub(super) fn expired() -> Problem {
    Problem { reason: Some(EXPIRED.into()), ..unauthorized() }
}

fn sign_in_again(next: &str) -> String {
    url::with_query(url::LOGIN, &[("next", next), ("problem", EXPIRED)])
}

/// Completes a sign-in with a code or a passkey, and redirects to `next`. The dialog of a page gets the error as the
/// response.
#[server(prefix = "/console", endpoint = "finish-sign-in", output = JsonCodec)]
pub async fn finish_sign_in(
    #[server(default)] code: String,
    #[server(default)] credential: String,
    next: String,
) -> Result<(), Problem> {
    let used = UsedFactor::of(&code);
    match finish_with(code, &credential).await {
        Ok(()) => redirect(&next),
        Err(problem) if !wants_page() => return Err(problem),
        Err(problem) if problem.reason.as_deref() == Some(EXPIRED) => {
            redirect(&sign_in_again(&next));
        }
        Err(problem) => {
            set_rejected_cookie(&problem, used.as_str(), url::SECOND_FACTOR);
            redirect(&url::with_query(url::SECOND_FACTOR, &[("next", &next)]));
        }
    }
    Ok(())
}

async fn finish_with(code: String, credential: &str) -> Result<(), Problem> {
    let pending = pending().await?.ok_or_else(expired)?;
    let request = if credential.is_empty() {
        SecondFactorRequest { code: Some(code), credential: None }
    } else {
        SecondFactorRequest { code: None, credential: Some(parse(credential)?) }
    };
    let (governance, client) = (governance(), client());
    let signed_in = second_factor::finish_sign_in(&governance, &client, &pending, request).await?;
    Ok(session::start(&cookie_session()?, &signed_in, &client).await?)
}

/// Renders the form that signs in with a passkey alone.
pub fn passkey_sign_in(next: &str, offers_autofill: bool) -> AnyView {
    let content = view! {
        <input type="hidden" name="next" value=next.to_owned() />
        <button class="w-full">"Sign in with a passkey"</button>
    };
    passkey_form(PasskeyUse::SignIn, SignInWithPasskey::url(), offers_autofill, content)
}

/// Signs a user in with a passkey alone and redirects to `next`. The dialog of a page gets the error as the response.
#[server(prefix = "/console", endpoint = "sign-in-with-passkey", output = JsonCodec)]
async fn sign_in_with_passkey(
    #[server(default)] credential: String,
    next: String,
) -> Result<(), Problem> {
    match sign_in_with(&credential).await {
        Ok(()) => redirect(&next),
        Err(problem) if !wants_page() => return Err(problem),
        Err(problem) => {
            let is_wrong = matches!(problem.status, 401 | 422);
            if !is_wrong {
                set_rejected_cookie(&problem, "", url::LOGIN);
            }
            let reason = if is_wrong { "passkey" } else { "" };
            redirect(&url::with_query(url::LOGIN, &[("next", &next), ("problem", reason)]));
        }
    }
    Ok(())
}

async fn sign_in_with(credential: &str) -> Result<(), Problem> {
    let request = PasskeySignIn { credential: parse(credential)? };
    let signed_in = passkey::sign_in(&governance(), request).await?;
    Ok(session::start(&cookie_session()?, &signed_in, &client()).await?)
}
