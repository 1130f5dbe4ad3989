//! Export of decisions. It is streamed page by page, so its memory use does not depend on its size.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use contract::{error::ErrorBody, time::Timestamp};
use futures_util::stream;
use governance::{
    Error,
    deciding::decision::{self, Export, ExportFormat, ExportRequest},
};
use http::header;

use crate::{
    edge::{
        error::ApiResult,
        extract::{Authorized, Query},
    },
    v1::decisions::{TIMESTAMP_FORMAT, filter, reject_reversed_range},
};

/// Export the recorded decisions of a time range.
///
/// Decisions are sorted newest first, and those of one chain by step. The body is chunked. A response that
/// ends without its last chunk is incomplete; repeat the request. This happens if the database becomes
/// unavailable, or if the key is revoked or the user removed during the export. In CSV, a cell that begins
/// with `=`, `+`, `-`, `@`, a tab or a carriage return is prefixed with `'`, so that spreadsheets do not
/// interpret it as a formula.
#[utoipa::path(
    get, path = "/v1/decisions/export", tag = "decisions",
    params(
        ("recorded_from" = String, Query, description = "Start of the time range, RFC 3339, inclusive"),
        ("recorded_to" = String, Query, description = "End of the time range, RFC 3339, inclusive"),
        ("format" = Option<String>, Query, description = "`ndjson` (default) or `csv`"),
        ("decision_type" = Option<String>, Query, description = "Only decisions of this type"),
        ("decision" = Option<String>, Query, description = "Only decisions with this verdict: `ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("correlation_id" = Option<String>, Query, description = "Only decisions with this correlation ID"),
        ("chain_id" = Option<String>, Query, description = "Only decisions of this chain"),
        ("idempotency_key" = Option<String>, Query, description = "Only the decision with this idempotency key"),
        ("policy_id" = Option<String>, Query, description = "Only decisions that evaluated this policy"),
        ("rule_code" = Option<String>, Query, description = "Only decisions that violate this rule"),
        ("actor_id" = Option<String>, Query, description = "Only decisions of this actor"),
    ),
    responses(
        (
            status = 200,
            description = "NDJSON with one decision record per line, or CSV",
            content((String = "application/x-ndjson"), (String = "text/csv")),
        ),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn export(Authorized(cx): Authorized, mut query: Query) -> ApiResult<Response> {
    let from = query.required::<Timestamp>("recorded_from", TIMESTAMP_FORMAT);
    let to = query.required::<Timestamp>("recorded_to", TIMESTAMP_FORMAT);
    let format = query.parsed::<ExportFormat>("format", "ndjson or csv");
    let filter = filter(&mut query);
    reject_reversed_range(&mut query, from, to);
    query.finish()?;
    let (Some(from), Some(to)) = (from, to) else {
        return Err(Error::bug("a missing parameter was not rejected").into());
    };
    let request = ExportRequest { filter, from, to, format: format.unwrap_or_default() };
    let mut export = decision::export(&cx, request).await?;
    // The first page is loaded before the status is sent, so an early error becomes an error response.
    let first = export.page().await?;
    Ok(stream_export(export, first))
}

pub(crate) fn stream_export(export: Export, first: Option<String>) -> Response {
    let content_type = match export.format() {
        ExportFormat::Ndjson => "application/x-ndjson",
        ExportFormat::Csv => "text/csv; charset=utf-8; header=present",
    };
    let name = format!("decisions-{}.{}", export.id(), export.format());
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    let pages = stream::try_unfold((first, export), |(page, mut export)| async move {
        let page = match page {
            Some(page) => Some(page),
            // An error ends the connection before the last chunk, which shows that the body is incomplete.
            None => export.page().await.inspect_err(|error| {
                tracing::warn!(export = %export.id(), %error, "an export was interrupted");
            })?,
        };
        Ok::<_, Error>(page.map(|page| (page, (None, export))))
    });
    (headers, Body::from_stream(pages)).into_response()
}
