//! Session endpoints: sign in, sign out and the account of the current user.

use std::{convert::Infallible, net::SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use contract::{
    error::ErrorBody,
    id::{SessionId, TenantId},
    member::{AccountSetup, PasswordChange, PendingInvitations, ResetRequest},
    policy::EmptyBody,
    session::{ActiveSessions, Membership, ReauthenticationRequest, Session, SignInRequest},
};
use governance::{
    Cx, SignedIn,
    access::{
        account::{self, invitation},
        session::{self, Client, SignIn},
        sign_in,
    },
    base::error::{second_factor_missing, unauthorized},
};
use http::{StatusCode, header, request::Parts};
use tower_sessions::Session as Cookie;

use crate::edge::{
    error::{ApiError, ApiResult},
    extract::{Body, Json, NoBody, Path, Public},
    query::NoQuery,
};

/// Extractor for the client of a request.
#[derive(Debug)]
pub struct RequestClient(pub(crate) Client);

impl<S: Sync> FromRequestParts<S> for RequestClient {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|text| text.to_str().ok());
        Ok(Self(Client::new(peer.map(|ConnectInfo(peer)| peer.ip()), user_agent)))
    }
}

/// Sign in.
#[utoipa::path(
    post, path = "/v1/session", tag = "session", request_body = SignInRequest,
    responses(
        (status = 200, description = "Signed in; the cookie is set", body = Session),
        (status = 401, description = "`UNAUTHORIZED`; `SECOND_FACTOR_MISSING`: the cookie is set, and `POST /v1/session/second-factor` completes the sign-in",
            body = ErrorBody),
        (status = 503, description = "`SERVICE_UNAVAILABLE`: too many sign-ins are waiting", body = ErrorBody),
    )
)]
pub async fn log_in(
    Public(cx): Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<SignInRequest>,
) -> ApiResult<Json<Session>> {
    let signed_in = match sign_in::sign_in(cx.governance(), &client, body.value).await? {
        SignIn::Complete(signed_in) => signed_in,
        SignIn::Pending(pending) => {
            session::start_pending(&cookie, &pending).await?;
            return Err(second_factor_missing(pending.methods()).into());
        }
    };
    session::start(&cookie, &signed_in, &client).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Read the current session.
#[utoipa::path(
    get, path = "/v1/session", tag = "session",
    responses((status = 200, body = Session))
)]
pub async fn read(Public(cx): Public, cookie: Cookie, _: NoQuery) -> ApiResult<Json<Session>> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Sign out.
#[utoipa::path(
    delete, path = "/v1/session", tag = "session",
    responses((status = 204, description = "Signed out"))
)]
pub async fn log_out(Public(cx): Public, cookie: Cookie, _: NoQuery) -> ApiResult<StatusCode> {
    session::destroy(cx.governance(), &cookie).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the active sessions of the current user, most recently used first.
#[utoipa::path(
    get, path = "/v1/session/sessions", tag = "session",
    responses((status = 200, body = ActiveSessions))
)]
pub async fn list(
    Public(cx): Public,
    cookie: Cookie,
    _: NoQuery,
) -> ApiResult<Json<ActiveSessions>> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(session::list(cx.governance(), &signed_in).await?))
}

/// End a session of the current user.
///
/// Ending the current session signs out.
#[utoipa::path(
    delete, path = "/v1/session/sessions/{session_id}", tag = "session",
    responses(
        (status = 204, description = "Ended"),
        (status = 404, description = "`NOT_FOUND`: the session has ended or belongs to another user",
            body = ErrorBody),
    )
)]
pub async fn end(
    Public(cx): Public,
    cookie: Cookie,
    Path((id,)): Path<(SessionId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    let signed_in = signed_in(&cx, &cookie).await?;
    if id == signed_in.session_id {
        session::destroy(cx.governance(), &cookie).await?;
    } else {
        session::end_one(cx.governance(), &signed_in, id).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Confirm the sign-in before a signing operation: with the password and the second factor of the account, or with a
/// passkey.
#[utoipa::path(
    post, path = "/v1/session/confirm", tag = "session", request_body = ReauthenticationRequest,
    responses(
        (status = 200, body = Session),
        (status = 401, description = "`UNAUTHORIZED`; `SECOND_FACTOR_MISSING`: the account has a second factor",
            body = ErrorBody),
        (status = 403, description = "`FORBIDDEN`: the session belongs to an identity provider", body = ErrorBody),
    )
)]
pub async fn confirm(
    Public(cx): Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<ReauthenticationRequest>,
) -> ApiResult<Json<Session>> {
    let current_session = signed_in(&cx, &cookie).await?;
    let renewed = sign_in::confirm(cx.governance(), &current_session, &client, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Json(session::session_info(cx.governance(), &renewed).await?))
}

/// Change the password of the current user.
///
/// All other sessions of the user end.
#[utoipa::path(
    post, path = "/v1/session/password", tag = "session", request_body = PasswordChange,
    responses(
        (status = 200, description = "Changed; a new cookie is set", body = Session),
        (status = 401, description = "`UNAUTHORIZED`: the password is wrong", body = ErrorBody),
        (status = 403, description = "`FORBIDDEN`: the session belongs to an identity provider", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the new password is weak", body = ErrorBody),
    )
)]
pub async fn change_password(
    Public(cx): Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<PasswordChange>,
) -> ApiResult<Json<Session>> {
    let current_session = signed_in(&cx, &cookie).await?;
    let renewed = account::change_password(&cx, &current_session, &client, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Json(session::session_info(cx.governance(), &renewed).await?))
}

