//! Data of the pages of second factors.

use contract::{
    error::ErrorCode,
    id::{PasskeyId, TenantId},
    json::{Limits, Object, Value},
    read::{self, FromJson},
    second_factor::{
        PasskeyDraft, PasskeyOptions, PasskeySignIn, SecondFactorRequest, TotpConfirmation,
        TotpSetup,
    },
    session::ReauthenticationRequest,
};
use governance::{
    SignedIn,
    access::{
        second_factor::{self, passkey, recovery_code, totp},
        session::{self, PendingSignIn},
        sign_in,
    },
};
use http::StatusCode;
use leptos::prelude::expect_context;
use leptos_axum::ResponseOptions;
use tower_sessions::Session;

use super::{
    view::{AuthenticatorSetup, Factors, PasskeyUse, Required, Security, Step, UsedFactor},
    words,
};
use crate::{
    flash::OneTimeSecret,
    problem::Problem,
    request::{
        self, client, correlation_id, delete_secret, fields, governance, into_problem, redirect,
        secret, set_created, set_rejected, set_rejected_cookie, set_secret, take_created,
        take_rejected, take_rejected_cookie, to_problem, user_tenants, wants_page, write_error,
    },
    text::url,
};

/// The time in seconds for which the browser stores the secret of an authenticator app that is being set up.
const SETUP_SECONDS: u32 = 15 * 60;

/// The reason of a sign-in whose second factor came too late.
const EXPIRED: &str = "expired";

pub(super) async fn options(purpose: PasskeyUse) -> Result<PasskeyOptions, Problem> {
    let governance = governance();
    let options = match purpose {
        PasskeyUse::Create => {
            let signed_in = request::signed_in(url::ACCOUNT)?;
            passkey::creation_options(&governance, &signed_in).await
        }
        PasskeyUse::SignIn => Ok(passkey::sign_in_options(&governance)),
        PasskeyUse::SecondFactor => {
            let pending = pending().await?.ok_or_else(expired)?;
            passkey::second_factor_options(&governance, &pending).await
        }
        PasskeyUse::Confirm => {
            let signed_in = request::signed_in(url::ACCOUNT)?;
            passkey::confirm_options(&governance, &signed_in).await
        }
    };
    into_problem(options)
}

/// Signs a user in with a passkey. The dialog of a page gets the error as the response.
pub(super) async fn sign_in(credential: &str, next: &str) -> Result<(), Problem> {
    match sign_in_with(credential).await {
        Ok(()) => redirect(next),
        Err(problem) if !wants_page() => return Err(problem),
        Err(problem) => {
            let is_wrong = matches!(problem.status, 401 | 422);
            if !is_wrong {
                set_rejected_cookie(&problem, "", url::LOGIN);
            }
            let reason = if is_wrong { "passkey" } else { "" };
            redirect(&url::with_query(url::LOGIN, &[("next", next), ("problem", reason)]));
        }
    }
    Ok(())
}

async fn sign_in_with(credential: &str) -> Result<(), Problem> {
    let (governance, client) = (governance(), client());
    let request = PasskeySignIn { credential: parse(credential)? };
    let signed_in = into_problem(passkey::sign_in(&governance, request).await)?;
    into_problem(session::start(&cookie_session()?, &signed_in, &client).await)
}

pub(super) async fn step(next: &str) -> Result<Step, Problem> {
    let Some(pending) = pending().await? else {
        let problem = expired();
        redirect(&sign_in_again(next));
        return Err(problem);
    };
    Ok(Step {
        factors: Factors::of(pending.methods()),
        rejected: take_rejected_cookie(url::SECOND_FACTOR),
    })
}

