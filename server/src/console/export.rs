//! Export of the filtered decision list as a file. The API endpoint requires a header that links and HTML
//! forms cannot send.

use app::{
    export::{ExportQuery, SelectedExport, file_name},
    text::url,
};
use axum::{
    Extension,
    body::Bytes,
    response::{IntoResponse, Redirect, Response},
};
use contract::{id::TenantId, string_enum::StringEnum};
use governance::{
    CorrelationId, Error, Governance, SignedIn,
    access::session,
    base::error::{invalid_field, unauthorized},
    deciding::decision::{self, ExportFormat, ExportRequest},
};
use http::HeaderMap;

use crate::{
    edge::{ApiResult, error_page},
    v1::export::stream_export,
};

/// Handles `POST /console/export`: the fields of the form of an export, and `tenant`. If a field is invalid, a
/// browser is redirected to the form, which shows the error.
pub(super) async fn export(
    Extension(governance): Extension<Governance>,
    Extension(correlation_id): Extension<CorrelationId>,
    signed_in: Option<Extension<SignedIn>>,
    headers: HeaderMap,
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
    let form = ExportQuery::read(&field);
    let selected = match form.select() {
        Ok(selected) => selected,
        Err(_) if error_page::accepts_html(&headers) => {
            let page = form.address(&url::export_page(tenant));
            return Ok(Redirect::to(&page).into_response());
        }
        Err(_) => {
            return Err(invalid_field("/query", "value", "must be the fields of an export").into());
        }
    };
    let name = file_name(
        &tenant_name(&governance, &signed_in, tenant).await?,
        cx.now,
        selected.offset_minutes,
    );
    let mut export = decision::export(&cx, request(selected)?).await?;
    // The first page is loaded before the status is sent, so an early error becomes an error response.
    let first = export.page().await?;
    Ok(stream_export(export, first, &name))
}

fn request(selected: SelectedExport) -> Result<ExportRequest, Error> {
    let SelectedExport { filter, from, to, format, offset_minutes } = selected;
    let format = ExportFormat::from_name(format);
    let format = format.ok_or_else(|| Error::bug("a format of the form is unknown"))?;
    Ok(ExportRequest { filter, from, to, format, offset_minutes })
}

/// Returns the name of a tenant of the user.
async fn tenant_name(
    governance: &Governance,
    signed_in: &SignedIn,
    tenant: TenantId,
) -> Result<String, Error> {
    let session = session::session_info(governance, signed_in).await?;
    let mut memberships = session.memberships.into_iter();
    let membership = memberships.find(|membership| membership.tenant_id == tenant);
    Ok(membership.map(|membership| membership.tenant_name).unwrap_or_default())
}
