//! What is new in a tenant, told to a page for as long as somebody looks at it.

use axum::{extract::State, response::Response};
use contract::id::TenantId;
use governance::{
    decision::{self, Mark},
    error::{invalid_field, unauthorized},
    session::Token,
};
use tower_sessions::Session;

use crate::{
    edge::{
        error::Reply,
        extract::{Caller, Query},
        phase::Cutter,
    },
    state::Service,
    v1::stream::told,
};

/// `GET /console/live` with `tenant` and, of a page that was made before, its mark as `since`: server-sent
/// events `news` with three counts each, of new decisions, new alerts and open alerts. The stream is one of
/// the person's twenty. It ends with the session, with the membership, and when the process stops; and it
/// tells no more often than every other beat, so that nobody is read numbers all the time.
pub(super) async fn live(
    State(service): State<Service>,
    caller: Caller,
    session: Session,
    cutter: Cutter,
    mut query: Query,
) -> Reply<Response> {
    let tenant = query.required::<TenantId>("tenant", "the id of a tenant");
    let since = query.parsed::<Mark>("since", "the mark of a page");
    query.finish()?;
    let Some(tenant) = tenant else {
        return Err(invalid_field("/tenant", "required", "must be the id of a tenant").into());
    };
    let token = Token::of(&session).ok_or_else(unauthorized)?;
    let signed_in = token.signed_in(&caller.governance).await?.ok_or_else(unauthorized)?;
    let cx = caller.governance.human(&signed_in, tenant, caller.correlation_id).await?;
    let stream = decision::news(&cx, since).await?.within(Some(token));
    let pause = 2 * service.edge.bounds.beat;
    Ok(told(stream, &service, pause, cutter))
}
