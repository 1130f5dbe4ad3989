//! Second factors of the current user, and sign-in with them.

use contract::{
    id::PasskeyId,
    second_factor::{
        Passkey, PasskeyCreated, PasskeyDraft, PasskeyOptions, PasskeyOptionsRequest, PasskeyPatch,
        PasskeyPurpose, PasskeySignIn, RecoveryCodes, SecondFactorRequest, SecondFactors,
        TotpConfirmation, TotpSetup,
    },
    session::Session,
};
use governance::{
    Cx,
    access::{
        second_factor::{self, passkey, recovery_code, totp},
        session::{self, PendingSignIn},
    },
    base::error::no_pending_sign_in,
};
use serde_json::{Value, json};
use tower_sessions::Session as Cookie;

use super::session::{RequestClient, signed_in};
use crate::edge::{ApiError, ApiResult, Body, Created, Id, Json, JsonResult, NoContent, Public};

/// Complete a sign-in with the second factor of the account.
///
/// It follows `POST /v1/session` with the error `SECOND_FACTOR_MISSING`, within five minutes and with the cookie of that
/// response.
#[post(
    "/v1/session/second-factor", session, audit = "session.begin",
    example = {"code": "287082"},
    200 = "Signed in; a new cookie is set",
    401 = "`UNAUTHORIZED`: the factor is not valid, or no sign-in is pending",
)]
async fn finish_sign_in(
    cx: Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<SecondFactorRequest>,
) -> JsonResult<Session> {
    let pending = pending(&cx, &cookie).await?;
    let signed_in =
        second_factor::finish_sign_in(cx.governance(), &client, &pending, body.value).await?;
    session::start(&cookie, &signed_in, &client).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Sign in with a passkey, without a password.
///
/// The passkey must verify its user, for example by a fingerprint or a PIN.
#[post(
    "/v1/session/passkey", sign_in, audit = "session.begin",
    example = {"credential": assertion()},
    200 = "Signed in; the cookie is set",
    401 = "`UNAUTHORIZED`: the passkey is not valid; `details.reason` says why",
)]
async fn sign_in(
    cx: Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<PasskeySignIn>,
) -> JsonResult<Session> {
    let signed_in = passkey::sign_in(cx.governance(), body.value).await?;
    session::start(&cookie, &signed_in, &client).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Create the options with which a browser uses a passkey.
///
/// The purpose `second_factor` needs a pending sign-in, and `confirm` a session.
#[post(
    "/v1/session/passkey-options", optional_session, no_audit = "options change nothing",
    example = {"purpose": "sign_in"},
    401 = "`UNAUTHORIZED`: no sign-in waits for a second factor, or no session",
    403 = "`FORBIDDEN`: the session belongs to an identity provider",
)]
async fn request_options(
    cx: Public,
    cookie: Cookie,
    body: Body<PasskeyOptionsRequest>,
) -> JsonResult<PasskeyOptions> {
    let governance = cx.governance();
    Ok(Json(match body.value.purpose {
        PasskeyPurpose::SignIn => passkey::sign_in_options(governance),
        PasskeyPurpose::SecondFactor => {
            let pending = pending(&cx, &cookie).await?;
            passkey::second_factor_options(governance, &pending).await?
        }
        PasskeyPurpose::Confirm => {
            let current_session = signed_in(&cx, &cookie).await?;
            passkey::confirm_options(governance, &current_session).await?
        }
    }))
}

/// List the second factors of the current user.
#[get(
    "/v1/session/second-factors", session,
    403 = "`FORBIDDEN`: the session belongs to an identity provider",
)]
async fn list(cx: Public, cookie: Cookie) -> JsonResult<SecondFactors> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(second_factor::list(cx.governance(), &current_session).await?))
}

/// Create the options with which a browser creates a passkey.
#[post(
    "/v1/session/passkeys/options", session, no_audit = "options change nothing",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
)]
async fn creation_options(cx: Public, cookie: Cookie) -> JsonResult<PasskeyOptions> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(passkey::creation_options(cx.governance(), &current_session).await?))
}

/// Add a passkey to the account of the current user.
///
/// All other sessions of the user end. With the first second factor, the response contains recovery codes.
#[post(
    "/v1/session/passkeys", session, audit = "passkey.create",
    example = {"name": "Laptop", "credential": registration()},
    201 = "Added; a new cookie is set",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
    409 = "`CONFLICT`: the passkey was added before, or the account has 20 passkeys",
    422 = "`VALIDATION_ERROR`: the credential is not valid",
)]
async fn create_passkey(
    cx: Public,
    cookie: Cookie,
    body: Body<PasskeyDraft>,
) -> ApiResult<Created<PasskeyCreated>> {
    let current_session = signed_in(&cx, &cookie).await?;
    let (created, renewed) = passkey::create(&cx, &current_session, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Created("/v1/session/second-factors".to_owned(), created))
}

