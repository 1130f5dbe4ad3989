//! Live updates of the console.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use contract::id::TenantId;
use governance::{
    access::session::SessionToken,
    base::error::unauthorized,
    deciding::decision::{self, ActivityMark},
};
use tower_sessions::Session;
use utoipa::openapi::ObjectBuilder;

use crate::{
    edge::{ApiResult, FromQuery, Query, QueryReader, RequestContext, connection::ConnectionAbort},
    state::Service,
    v1::stream::stream_response,
};

/// Handles `GET /console/live` with `tenant` and, for a page that was rendered earlier, its mark as `since`.
///
/// Sends server-sent events `news` with four counts: new decisions, new alerts, open alerts and new deliveries. With
/// `once=true`, responds with the counts as text, for a page whose stream fails. The stream
/// counts towards the 20 streams of the user. It ends with the session or the membership, and when the
/// process stops. It sends at most one event per two heartbeat intervals, so that screen readers do not read
/// numbers continuously.
pub(super) async fn live(
    State(service): State<Service>,
    context: RequestContext,
    session: Session,
    connection_abort: ConnectionAbort,
    Query(LiveUpdates { tenant, since, once }): Query<LiveUpdates>,
) -> ApiResult<Response> {
    let token = SessionToken::from_session(&session).ok_or_else(unauthorized)?;
    let signed_in = token.signed_in(&context.governance).await?.ok_or_else(unauthorized)?;
    let cx = context.governance.human(&signed_in, tenant, context.correlation_id).await?;
    if once {
        return Ok(decision::activity(&cx, since).await?.into_response());
    }
    let stream = decision::activity_stream(&cx, since).await?.with_session(Some(token));
    let pause = 2 * service.edge.request_limits.heartbeat_interval;
    Ok(stream_response(stream, &service, pause, connection_abort))
}

/// The live updates that a page requests.
pub(super) struct LiveUpdates {
    tenant: TenantId,
    since: Option<ActivityMark>,
    once: bool,
}

impl FromQuery for LiveUpdates {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let tenant = query.get("tenant", "The ID of the tenant");
        query.require(&["tenant"]);
        let (format, description) = ("the mark of a page", "The mark of the page");
        let parse = |text: &str| text.parse().ok();
        let since = query.parsed("since", format, ObjectBuilder::new, description, parse);
        let once = query.get("once", "Whether to respond once, without a stream");
        Some(Self { tenant: tenant?, since, once: once.unwrap_or_default() })
    }
}
