//! Live updates of the console.

use axum::{extract::State, response::Response};
use contract::id::TenantId;
use governance::{
    access::session::SessionToken,
    base::error::{invalid_field, unauthorized},
    deciding::decision::{self, ActivityMark},
};
use tower_sessions::Session;

use crate::{
    edge::{
        connection::ConnectionAbort,
        error::ApiResult,
        extract::{Query, RequestContext},
    },
    state::Service,
    v1::stream::stream_response,
};

/// Handles `GET /console/live` with `tenant` and, for a page that was rendered earlier, its mark as `since`.
///
/// Sends server-sent events `news` with three counts: new decisions, new alerts and open alerts. The stream
/// counts towards the 20 streams of the user. It ends with the session or the membership, and when the
/// process stops. It sends at most one event per two heartbeat intervals, so that screen readers do not read
/// numbers continuously.
pub(super) async fn live(
    State(service): State<Service>,
    context: RequestContext,
    session: Session,
    connection_abort: ConnectionAbort,
    mut query: Query,
) -> ApiResult<Response> {
    let tenant = query.required::<TenantId>("tenant", "the ID of a tenant");
    let since = query.parsed::<ActivityMark>("since", "the mark of a page");
    query.finish()?;
    let Some(tenant) = tenant else {
        return Err(invalid_field("/tenant", "required", "must be the ID of a tenant").into());
    };
    let token = SessionToken::from_session(&session).ok_or_else(unauthorized)?;
    let signed_in = token.signed_in(&context.governance).await?.ok_or_else(unauthorized)?;
    let cx = context.governance.human(&signed_in, tenant, context.correlation_id).await?;
    let stream = decision::activity_stream(&cx, since).await?.with_session(Some(token));
    let pause = 2 * service.edge.request_limits.heartbeat_interval;
    Ok(stream_response(stream, &service, pause, connection_abort))
}
