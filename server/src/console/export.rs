//! Export of the filtered decision list as a file. The API endpoint requires a header that links and HTML
//! forms cannot send.

use app::view::query::DecisionQuery;
use axum::{Extension, body::Bytes, response::Response};
use contract::{id::TenantId, string_enum::StringEnum};
use governance::{
    CorrelationId, Governance, SignedIn,
    base::error::{invalid_field, unauthorized},
    deciding::decision::{self, ExportFormat, ExportRequest},
};

use crate::{edge::error::ApiResult, v1::export::stream_export};

/// Handles `POST /console/export` with `tenant`, `format`, and `query`, which contains the filters of the
/// decision list as in its URL.
pub(super) async fn export(
    Extension(governance): Extension<Governance>,
    Extension(correlation_id): Extension<CorrelationId>,
    signed_in: Option<Extension<SignedIn>>,
    body: Bytes,
) -> ApiResult<Response> {
    let Extension(signed_in) = signed_in.ok_or_else(unauthorized)?;
    let field = |expected: &str| {
        let mut fields = form_urlencoded::parse(&body);
        fields.find(|(name, _)| name == expected).map(|(_, value)| value.into_owned())
    };
    let tenant: TenantId = field("tenant")
        .and_then(|tenant| tenant.parse().ok())
        .ok_or_else(|| invalid_field("/tenant", "format", "must be the ID of a tenant"))?;
    let cx = governance.human(&signed_in, tenant, correlation_id).await?;
    let mut export = decision::export(&cx, request(&field)?).await?;
    // The first page is loaded before the status is sent, so an early error becomes an error response.
    let first = export.page().await?;
    Ok(stream_export(export, first))
}

fn request(field: &impl Fn(&str) -> Option<String>) -> ApiResult<ExportRequest> {
    let query = field("query").unwrap_or_default();
    let filter = DecisionQuery::read(&|expected| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(name, _)| name == expected).map(|(_, value)| value.into_owned())
    });
    // The page of the decision list reports which filter is invalid.
    let filter = filter.filter().map_err(|_| {
        invalid_field("/query", "value", "must be filters of the decision list as in its URL")
    })?;
    let (Some(from), Some(to)) = (filter.recorded_from, filter.recorded_to) else {
        return Err(invalid_field("/query", "required", "an export requires a time range").into());
    };
    let format = field("format").and_then(|format| ExportFormat::from_name(&format));
    let format =
        format.ok_or_else(|| invalid_field("/format", "value", "must be ndjson or csv"))?;
    Ok(ExportRequest { filter, from, to, format })
}