/// Rename a passkey of the current user.
#[patch(
    "/v1/session/passkeys/{passkey_id}", session, audit = "passkey.rename",
    example = {"name": "Old laptop"},
)]
async fn rename_passkey(
    cx: Public,
    cookie: Cookie,
    Id(id): Id<PasskeyId>,
    body: Body<PasskeyPatch>,
) -> JsonResult<Passkey> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(passkey::rename(&cx, &current_session, id, body.value).await?))
}

/// Remove a passkey of the current user.
///
/// All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
/// session no longer names the passkey; a session that began with the passkey alone ends.
#[delete(
    "/v1/session/passkeys/{passkey_id}", session, audit = "passkey.delete",
    204 = "Removed; a new cookie is set",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the session belongs to an identity provider",
)]
async fn delete_passkey(cx: Public, cookie: Cookie, Id(id): Id<PasskeyId>) -> ApiResult<NoContent> {
    let current_session = signed_in(&cx, &cookie).await?;
    let left = passkey::remove(&cx, &current_session, id).await?;
    session::renew_or_end(&cookie, left.as_ref()).await?;
    Ok(NoContent)
}

/// Create the secret of an authenticator app.
///
/// It has no effect until a code confirms it, and replaces an earlier secret that was not confirmed.
#[post(
    "/v1/session/totp", session, no_audit = "a secret has no effect until a code confirms it",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
    409 = "`CONFLICT`: the account has an authenticator app",
)]
async fn set_up_totp(cx: Public, cookie: Cookie) -> JsonResult<TotpSetup> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(totp::set_up(&cx, &current_session).await?))
}

/// Confirm the secret of an authenticator app with a code.
///
/// All other sessions of the user end. With the first second factor, the response contains recovery codes.
#[post(
    "/v1/session/totp/confirm", session, audit = "totp.create",
    example = {"code": "287082"},
    200 = "Added; a new cookie is set",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
    404 = "`NOT_FOUND`: no secret waits for a code",
    422 = "`VALIDATION_ERROR`: the code is not the current one",
)]
async fn confirm_totp(
    cx: Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<TotpConfirmation>,
) -> JsonResult<RecoveryCodes> {
    let current_session = signed_in(&cx, &cookie).await?;
    let (codes, renewed) = totp::confirm(&cx, &current_session, &client, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Json(codes))
}

/// Remove the authenticator app of the current user.
///
/// All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
/// session no longer names the app.
#[delete(
    "/v1/session/totp", session, audit = "totp.delete",
    204 = "Removed; a new cookie is set",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the session belongs to an identity provider",
    404 = "`NOT_FOUND`: the account has no authenticator app",
)]
async fn delete_totp(cx: Public, cookie: Cookie) -> ApiResult<NoContent> {
    let current_session = signed_in(&cx, &cookie).await?;
    let left = totp::remove(&cx, &current_session).await?;
    session::renew_or_end(&cookie, left.as_ref()).await?;
    Ok(NoContent)
}

/// Replace the recovery codes of the current user.
///
/// All other sessions of the user end, and earlier codes become void.
#[post(
    "/v1/session/recovery-codes", session, audit = "recovery_codes.replace",
    200 = "Replaced; a new cookie is set",
    403 = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the session belongs to an identity provider",
    409 = "`CONFLICT`: the account has no other second factor",
)]
async fn replace_recovery_codes(cx: Public, cookie: Cookie) -> JsonResult<RecoveryCodes> {
    let current_session = signed_in(&cx, &cookie).await?;
    let (codes, renewed) = recovery_code::replace(&cx, &current_session).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Json(codes))
}

/// Returns the pending sign-in of the cookie.
async fn pending(cx: &Cx, cookie: &Cookie) -> Result<PendingSignIn, ApiError> {
    let pending = session::pending(cx.governance(), cookie).await?;
    Ok(pending.ok_or_else(no_pending_sign_in)?)
}

/// A used passkey, as `PublicKeyCredential.toJSON()` returns it.
fn assertion() -> Value {
    json!({
        "id": "qL0xq1mWb0mE3Qh9oUe1yA",
        "rawId": "qL0xq1mWb0mE3Qh9oUe1yA",
        "type": "public-key",
        "response": {
            "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi4oCmIn0",
            "authenticatorData": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
            "signature": "MEUCIQDk",
            "userHandle": "Ox8MelLUTw6KbJ0uexxPVQ",
        },
        "clientExtensionResults": {},
    })
}

/// A new passkey, as `PublicKeyCredential.toJSON()` returns it.
fn registration() -> Value {
    json!({
        "id": "qL0xq1mWb0mE3Qh9oUe1yA",
        "rawId": "qL0xq1mWb0mE3Qh9oUe1yA",
        "type": "public-key",
        "response": {
            "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoi4oCmIn0",
            "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVgl",
            "transports": ["internal", "hybrid"],
        },
        "clientExtensionResults": {},
    })
}
