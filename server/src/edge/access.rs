//! Who may call a route: checked before its body is looked at.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::{error::ErrorCode, id::TenantId};
use governance::{
    CorrelationId, Cx, Error, Governance,
    error::{refusal, unauthorized},
    permission::{PROVISION, Permission},
    session,
};
use http::{HeaderMap, HeaderName, header, request::Parts};
use tower_sessions::Session;

use crate::edge::error::Failure;

/// The header that names the tenant.
const TENANT: HeaderName = HeaderName::from_static("x-service-tenant-id");

/// A service and what a route of it asks for.
pub(crate) type Guard = (Governance, Permission);

/// Lets the caller in, in the order of the specification: tenant header, credentials, tenant of the
/// credentials, scope or role. An operator's key belongs to no tenant and may name none: to everyone
/// else a missing header is what is wrong, whatever their credentials.
pub(crate) async fn guard(
    State((governance, permission)): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    match admit(&governance, permission, &parts).await {
        Ok(cx) => {
            parts.extensions.insert(cx);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(error) => Failure(error).into_response(),
    }
}

async fn admit(
    governance: &Governance,
    permission: Permission,
    parts: &Parts,
) -> Result<Cx, Error> {
    let tenant = tenant(&parts.headers)?;
    let given = parts.extensions.get::<CorrelationId>().cloned();
    let correlation_id = given.unwrap_or_else(|| governance.correlation_id());
    let secret = bearer(&parts.headers);
    if permission == PROVISION
        && let Some(secret) = secret
        && let Some(cx) = governance.operator_key(secret, correlation_id.clone()).await?
    {
        return Ok(cx);
    }
    let tenant = tenant.ok_or_else(|| {
        let message = "the header `X-Service-Tenant-Id` is missing";
        refusal(ErrorCode::MissingTenantId, message)
    })?;
    let cx = if let Some(secret) = secret {
        governance.key(secret, tenant, correlation_id).await?
    } else {
        let signed_in = match parts.extensions.get::<Session>() {
            Some(session) => session::current(governance, session).await?,
            None => None,
        };
        let signed_in = signed_in.ok_or_else(unauthorized)?;
        governance.human(&signed_in, tenant, correlation_id).await?
    };
    cx.tenant(permission)?;
    Ok(cx)
}

/// The tenant that the request names, if it names one.
fn tenant(headers: &HeaderMap) -> Result<Option<TenantId>, Error> {
    let Some(value) = headers.get(TENANT) else { return Ok(None) };
    let parsed = value.to_str().ok().and_then(|text| text.parse().ok());
    parsed.map(Some).ok_or_else(|| {
        refusal(ErrorCode::InvalidTenantId, "the header `X-Service-Tenant-Id` is not a UUID").into()
    })
}

/// The bearer token, if there is an `Authorization` header at all; another scheme counts as a token
/// that nobody has.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}
