//! Audit log endpoints.

use contract::{
    audit::{AuditFilter, AuditItem, AuditRange, AuditReport},
    pagination::Page,
};
use governance::{PageRequest, proof::audit};

use crate::edge::{Authorized, Body, Filters, Json, JsonResult, Query};

/// List audit events, newest first.
#[get("/v1/audit-log", READ_AUDIT, tag = "audit")]
async fn list(
    cx: Authorized,
    Query((Filters(filter), page)): Query<(Filters<AuditFilter>, PageRequest)>,
) -> JsonResult<Page<AuditItem>> {
    Ok(Json(audit::list(&cx, filter, &page).await?))
}

/// Verify the audit log.
///
/// Checks the stored bytes: hashes, predecessors, sequence numbers, columns, checkpoints and the end of the
/// log. If the log was changed, the report shows the change, with status 200.
#[post(
    "/v1/audit-log/verify", VERIFY_AUDIT, tag = "audit",
    no_audit = "verification only reads the audit log",
    example = {"from_seq": 1, "to_seq": 500},
    409 = "`CONFLICT`: another verification of this log is running",
)]
async fn verify(cx: Authorized, body: Body<AuditRange>) -> JsonResult<AuditReport> {
    Ok(Json(audit::verify(&cx, body.value).await?))
}
