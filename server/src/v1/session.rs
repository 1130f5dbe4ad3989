//! Human sessions.

use std::{convert::Infallible, net::SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use contract::{
    error::ErrorBody,
    id::{SessionId, TenantId},
    member::{PasswordChange, PendingInvitations, ResetRequest, SetUp},
    policy::Empty,
    session::{ActiveSessions, Confirm, LogIn, Membership, Session},
};
use governance::{
    SignedIn,
    account::{self, invitation},
    error::unauthorized,
    session::{self, Client},
};
use http::{StatusCode, header, request::Parts};
use tower_sessions::Session as Cookie;

use crate::edge::{
    error::{Failure, Reply},
    extract::{Bodiless, Body, Caller, Json, Path, Public, Query},
};

/// The client of a request.
#[derive(Debug)]
pub struct From(Client);

impl<S: Sync> FromRequestParts<S> for From {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|text| text.to_str().ok());
        Ok(Self(Client::new(peer.map(|ConnectInfo(peer)| peer.ip()), user_agent)))
    }
}

/// Sign in.
#[utoipa::path(
    post, path = "/v1/session", tag = "session", request_body = LogIn,
    responses(
        (status = 200, description = "Signed in; the cookie is set", body = Session),
        (status = 401, description = "`UNAUTHORIZED`", body = ErrorBody),
        (status = 429, description = "`TOO_MANY_REQUESTS`", body = ErrorBody),
        (status = 503, description = "`SERVICE_UNAVAILABLE`: too many sign-ins wait", body = ErrorBody),
    )
)]
pub async fn log_in(
    caller: Caller,
    cookie: Cookie,
    From(client): From,
    body: Body<LogIn>,
) -> Reply<Json<Session>> {
    let signed_in = session::log_in(&caller.governance, &client, body.read).await?;
    session::begin(&cookie, &signed_in, &client).await?;
    Ok(Json(session::who(&caller.governance, &signed_in).await?))
}

/// Who is signed in.
#[utoipa::path(
    get, path = "/v1/session", tag = "session",
    responses((status = 200, body = Session), (status = 401, body = ErrorBody))
)]
pub async fn read(caller: Caller, cookie: Cookie, query: Query) -> Reply<Json<Session>> {
    query.finish()?;
    let signed_in = signed_in(&caller, &cookie).await?;
    Ok(Json(session::who(&caller.governance, &signed_in).await?))
}

/// Sign out.
#[utoipa::path(
    delete, path = "/v1/session", tag = "session",
    responses((status = 204, description = "Signed out"))
)]
pub async fn log_out(caller: Caller, cookie: Cookie, query: Query) -> Reply<StatusCode> {
    query.finish()?;
    session::end(&caller.governance, &cookie).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List one's own active sessions, the last used first.
#[utoipa::path(
    get, path = "/v1/session/sessions", tag = "session",
    responses((status = 200, body = ActiveSessions), (status = 401, body = ErrorBody))
)]
pub async fn list(caller: Caller, cookie: Cookie, query: Query) -> Reply<Json<ActiveSessions>> {
    query.finish()?;
    let signed_in = signed_in(&caller, &cookie).await?;
    Ok(Json(session::list(&caller.governance, &signed_in).await?))
}

/// End one of one's own sessions. Ending the current one signs out.
#[utoipa::path(
    delete, path = "/v1/session/sessions/{session_id}", tag = "session",
    params(("session_id" = String, Path, description = "The session")),
    responses(
        (status = 204, description = "Ended"),
        (status = 401, body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: it has ended, or is another person's",
            body = ErrorBody),
    )
)]
pub async fn end(
    caller: Caller,
    cookie: Cookie,
    Path((id,)): Path<(SessionId,)>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    let signed_in = signed_in(&caller, &cookie).await?;
    if id == signed_in.session_id {
        session::end(&caller.governance, &cookie).await?;
    } else {
        session::end_one(&caller.governance, &signed_in, id).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Confirm the password before a signing act.
#[utoipa::path(
    post, path = "/v1/session/confirm", tag = "session", request_body = Confirm,
    responses((status = 200, body = Session), (status = 401, body = ErrorBody))
)]
pub async fn confirm(
    caller: Caller,
    cookie: Cookie,
    From(client): From,
    body: Body<Confirm>,
) -> Reply<Json<Session>> {
    let earlier = signed_in(&caller, &cookie).await?;
    let confirmed = session::confirm(&caller.governance, &earlier, &client, body.read).await?;
    session::renew(&cookie, &confirmed).await?;
    Ok(Json(session::who(&caller.governance, &confirmed).await?))
}

