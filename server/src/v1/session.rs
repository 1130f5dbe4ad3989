//! Human sessions.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use contract::{
    error::ErrorBody,
    member::{PasswordChange, SetUp},
    session::{Confirm, LogIn, Session},
};
use governance::{SignedIn, account, error::unauthorized, session};
use http::StatusCode;
use tower_sessions::Session as Cookie;

use crate::edge::{
    error::{Failure, Reply},
    extract::{Body, Caller, Json, Public, Query},
};

/// The address of whoever asks.
type Peer = Option<axum::Extension<ConnectInfo<SocketAddr>>>;

fn ip(peer: Peer) -> Option<IpAddr> {
    peer.map(|axum::Extension(ConnectInfo(address))| address.ip())
}

/// Sign in.
#[utoipa::path(
    post, path = "/v1/session", tag = "session", request_body = LogIn,
    responses(
        (status = 200, description = "Signed in; the cookie is set", body = Session),
        (status = 401, description = "`UNAUTHORIZED`", body = ErrorBody),
        (status = 429, description = "`TOO_MANY_REQUESTS`", body = ErrorBody),
    )
)]
pub async fn log_in(
    caller: Caller,
    cookie: Cookie,
    peer: Peer,
    body: Body<LogIn>,
) -> Reply<Json<Session>> {
    let signed_in = session::log_in(&caller.governance, ip(peer), body.read).await?;
    session::begin(&cookie, &signed_in).await?;
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
pub async fn log_out(cookie: Cookie, query: Query) -> Reply<StatusCode> {
    query.finish()?;
    session::end(&cookie).await?;
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
    peer: Peer,
    body: Body<Confirm>,
) -> Reply<Json<Session>> {
    let earlier = signed_in(&caller, &cookie).await?;
    let confirmed = session::confirm(&caller.governance, &earlier, ip(peer), body.read).await?;
    session::begin(&cookie, &confirmed).await?;
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
    peer: Peer,
    body: Body<PasswordChange>,
) -> Reply<Json<Session>> {
    let earlier = signed_in(&caller, &cookie).await?;
    let cx = caller.governance.public(caller.correlation_id.clone());
    let changed = account::change_password(&cx, &earlier, ip(peer), body.read).await?;
    session::begin(&cookie, &changed).await?;
    Ok(Json(session::who(&caller.governance, &changed).await?))
}

/// Choose the first password of an account, with the token of its link: once. Sign in with it next.
#[utoipa::path(
    post, path = "/v1/session/setup", tag = "session", request_body = SetUp,
    responses(
        (status = 204, description = "The password is chosen"),
        (status = 404, description = "`NOT_FOUND`: no such link, or it was used or has expired",
            body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: the password is weak", body = ErrorBody),
    )
)]
pub async fn set_up(Public(cx): Public, body: Body<SetUp>) -> Reply<StatusCode> {
    account::set_up(&cx, body.read).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn signed_in(caller: &Caller, cookie: &Cookie) -> Result<SignedIn, Failure> {
    let signed_in = session::current(&caller.governance, cookie).await?;
    Ok(signed_in.ok_or_else(unauthorized)?)
}
