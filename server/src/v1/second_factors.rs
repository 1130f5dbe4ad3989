//! Second factors of the current user, and sign-in with them.

use contract::{
    error::ErrorBody,
    id::PasskeyId,
    policy::EmptyBody,
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
use http::StatusCode;
use tower_sessions::Session as Cookie;

use super::session::{RequestClient, signed_in};
use crate::edge::{
    error::{ApiError, ApiResult},
    extract::{Body, Created, Json, NoBody, Path, Public},
    query::NoQuery,
};

/// Complete a sign-in with the second factor of the account.
///
/// It follows `POST /v1/session` with the error `SECOND_FACTOR_MISSING`, within five minutes and with the cookie of that
/// response.
#[utoipa::path(
    post, path = "/v1/session/second-factor", tag = "session", request_body = SecondFactorRequest,
    responses(
        (status = 200, description = "Signed in; a new cookie is set", body = Session),
        (status = 401, description = "`UNAUTHORIZED`: the factor is not valid, or no sign-in is pending", body = ErrorBody),
    )
)]
pub async fn finish_sign_in(
    Public(cx): Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<SecondFactorRequest>,
) -> ApiResult<Json<Session>> {
    let pending = pending(&cx, &cookie).await?;
    let signed_in =
        second_factor::finish_sign_in(cx.governance(), &client, &pending, body.value).await?;
    session::start(&cookie, &signed_in, &client).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Sign in with a passkey, without a password.
///
/// The passkey must verify its user, for example by a fingerprint or a PIN.
#[utoipa::path(
    post, path = "/v1/session/passkey", tag = "session", request_body = PasskeySignIn,
    responses(
        (status = 200, description = "Signed in; the cookie is set", body = Session),
        (status = 401, description = "`UNAUTHORIZED`: the passkey is not valid; `details.reason` says why", body = ErrorBody),
    )
)]
pub async fn sign_in(
    Public(cx): Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<PasskeySignIn>,
) -> ApiResult<Json<Session>> {
    let signed_in = passkey::sign_in(cx.governance(), body.value).await?;
    session::start(&cookie, &signed_in, &client).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Create the options with which a browser uses a passkey.
///
/// The purpose `second_factor` needs a pending sign-in, and `confirm` a session.
#[utoipa::path(
    post, path = "/v1/session/passkey-options", tag = "session", request_body = PasskeyOptionsRequest,
    responses(
        (status = 200, body = PasskeyOptions),
        (status = 401, description = "`UNAUTHORIZED`: no sign-in waits for a second factor, or no session", body = ErrorBody),
        (status = 403, description = "`FORBIDDEN`: the session belongs to an identity provider", body = ErrorBody),
    )
)]
pub async fn request_options(
    Public(cx): Public,
    cookie: Cookie,
    body: Body<PasskeyOptionsRequest>,
) -> ApiResult<Json<PasskeyOptions>> {
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
#[utoipa::path(
    get, path = "/v1/session/second-factors", tag = "session",
    responses(
        (status = 200, body = SecondFactors),
        (status = 403, description = "`FORBIDDEN`: the session belongs to an identity provider", body = ErrorBody),
    )
)]
pub async fn list(
    Public(cx): Public,
    cookie: Cookie,
    _: NoQuery,
) -> ApiResult<Json<SecondFactors>> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(second_factor::list(cx.governance(), &current_session).await?))
}

/// Create the options with which a browser creates a passkey.
#[utoipa::path(
    post, path = "/v1/session/passkeys/options", tag = "session", request_body = EmptyBody,
    responses(
        (status = 200, body = PasskeyOptions),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
            body = ErrorBody),
    )
)]
pub async fn creation_options(
    Public(cx): Public,
    cookie: Cookie,
    _: NoBody,
) -> ApiResult<Json<PasskeyOptions>> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(passkey::creation_options(cx.governance(), &current_session).await?))
}

/// Add a passkey to the account of the current user.
///
/// All other sessions of the user end. With the first second factor, the response contains recovery codes.
#[utoipa::path(
    post, path = "/v1/session/passkeys", tag = "session", request_body = PasskeyDraft,
    responses(
        (status = 201, description = "Added; a new cookie is set", body = PasskeyCreated),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the passkey was added before, or the account has 20 passkeys", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the credential is not valid", body = ErrorBody),
    )
)]
pub async fn create_passkey(
    Public(cx): Public,
    cookie: Cookie,
    body: Body<PasskeyDraft>,
) -> ApiResult<Created<PasskeyCreated>> {
    let current_session = signed_in(&cx, &cookie).await?;
    let (created, renewed) = passkey::create(&cx, &current_session, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Created("/v1/session/second-factors".to_owned(), created))
}

