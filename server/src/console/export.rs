//! Export of the filtered decision list as a file. The API endpoint requires a header that links and HTML
//! forms cannot send.

use axum::{
    Extension,
    body::Bytes,
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use contract::{id::TenantId, time::Timestamp};
use governance::{
    CorrelationId, Error, Governance, SignedIn,
    access::session,
    base::error::{invalid_field, unauthorized},
    deciding::decision,
};
use http::HeaderMap;

use crate::{
    edge::{ApiResult, error_page},
    state::Service,
    v1::export::stream_export,
};

/// Handles `POST /console/export`: the fields of the form of an export, and `tenant`. If a field is invalid, a
/// browser is redirected to the form, which shows the error.
pub(super) async fn export(
    State(service): State<Service>,
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
    let governance = &service.governance;
    let cx = governance.human(&signed_in, tenant, correlation_id).await?;
    let selected = match (service.console.export)(tenant, &field) {
        Ok(selected) => selected,
        Err(form) if error_page::accepts_html(&headers) => {
            return Ok(Redirect::to(&form).into_response());
        }
        Err(_) => {
            return Err(invalid_field("/query", "value", "must be the fields of an export").into());
        }
    };
    let name = file_name(
        &tenant_name(governance, &signed_in, tenant).await?,
        cx.now,
        selected.offset_minutes,
    );
    let mut export = decision::export(&cx, selected).await?;
    // The first page is loaded before the status is sent, so an early error becomes an error response.
    let first = export.page().await?;
    Ok(stream_export(export, first, &name))
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

/// Returns the name of an export file without its extension, for example `acme-decisions-2026-11-22`: the tenant
/// in lower-case letters and digits, and the day of `now` in the zone of the export.
fn file_name(tenant_name: &str, now: Timestamp, offset_minutes: i16) -> String {
    const NAME_MAX: usize = 60;
    let mut name = String::new();
    for letter in tenant_name.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(NAME_MAX);
    let name = name.trim_end_matches('-');
    let name = if name.is_empty() { "tenant" } else { name };
    let day = now.plus_millis(i64::from(offset_minutes) * 60_000).to_string();
    format!("{name}-decisions-{}", day.get(..10).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_has_the_tenant_and_the_day() {
        let now: Timestamp = "2026-11-22T23:30:00Z".parse().unwrap();
        assert_eq!(file_name("Acme", now, 0), "acme-decisions-2026-11-22");
        assert_eq!(file_name(" Müller & Söhne/.. ", now, 60), "m-ller-s-hne-decisions-2026-11-23");
        assert_eq!(file_name("東京", now, 0), "tenant-decisions-2026-11-22");
    }
}
