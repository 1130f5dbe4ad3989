//! The time left of a session.

use axum::response::IntoResponse;
use governance::access::session::{SessionToken, TimeLeft};
use http::header;
use tower_sessions::Session;

use crate::edge::{ApiResult, Json, RequestContext, query::NoQuery};

/// Handles `GET /console/session`. The request does not extend the session. Without a session, no time is left.
pub(super) async fn time_left(
    context: RequestContext,
    session: Session,
    _: NoQuery,
) -> ApiResult<impl IntoResponse> {
    let signed_in = match SessionToken::from_session(&session) {
        Some(token) => token.signed_in(&context.governance).await?,
        None => None,
    };
    let now = context.governance.clock().now();
    let left = signed_in.map_or_else(TimeLeft::default, |signed_in| signed_in.time_left(now));
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(left)))
}
