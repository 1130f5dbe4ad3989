//! Audit log endpoints.

use contract::{
    audit::{AuditFilter, AuditItem, AuditRange, AuditReport},
    pagination::Page,
};
use endpoint_macro::{get, post};
use governance::{PageRequest, proof::audit};

use crate::edge::{Answer, Authorized, Body, FromQuery, Json, Query, QueryReader};

/// List audit events, newest first.
#[get("/v1/audit-log", READ_AUDIT, tag = "audit")]
async fn list(
    cx: Authorized,
    Query((filter, page)): Query<(AuditFilter, PageRequest)>,
) -> Answer<Page<AuditItem>> {
    Ok(Json(audit::list(&cx, filter, &page).await?))
}

impl FromQuery for AuditFilter {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let action = "Only events with this action, such as `policy_version.ratify`";
        let actor_email = "Only events of the user with this address, in any case; erased addresses do \
                           not match";
        let object_type = "Only events of this type of object, such as `policy_version`";
        let action = query.text("action", 100, action);
        let actor_id = query.text("actor_id", 255, "Only events of this user or key");
        let actor_email = query.text("actor_email", 320, actor_email);
        let object_type = query.text("object_type", 100, object_type);
        let object_id = query.text("object_id", 255, "Only events of the object with this ID");
        let [from, to] = query.time_range(["from", "to"]);
        Some(Self { action, actor_id, actor_email, object_type, object_id, from, to })
    }
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
async fn verify(cx: Authorized, body: Body<AuditRange>) -> Answer<AuditReport> {
    Ok(Json(audit::verify(&cx, body.value).await?))
}