/// Change the own password. Every other session of the person ends.
#[utoipa::path(
    post, path = "/v1/session/password", tag = "session", request_body = PasswordChange,
    responses(
        (status = 200, description = "Changed; the cookie is a new one", body = Session),
        (status = 401, description = "`UNAUTHORIZED`: the password is wrong", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the new one is weak", body = ErrorBody),
        (status = 429, description = "`TOO_MANY_REQUESTS`", body = ErrorBody),
    )
)]
pub async fn change_password(
    caller: Caller,
    cookie: Cookie,
    From(client): From,
    body: Body<PasswordChange>,
) -> Reply<Json<Session>> {
    let earlier = signed_in(&caller, &cookie).await?;
    let cx = caller.governance.public(caller.correlation_id.clone());
    let changed = account::change_password(&cx, &earlier, &client, body.read).await?;
    session::renew(&cookie, &changed).await?;
    Ok(Json(session::who(&caller.governance, &changed).await?))
}

/// Choose a password, with the token of a set-up or reset link: once. Sign in with it next.
///
/// All sessions of the account end. A link that was mailed proves the account's e-mail address. The first
/// password of an account accepts the invitation of the tenant that made it.
#[utoipa::path(
    post, path = "/v1/session/setup", tag = "session", request_body = SetUp,
    responses(
        (status = 204, description = "The password is chosen"),
        (status = 404, description = "`NOT_FOUND`: no such link, or it was used or has expired",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the address has an account already; sign in with it and accept the invitation",
            body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the password is weak", body = ErrorBody),
    )
)]
pub async fn set_up(Public(cx): Public, body: Body<SetUp>) -> Reply<StatusCode> {
    account::set_up(&cx, body.read).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ask for a mail with which a forgotten password can be replaced.
///
/// The answer is the same for every address, whether or not it has an account. A service without mail sends
/// none.
#[utoipa::path(
    post, path = "/v1/session/reset", tag = "session", request_body = ResetRequest,
    responses(
        (status = 202, description = "If the address has an account, a link is mailed to it"),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn request_reset(Public(cx): Public, body: Body<ResetRequest>) -> Reply<StatusCode> {
    account::request_reset(&cx, body.read).await?;
    Ok(StatusCode::ACCEPTED)
}

/// List the invitations that the signed-in person can accept.
#[utoipa::path(
    get, path = "/v1/session/invitations", tag = "session",
    responses((status = 200, body = PendingInvitations), (status = 401, body = ErrorBody))
)]
pub async fn invitations(
    caller: Caller,
    cookie: Cookie,
    query: Query,
) -> Reply<Json<PendingInvitations>> {
    query.finish()?;
    let signed_in = signed_in(&caller, &cookie).await?;
    Ok(Json(invitation::list(&caller.governance, &signed_in).await?))
}

/// Accept the invitation of a tenant. The membership carries its rights from the next request on.
#[utoipa::path(
    post, path = "/v1/session/invitations/{tenant_id}/accept", tag = "session", request_body = Empty,
    params(("tenant_id" = String, Path, description = "The tenant")),
    responses(
        (status = 200, description = "Accepted", body = Membership),
        (status = 401, body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the tenant has not invited this person",
            body = ErrorBody),
        (status = 409, description = "`CONFLICT`: a member already", body = ErrorBody),
    )
)]
pub async fn accept_invitation(
    caller: Caller,
    cookie: Cookie,
    Path((tenant,)): Path<(TenantId,)>,
    _: Bodiless,
) -> Reply<Json<Membership>> {
    let signed_in = signed_in(&caller, &cookie).await?;
    let cx = caller.governance.public(caller.correlation_id.clone());
    Ok(Json(invitation::accept(&cx, &signed_in, tenant).await?))
}

/// Decline the invitation of a tenant.
#[utoipa::path(
    post, path = "/v1/session/invitations/{tenant_id}/decline", tag = "session", request_body = Empty,
    params(("tenant_id" = String, Path, description = "The tenant")),
    responses(
        (status = 204, description = "Declined"),
        (status = 401, body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the tenant has not invited this person",
            body = ErrorBody),
    )
)]
pub async fn decline_invitation(
    caller: Caller,
    cookie: Cookie,
    Path((tenant,)): Path<(TenantId,)>,
    _: Bodiless,
) -> Reply<StatusCode> {
    let signed_in = signed_in(&caller, &cookie).await?;
    let cx = caller.governance.public(caller.correlation_id.clone());
    invitation::decline(&cx, &signed_in, tenant).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn signed_in(caller: &Caller, cookie: &Cookie) -> Result<SignedIn, Failure> {
    let signed_in = session::current(&caller.governance, cookie).await?;
    Ok(signed_in.ok_or_else(unauthorized)?)
}
