//! The decisions that the log shows, as a file. The API's own path needs a header that no link and no
//! form can send.

use app::view::query::DecisionQuery;
use axum::{Extension, body::Bytes, response::Response};
use contract::id::TenantId;
use governance::{
    CorrelationId, Governance, SignedIn,
    decision::{self, ExportFormat, ExportRequest},
    error::{invalid_field, unauthorized},
};

use crate::{edge::error::Reply, v1::export::streamed};

/// `POST /console/export` with `tenant`, `format`, and the filters of the log as they stand in its
/// address in `query`.
pub(super) async fn export(
    Extension(governance): Extension<Governance>,
    Extension(correlation_id): Extension<CorrelationId>,
    signed_in: Option<Extension<SignedIn>>,
    body: Bytes,
) -> Reply<Response> {
    let Extension(signed_in) = signed_in.ok_or_else(unauthorized)?;
    let field = |wanted: &str| {
        let mut fields = form_urlencoded::parse(&body);
        fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    let tenant: TenantId = field("tenant")
        .and_then(|tenant| tenant.parse().ok())
        .ok_or_else(|| invalid_field("/tenant", "format", "must be the id of a tenant"))?;
    let cx = governance.human(&signed_in, tenant, correlation_id).await?;
    let mut export = decision::export(&cx, request(&field)?).await?;
    // The first page comes before the status: what fails at once is answered as an error.
    let first = export.page().await?;
    Ok(streamed(export, first))
}

fn request(field: &impl Fn(&str) -> Option<String>) -> Reply<ExportRequest> {
    let query = field("query").unwrap_or_default();
    let filter = DecisionQuery::read(|wanted| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    });
    // The log's own page says which of them, in the words of its form.
    let filter = filter.filter().map_err(|_| {
        invalid_field("/query", "value", "must be filters of the log as its address has them")
    })?;
    let (Some(from), Some(to)) = (filter.recorded_from, filter.recorded_to) else {
        return Err(invalid_field("/query", "required", "an export needs a range of time").into());
    };
    let format = field("format").and_then(|format| format.parse::<ExportFormat>().ok());
    let format =
        format.ok_or_else(|| invalid_field("/format", "value", "must be ndjson or csv"))?;
    Ok(ExportRequest { filter, from, to, format })
}
