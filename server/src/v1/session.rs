//! Session endpoints: sign in, sign out and the account of the current user.

use std::{convert::Infallible, net::SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use contract::{
    id::{SessionId, TenantId},
    member::{AccountSetup, PasswordChange, PendingInvitations, ResetRequest},
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

use crate::{
    edge::{ApiError, ApiResult, Body, Id, Json, JsonResult, NoContent, Public},
    endpoint::describe_nothing,
};

/// Extractor for the client of a request.
pub(crate) struct RequestClient(pub(crate) Client);

describe_nothing!(RequestClient);

impl<S: Sync> FromRequestParts<S> for RequestClient {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|text| text.to_str().ok());
        Ok(Self(Client::new(peer.map(|ConnectInfo(peer)| peer.ip()), user_agent)))
    }
}

/// Sign in.
#[post(
    "/v1/session", sign_in, audit = "session.begin",
    example = {"email": "ada@acme.example", "password": "four words of my own"},
    200 = "Signed in; the cookie is set",
    401 = "`UNAUTHORIZED`; `SECOND_FACTOR_MISSING`: the cookie is set, and `POST /v1/session/second-factor` completes the sign-in",
    503 = "`SERVICE_UNAVAILABLE`: too many sign-ins are waiting",
)]
async fn log_in(
    cx: Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<SignInRequest>,
) -> JsonResult<Session> {
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
#[get("/v1/session", session)]
async fn read(cx: Public, cookie: Cookie) -> JsonResult<Session> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(session::session_info(cx.governance(), &signed_in).await?))
}

/// Sign out.
#[delete("/v1/session", optional_session, audit = "session.end", 204 = "Signed out")]
async fn log_out(cx: Public, cookie: Cookie) -> ApiResult<NoContent> {
    session::destroy(cx.governance(), &cookie).await?;
    Ok(NoContent)
}

/// List the active sessions of the current user, most recently used first.
#[get("/v1/session/sessions", session)]
async fn list(cx: Public, cookie: Cookie) -> JsonResult<ActiveSessions> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(session::list(cx.governance(), &signed_in).await?))
}

/// End a session of the current user.
///
/// Ending the current session signs out.
#[delete(
    "/v1/session/sessions/{session_id}", session, audit = "session.end",
    204 = "Ended",
    404 = "`NOT_FOUND`: the session has ended or belongs to another user",
)]
async fn end(cx: Public, cookie: Cookie, Id(id): Id<SessionId>) -> ApiResult<NoContent> {
    let signed_in = signed_in(&cx, &cookie).await?;
    if id == signed_in.session_id {
        session::destroy(cx.governance(), &cookie).await?;
    } else {
        session::end_one(cx.governance(), &signed_in, id).await?;
    }
    Ok(NoContent)
}

/// Confirm the sign-in before a signing operation: with the password and the second factor of the account, or with a
/// passkey.
#[post(
    "/v1/session/confirm", session, no_audit = "the session continues",
    example = {"password": "four words of my own"},
    401 = "`UNAUTHORIZED`; `SECOND_FACTOR_MISSING`: the account has a second factor",
    403 = "`FORBIDDEN`: the session belongs to an identity provider",
)]
async fn confirm(
    cx: Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<ReauthenticationRequest>,
) -> JsonResult<Session> {
    let current_session = signed_in(&cx, &cookie).await?;
    let renewed = sign_in::confirm(cx.governance(), &current_session, &client, body.value).await?;
    session::renew(&cookie, &renewed).await?;
    Ok(Json(session::session_info(cx.governance(), &renewed).await?))
}

/// Change the password of the current user.
///
/// All other sessions of the user end.
#[post(
    "/v1/session/password", session, audit = "user.change_password",
    example = {
        "password": "my words up to now",
        "new_password": "four other words of mine",
    },
    200 = "Changed; a new cookie is set",
    401 = "`UNAUTHORIZED`: the password is wrong",
    403 = "`FORBIDDEN`: the session belongs to an identity provider",
    422 = "`VALIDATION_ERROR`: the new password is weak",
)]
async fn change_password(
    cx: Public,
    cookie: Cookie,
    RequestClient(client): RequestClient,
    body: Body<PasswordChange>,
) -> JsonResult<Session> {
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
#[post(
    "/v1/session/setup", sign_in, audit = "user.set_up",
    example = {
        "token": "sXw5Z1u1x3YV0m0Yl0m1d0cG9fQ2l8o4mJvH3bq7T2E",
        "password": "four words of my own",
    },
    204 = "The password is set",
    404 = "`NOT_FOUND`: the link is unknown, used or expired",
    409 = "`CONFLICT`: the address already has an account; sign in to it and accept the invitation",
    422 = "`VALIDATION_ERROR`: the password is weak",
)]
async fn set_up(cx: Public, body: Body<AccountSetup>) -> ApiResult<NoContent> {
    account::set_up(&cx, body.value).await?;
    Ok(NoContent)
}

/// Request a password reset by mail.
///
/// The response is the same for every address, whether or not it has an account. Without mail, nothing is
/// sent.
#[post(
    "/v1/session/reset", sign_in,
    no_audit = "a request without a caller; using its link appends an event",
    example = {"email": "ada@acme.example"},
    202 = "If the address has an account, a link is mailed to it",
)]
async fn request_reset(cx: Public, body: Body<ResetRequest>) -> ApiResult<StatusCode> {
    account::request_reset(&cx, body.value).await?;
    Ok(StatusCode::ACCEPTED)
}

/// List the invitations of the current user.
#[get("/v1/session/invitations", session)]
async fn invitations(cx: Public, cookie: Cookie) -> JsonResult<PendingInvitations> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(invitation::list(cx.governance(), &signed_in).await?))
}

/// Accept the invitation of a tenant.
///
/// The membership is effective from the next request on.
#[post(
    "/v1/session/invitations/{tenant_id}/accept", session, audit = "member.accept",
    200 = "Accepted",
    403 = "`FORBIDDEN`: the session belongs to an identity provider",
    404 = "`NOT_FOUND`: the tenant has not invited this user",
    409 = "`CONFLICT`: already a member",
)]
async fn accept_invitation(
    cx: Public,
    cookie: Cookie,
    Id(tenant): Id<TenantId>,
) -> JsonResult<Membership> {
    let signed_in = signed_in(&cx, &cookie).await?;
    Ok(Json(invitation::accept(&cx, &signed_in, tenant).await?))
}

/// Decline the invitation of a tenant.
#[post(
    "/v1/session/invitations/{tenant_id}/decline", session, audit = "member.decline",
    204 = "Declined",
    403 = "`FORBIDDEN`: the session belongs to an identity provider",
    404 = "`NOT_FOUND`: the tenant has not invited this user",
)]
async fn decline_invitation(
    cx: Public,
    cookie: Cookie,
    Id(tenant): Id<TenantId>,
) -> ApiResult<NoContent> {
    let signed_in = signed_in(&cx, &cookie).await?;
    invitation::decline(&cx, &signed_in, tenant).await?;
    Ok(NoContent)
}

pub(super) async fn signed_in(cx: &Cx, cookie: &Cookie) -> Result<SignedIn, ApiError> {
    let signed_in = session::current(cx.governance(), cookie).await?;
    Ok(signed_in.ok_or_else(unauthorized)?)
}