/// Completes a sign-in. The dialog of a page gets the error as the response.
pub(super) async fn finish_sign_in(
    code: String,
    credential: &str,
    next: &str,
) -> Result<(), Problem> {
    let used = UsedFactor::of(&code);
    match finish_with(code, credential).await {
        Ok(()) => redirect(next),
        Err(problem) if !wants_page() => return Err(problem),
        Err(problem) if problem.reason.as_deref() == Some(EXPIRED) => {
            redirect(&sign_in_again(next));
        }
        Err(problem) => {
            set_rejected_cookie(&problem, used.word(), url::SECOND_FACTOR);
            redirect(&url::with_query(url::SECOND_FACTOR, &[("next", next)]));
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
    let signed_in = second_factor::finish_sign_in(&governance, &client, &pending, request).await;
    let signed_in = into_problem(signed_in)?;
    into_problem(session::start(&cookie_session()?, &signed_in, &client).await)
}

/// Returns the sign-in that waits for its second factor.
async fn pending() -> Result<Option<PendingSignIn>, Problem> {
    into_problem(session::pending(&governance(), &cookie_session()?).await)
}

/// Returns the problem of a second factor without a pending sign-in.
fn expired() -> Problem {
    Problem { reason: Some(EXPIRED.into()), ..unauthorized() }
}

fn unauthorized() -> Problem {
    let status = StatusCode::UNAUTHORIZED;
    expect_context::<ResponseOptions>().set_status(status);
    let code = ErrorCode::Unauthorized.as_str().to_owned();
    Problem { code, status: status.as_u16(), ..Problem::default() }
}

fn sign_in_again(next: &str) -> String {
    url::with_query(url::LOGIN, &[("next", next), ("problem", EXPIRED)])
}

fn cookie_session() -> Result<Session, Problem> {
    request::session().ok_or_else(write_error)
}

/// Parses the passkey that the browser returned.
fn parse(credential: &str) -> Result<Object, Problem> {
    let value = Value::parse(credential.as_bytes(), &Limits::REQUEST).ok();
    let object = value.and_then(|value| value.as_object().cloned());
    object.ok_or_else(|| Problem::of_form(words::NO_PASSKEY))
}

/// The form that reauthenticates a user. Members without input are empty.
pub(crate) struct Reauthentication {
    pub(crate) password: String,
    pub(crate) code: String,
    pub(crate) credential: String,
}

/// Reauthenticates the user, and continues the session with a new token.
pub(crate) async fn confirm(signed_in: &SignedIn, form: Reauthentication) -> Result<(), Problem> {
    let input = |text: String| (!text.is_empty()).then_some(text);
    let password = input(form.password);
    let credential = match password {
        Some(_) => None,
        None => Some(parse(&form.credential).map_err(|_| unauthorized())?),
    };
    let request = ReauthenticationRequest { password, code: input(form.code), credential };
    let confirmed = sign_in::confirm(&governance(), signed_in, &client(), request).await;
    renew(&into_problem(confirmed)?).await
}

/// Returns the second factors of the account; `None` for a session of an identity provider, which cannot change them.
pub(crate) async fn security(signed_in: &SignedIn) -> Result<Option<Security>, Problem> {
    if signed_in.provider.is_some() {
        return Ok(None);
    }
    let factors = into_problem(second_factor::list(&governance(), signed_in).await)?;
    let tenants = user_tenants(signed_in).await?;
    let required_by = tenants.session().second_factor_required.iter();
    Ok(Some(Security {
        factors,
        can_add: into_problem(second_factor::can_add(&governance(), signed_in).await)?,
        required_by: required_by.map(|tenant| tenant.tenant_name.clone()).collect(),
        rejected: take_rejected(url::SECURITY).await,
    }))
}

pub(super) async fn required(tenant: TenantId, next: &str) -> Result<Required, Problem> {
    let page = url::required_second_factor(tenant, next);
    let signed_in = request::signed_in(&page)?;
    let tenants = user_tenants(&signed_in).await?;
    let mut required = tenants.session().second_factor_required.iter();
    let Some(name) = required.find(|name| name.tenant_id == tenant) else {
        redirect(next);
        return Err(Problem::missing());
    };
    let rejected = take_rejected(&page).await;
    let can_add = into_problem(second_factor::can_add(&governance(), &signed_in).await)?;
    Ok(Required { tenant: name.tenant_name.clone(), can_add, page, rejected })
}

/// Adds a passkey. Returns the recovery codes if it is the first second factor of the account.
pub(super) async fn create_passkey(
    signed_in: &SignedIn,
    name: &str,
    credential: &str,
) -> Result<Vec<String>, Problem> {
    if credential.is_empty() {
        // The service refused the options, so it refuses them again, with the reason.
        into_problem(passkey::creation_options(&governance(), signed_in).await)?;
    }
    let body = [("name", name.trim().into()), ("credential", parse(credential)?.into())];
    let draft: PasskeyDraft = read_form(body)?;
    let cx = governance().public(correlation_id());
    let (created, signed_in) = form_result(passkey::create(&cx, signed_in, draft).await)?;
    renew(&signed_in).await?;
    Ok(created.recovery_codes)
}

fn read_form<T: FromJson, const MEMBERS: usize>(
    body: [(&str, Value); MEMBERS],
) -> Result<T, Problem> {
    read::body(&Object::from(body).into())
        .map_err(|errors| Problem::of_fields(&errors, &words::FIELDS))
}

/// Converts the error of a result; field errors become sentences.
fn form_result<T>(result: governance::Result<T>) -> Result<T, Problem> {
    result.map_err(|error| match fields(&error) {
        Some(errors) => Problem::of_fields(&errors, &words::FIELDS),
        None => to_problem(&error),
    })
}

async fn renew(signed_in: &SignedIn) -> Result<(), Problem> {
    into_problem(session::renew(&cookie_session()?, signed_in).await)
}

/// Sends recovery codes to the browser and redirects to the page that shows them, or without codes to `next`.
pub(super) fn show_codes(codes: &[String], next: &str) {
    if codes.is_empty() {
        redirect(next);
        return;
    }
    let secret = OneTimeSecret { name: String::new(), secret: codes.join("\n") };
    set_created(&secret, url::RECOVERY_CODES);
    redirect(&url::with_query(url::RECOVERY_CODES, &[("next", next)]));
}

pub(super) fn codes() -> Vec<String> {
    let codes = take_created(url::RECOVERY_CODES).map(|codes| codes.secret).unwrap_or_default();
    codes.lines().map(str::to_owned).collect()
}

pub(super) async fn rename_passkey(
    signed_in: &SignedIn,
    id: PasskeyId,
    name: &str,
) -> Result<(), Problem> {
    let renamed = match read_form([("name", name.trim().into())]) {
        Ok(patch) => {
            let cx = governance().public(correlation_id());
            form_result(passkey::rename(&cx, signed_in, id, patch).await)
        }
        Err(problem) => Err(problem),
    };
    respond(renamed, "passkey-renamed").await
}

pub(super) async fn remove_passkey(signed_in: &SignedIn, id: PasskeyId) -> Result<(), Problem> {
    let cx = governance().public(correlation_id());
    let removed = into_problem(passkey::remove(&cx, signed_in, id).await);
    respond(continue_session(removed).await, "passkey-removed").await
}

pub(super) async fn set_up_authenticator(
    signed_in: &SignedIn,
    page: String,
    next: &str,
) -> Result<(), Problem> {
    let cx = governance().public(correlation_id());
    match into_problem(totp::set_up(&cx, signed_in).await) {
        Ok(TotpSetup { secret, uri }) => {
            let created = OneTimeSecret { name: secret, secret: uri };
            set_secret(&created, url::AUTHENTICATOR, SETUP_SECONDS);
            redirect(&url::with_query(url::AUTHENTICATOR, &[("next", next)]));
            Ok(())
        }
        Err(problem) => set_rejected(problem, page, String::new()).await,
    }
}

pub(super) async fn authenticator(next: &str) -> Result<AuthenticatorSetup, Problem> {
    let page = url::with_query(url::AUTHENTICATOR, &[("next", next)]);
    request::signed_in(&page)?;
    let setup = secret(url::AUTHENTICATOR)
        .map(|created| TotpSetup { secret: created.name, uri: created.secret });
    Ok(AuthenticatorSetup { setup, rejected: take_rejected(&page).await })
}

pub(super) async fn confirm_authenticator(
    signed_in: &SignedIn,
    code: &str,
    next: &str,
) -> Result<(), Problem> {
    match confirmed_codes(signed_in, code).await {
        Ok(codes) => {
            delete_secret();
            show_codes(&codes, next);
            Ok(())
        }
        Err(problem) => {
            let page = url::with_query(url::AUTHENTICATOR, &[("next", next)]);
            set_rejected(problem, page, String::new()).await
        }
    }
}

async fn confirmed_codes(signed_in: &SignedIn, code: &str) -> Result<Vec<String>, Problem> {
    let confirmation: TotpConfirmation = read_form([("code", code.trim().into())])?;
    let cx = governance().public(correlation_id());
    let confirmed = totp::confirm(&cx, signed_in, &client(), confirmation).await;
    let (codes, signed_in) = into_problem(confirmed)?;
    renew(&signed_in).await?;
    Ok(codes.recovery_codes)
}

pub(super) async fn remove_authenticator(signed_in: &SignedIn) -> Result<(), Problem> {
    let cx = governance().public(correlation_id());
    let removed = into_problem(totp::remove(&cx, signed_in).await);
    respond(continue_session(removed).await, "authenticator-removed").await
}

pub(super) async fn replace_recovery_codes(signed_in: &SignedIn) -> Result<(), Problem> {
    let cx = governance().public(correlation_id());
    let replaced = into_problem(recovery_code::replace(&cx, signed_in).await);
    let (codes, renewed) = match replaced {
        Ok((codes, signed_in)) => (codes.recovery_codes, renew(&signed_in).await),
        Err(problem) => (Vec::new(), Err(problem)),
    };
    match renewed {
        Ok(()) => {
            show_codes(&codes, url::ACCOUNT);
            Ok(())
        }
        Err(problem) => set_rejected(problem, url::SECURITY.to_owned(), String::new()).await,
    }
}

async fn continue_session(changed: Result<Option<SignedIn>, Problem>) -> Result<(), Problem> {
    let signed_in = changed?;
    into_problem(session::renew_or_end(&cookie_session()?, signed_in.as_ref()).await)
}

/// Redirects to the account page with the notice of the action `done`, or with the reason why it was refused.
async fn respond<T>(result: Result<T, Problem>, done: &str) -> Result<(), Problem> {
    let done = url::with_query(url::ACCOUNT, &[("done", done)]);
    request::respond(result, &done, url::SECURITY, String::new()).await
}
