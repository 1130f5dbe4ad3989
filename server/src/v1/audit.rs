//! Audit log endpoints.

use contract::{
    audit::{AuditFilter, AuditItem, AuditRange, AuditReport},
    error::ErrorBody,
    pagination::Page,
};
use governance::proof::audit;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Json, Query},
};

/// List audit events, newest first.
#[utoipa::path(
    get, path = "/v1/audit-log", tag = "audit",
    params(
        ("action" = Option<String>, Query, description = "Only events with this action, such as `policy_version.ratify`"),
        ("actor_id" = Option<String>, Query, description = "Only events of this user or key"),
        ("actor_email" = Option<String>, Query,
            description = "Only events of the user with this address, in any case; erased addresses do not match"),
        ("object_type" = Option<String>, Query, description = "Only events of this type of object, such as `policy_version`"),
        ("object_id" = Option<String>, Query, description = "Only events of the object with this ID"),
        ("from" = Option<String>, Query, description = "Start of the time range, RFC 3339, inclusive"),
        ("to" = Option<String>, Query, description = "End of the time range, RFC 3339, inclusive"),
        ("limit" = Option<u32>, Query, description = "Page size, 1 to 200 (default 50)"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the previous page"),
    ),
    responses((status = 200, body = Page<AuditItem>), (status = 422, body = ErrorBody))
)]
pub async fn list(
    Authorized(cx): Authorized,
    mut query: Query,
) -> ApiResult<Json<Page<AuditItem>>> {
    let filter = AuditFilter {
        action: query.text("action", 100),
        actor_id: query.text("actor_id", 255),
        actor_email: query.text("actor_email", 320),
        object_type: query.text("object_type", 100),
        object_id: query.text("object_id", 255),
        from: query.parsed("from", "an RFC 3339 date-time"),
        to: query.parsed("to", "an RFC 3339 date-time"),
    };
    if let (Some(from), Some(to)) = (filter.from, filter.to)
        && from > to
    {
        query.reject("from", "must not be after `to`");
    }
    let page = query.page();
    query.finish()?;
    Ok(Json(audit::list(&cx, filter, &page).await?))
}

/// Verify the audit log.
///
/// Checks the stored bytes: hashes, predecessors, sequence numbers, columns, checkpoints and the end of the
/// log. If the log was changed, the report shows the change, with status 200.
#[utoipa::path(
    post, path = "/v1/audit-log/verify", tag = "audit", request_body = AuditRange,
    responses(
        (status = 200, body = AuditReport),
        (status = 409, description = "`CONFLICT`: another verification of this log is running", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn verify(
    Authorized(cx): Authorized,
    body: Body<AuditRange>,
) -> ApiResult<Json<AuditReport>> {
    Ok(Json(audit::verify(&cx, body.value).await?))
}