/// Choose a password with the token of a setup or reset link.
///
/// A token can be used once. Sign in with the password next. All sessions of the account end. A mailed link
/// verifies the email address of the account. The first password of an account accepts the invitation of the
/// tenant that created it.
#[utoipa::path(
    post, path = "/v1/session/setup", tag = "session", request_body = AccountSetup,
    responses(
        (status = 204, description = "The password is set"),
        (status = 404, description = "`NOT_FOUND`: the link is unknown, used or expired",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the address already has an account; sign in to it and accept the invitation",
            body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the password is weak", body = ErrorBody),
    )
)]
pub async fn set_up(Public(cx): Public, body: Body<AccountSetup>) -> ApiResult<StatusCode> {
    account::set_up(&cx, body.value).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Request a password reset by mail.
///
/// The response is the same for every address, whether or not it has an account. Without mail, nothing is
/// sent.
#[utoipa::path(
    post, path = "/v1/session/reset", tag = "session", request_body = ResetRequest,
    responses((status = 202, description = "If the address has an account, a link is mailed to it"))
)]
pub async fn request_reset(Public(cx): Public, body: Body<ResetRequest>) -> ApiResult<StatusCode> {
    account::request_reset(&cx, body.value).await?;
    Ok(StatusCode::ACCEPTED)
}

/// List the invitations of the current user.
#[utoipa::path(
    get, path = "/v1/session/invitations", tag = "session",
    responses((status = 200, body = PendingInvitations))
)]
pub async fn invitations(
    Public(cx): Public,
    cookie: Cookie,
    _: NoQuery,
) -> ApiResult<Json<PendingInvitations>> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(invitation::list(cx.governance(), &signed_in).await?))
}

/// Accept the invitation of a tenant.
///
/// The membership is effective from the next request on.
#[utoipa::path(
    post, path = "/v1/session/invitations/{tenant_id}/accept", tag = "session", request_body = EmptyBody,
    responses(
        (status = 200, description = "Accepted", body = Membership),
        (status = 403, description = "`FORBIDDEN`: the session belongs to an identity provider", body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the tenant has not invited this user",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: already a member", body = ErrorBody),
    )
)]
pub async fn accept_invitation(
    Public(cx): Public,
    cookie: Cookie,
    Path((tenant,)): Path<(TenantId,)>,
    _: NoBody,
) -> ApiResult<Json<Membership>> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(invitation::accept(&cx, &signed_in, tenant).await?))
}

/// Decline the invitation of a tenant.
#[utoipa::path(
    post, path = "/v1/session/invitations/{tenant_id}/decline", tag = "session", request_body = EmptyBody,
    responses(
        (status = 204, description = "Declined"),
        (status = 403, description = "`FORBIDDEN`: the session belongs to an identity provider", body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the tenant has not invited this user",
            body = ErrorBody),
    )
)]
pub async fn decline_invitation(
    Public(cx): Public,
    cookie: Cookie,
    Path((tenant,)): Path<(TenantId,)>,
    _: NoBody,
) -> ApiResult<StatusCode> {
    let signed_in = signed_in(&cx, &cookie).await?;
    invitation::decline(&cx, &signed_in, tenant).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn signed_in(cx: &Cx, cookie: &Cookie) -> Result<SignedIn, ApiError> {
    let signed_in = session::current(cx.governance(), cookie).await?;
    Ok(signed_in.ok_or_else(unauthorized)?)
}
