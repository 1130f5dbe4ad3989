//! Export of decisions. It is streamed page by page, so its memory use does not depend on its size.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use contract::{decision::DecisionFilter, filter::ListFilter as _};
use futures_util::stream;
use governance::{
    Error,
    deciding::decision::{self, Export, ExportFormat, ExportRequest},
};
use http::header;

use crate::{
    edge::{ApiResult, Authorized, FromQuery, Query, QueryReader},
    endpoint::Content,
};

/// Export the recorded decisions of a time range.
///
/// Decisions are sorted newest first, and those of one chain by step. The body is chunked. A response that
/// ends without its last chunk is incomplete; repeat the request. This happens if the database becomes
/// unavailable, or if the key is revoked or the user removed during the export. In CSV, a cell that begins
/// with `=`, `+`, `-`, `@`, a tab or a carriage return is prefixed with `'`, so that spreadsheets do not
/// interpret it as a formula.
#[get(
    "/v1/decisions/export", EXPORT_DECISIONS, audit = "decision.export",
    content = &[("application/x-ndjson", Content::Text), ("text/csv", Content::Text)],
    200 = "NDJSON with one decision record per line, or CSV",
)]
async fn export(cx: Authorized, Query(request): Query<ExportRequest>) -> ApiResult<Response> {
    let mut export = decision::export(&cx, request).await?;
    // The first page is loaded before the status is sent, so an early error becomes an error response.
    let first = export.page().await?;
    let name = format!("decisions-{}", export.id());
    Ok(stream_export(export, first, &name))
}

impl FromQuery for ExportRequest {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let mut filter = DecisionFilter::read(query);
        query.require(&["recorded_from", "recorded_to"]);
        let format = query.get("format", "The file format (default: `ndjson`)").unwrap_or_default();
        let (from, to) = (filter.recorded_from.take(), filter.recorded_to.take());
        Some(Self { filter, from: from?, to: to?, format, offset_minutes: 0 })
    }
}

/// Streams an export as a file. `name` is the name of the file without its extension.
pub(crate) fn stream_export(export: Export, first: Option<String>, name: &str) -> Response {
    let content_type = match export.format() {
        ExportFormat::Ndjson => "application/x-ndjson",
        ExportFormat::Csv => "text/csv; charset=utf-8; header=present",
    };
    let name = format!("{name}.{}", export.format());
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