/// Rename a passkey of the current user.
#[utoipa::path(
    patch, path = "/v1/session/passkeys/{passkey_id}", tag = "session", request_body = PasskeyPatch,
    responses((status = 200, body = Passkey))
)]
pub async fn rename_passkey(
    Public(cx): Public,
    cookie: Cookie,
    Path((id,)): Path<(PasskeyId,)>,
    body: Body<PasskeyPatch>,
) -> ApiResult<Json<Passkey>> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(passkey::rename(&cx, &current_session, id, body.value).await?))
}

/// Remove a passkey of the current user.
///
/// All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
/// session no longer names the passkey; a session that began with the passkey alone ends.
#[utoipa::path(
    delete, path = "/v1/session/passkeys/{passkey_id}", tag = "session",
    responses(
        (status = 204, description = "Removed; a new cookie is set"),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the session belongs to an identity provider",
            body = ErrorBody),
    )
)]
pub async fn delete_passkey(
    Public(cx): Public,
    cookie: Cookie,
    Path((id,)): Path<(PasskeyId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    let current_session = signed_in(&cx, &cookie).await?;
    let left = passkey::remove(&cx, &current_session, id).await?;
    session::renew_or_end(&cookie, left.as_ref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Create the secret of an authenticator app.
///
/// It has no effect until a code confirms it, and replaces an earlier secret that was not confirmed.
#[utoipa::path(
    post, path = "/v1/session/totp", tag = "session", request_body = EmptyBody,
    responses(
        (status = 200, body = TotpSetup),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the account has an authenticator app", body = ErrorBody),
    )
)]
pub async fn set_up_totp(
    Public(cx): Public,
    cookie: Cookie,
    _: NoBody,
) -> ApiResult<Json<TotpSetup>> {
    let current_session = signed_in(&cx, &cookie).await?;
    Ok(Json(totp::set_up(&cx, &current_session).await?))
}

/// Confirm the secret of an authenticator app with a code.
///
/// All other sessions of the user end. With the first second factor, the response contains recovery codes.
#[utoipa::path(
    post, path = "/v1/session/totp/confirm", tag = "session", request_body = TotpConfirmation,
    responses(
        (status = 200, description = "Added; a new cookie is set", body = RecoveryCodes),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the address of the account is not proven (`details.reason` is `ADDRESS_NOT_PROVEN`), or the session belongs to an identity provider",
            body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: no secret waits for a code", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the code is not the current one", body = ErrorBody),
    )
)]
pub async fn confirm_totp(
    Public(cx): Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<TotpConfirmation>,
) -> ApiResult<Json<RecoveryCodes>> {
    let current_session = signed_in(&cx, &cookie).await?;
    let (codes, renewed) = totp::confirm(&cx, &current_session, &client, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Json(codes))
}

/// Remove the authenticator app of the current user.
///
/// All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
/// session no longer names the app.
#[utoipa::path(
    delete, path = "/v1/session/totp", tag = "session",
    responses(
        (status = 204, description = "Removed; a new cookie is set"),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the session belongs to an identity provider",
            body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the account has no authenticator app", body = ErrorBody),
    )
)]
pub async fn delete_totp(Public(cx): Public, cookie: Cookie, _: NoQuery) -> ApiResult<StatusCode> {
    let current_session = signed_in(&cx, &cookie).await?;
    let left = totp::remove(&cx, &current_session).await?;
    session::renew_or_end(&cookie, left.as_ref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Replace the recovery codes of the current user.
///
/// All other sessions of the user end, and earlier codes become void.
#[utoipa::path(
    post, path = "/v1/session/recovery-codes", tag = "session", request_body = EmptyBody,
    responses(
        (status = 200, description = "Replaced; a new cookie is set", body = RecoveryCodes),
        (status = 403, description = "`CONFIRMATION_REQUIRED`; `FORBIDDEN`: the session belongs to an identity provider",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the account has no other second factor", body = ErrorBody),
    )
)]
pub async fn replace_recovery_codes(
    Public(cx): Public,
    cookie: Cookie,
    _: NoBody,
) -> ApiResult<Json<RecoveryCodes>> {
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
