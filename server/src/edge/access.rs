//! Who may call a route: checked before its body is looked at.

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::{
    error::ErrorCode,
    id::{ApiKeyId, TenantId, UserId},
};
use governance::{
    CorrelationId, Cx, Error,
    caller::Caller,
    error::{refusal, unauthorized},
    permission::{PROVISION, Permission},
    session,
};
use http::{HeaderMap, HeaderName, header, request::Parts};
use tower_sessions::Session;

use crate::{
    edge::{
        arrival::{self, Arrival},
        error::Failure,
        rate_limit::{Exceeded, Quota},
    },
    metrics::Refused,
    state::Service,
};

/// The header that names the tenant.
const TENANT: HeaderName = HeaderName::from_static("x-service-tenant-id");

/// A service and what a route of it asks for.
pub(crate) type Guard = (Service, Permission);

/// Lets the caller in; once more when the body has arrived, unless all of it was here before the first time:
/// a key that is revoked or a member who is removed meanwhile does nothing.
///
/// Both times in the order of the specification: tenant header, credentials, tenant of the
/// credentials, the caller's limit, scope or role. An operator's key belongs to no tenant and may name
/// none: to everyone else a missing header is what is wrong, whatever their credentials.
pub(crate) async fn guard(
    State((service, permission)): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let arrival = arrival::look(&parts, body).await;
    let cx = match identify(&service, permission, &parts).await {
        Ok(cx) => cx,
        Err(error) => return Failure(error).into_response(),
    };
    let caller = Known::of(&cx.caller);
    let (mut response, quota) = match service.edge.limits.caller(&cx.caller, cx.now).await {
        Err(Exceeded { quota, failure }) => {
            service.metrics.refused(Refused::Caller);
            (failure.into_response(), Some(quota))
        }
        Ok(quota) => {
            let admitted = match check(&cx, permission) {
                Ok(()) => arrived(&service, permission, &parts, arrival, cx).await,
                Err(error) => Err(error),
            };
            let response = match admitted {
                Ok((cx, body)) => {
                    parts.extensions.insert(cx);
                    next.run(Request::from_parts(parts, body)).await
                }
                Err(error) => Failure(error).into_response(),
            };
            (response, quota)
        }
    };
    response.extensions_mut().insert(Known { quota, ..caller });
    response
}

/// The operation and its whole body. Credentials that were checked before the body was here are checked
/// again, and what they allow may be less.
async fn arrived(
    service: &Service,
    permission: Permission,
    parts: &Parts,
    arrival: Arrival,
    cx: Cx,
) -> Result<(Cx, Body), Error> {
    let body = match arrival {
        Arrival::Whole(body) => return Ok((cx, body)),
        Arrival::Partial(body) => arrival::wait(parts, body, service.edge.bounds.body).await?,
    };
    if let Some(session) = parts.extensions.get::<Session>() {
        session::reload(session).await?;
    }
    let cx = identify(service, permission, parts).await?;
    check(&cx, permission)?;
    Ok((cx, body))
}

/// What an answer remembers of its caller, for the log and the headers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    pub(crate) tenant_id: Option<TenantId>,
    pub(crate) key_id: Option<ApiKeyId>,
    pub(crate) user_id: Option<UserId>,
    /// What the caller may still send.
    pub(crate) quota: Option<Quota>,
}

impl Known {
    fn of(caller: &Caller) -> Self {
        match caller {
            Caller::Key(key) => {
                Self { tenant_id: Some(key.tenant_id), key_id: Some(key.id), ..Self::default() }
            }
            Caller::Human(human) => Self {
                tenant_id: Some(human.tenant_id),
                user_id: Some(human.user_id),
                ..Self::default()
            },
            Caller::OperatorKey(key) => Self { key_id: Some(key.id), ..Self::default() },
            _ => Self::default(),
        }
    }
}

/// Whether the caller may do what the route is for. An operator's key was only looked for where it may.
fn check(cx: &Cx, permission: Permission) -> Result<(), Error> {
    match cx.caller {
        Caller::OperatorKey(_) => Ok(()),
        _ => cx.may(permission),
    }
}

/// Who asks; an operator's key only where `permission` is for operators.
async fn identify(service: &Service, permission: Permission, parts: &Parts) -> Result<Cx, Error> {
    let governance = &service.governance;
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
    if let Some(secret) = secret {
        governance.key(secret, tenant, correlation_id).await
    } else {
        let signed_in = match parts.extensions.get::<Session>() {
            Some(session) => session::current(governance, session).await?,
            None => None,
        };
        let signed_in = signed_in.ok_or_else(unauthorized)?;
        governance.human(&signed_in, tenant, correlation_id).await
    }
}

/// The tenant that the request names, if it names one.
pub(crate) fn tenant(headers: &HeaderMap) -> Result<Option<TenantId>, Error> {
    let mut values = headers.get_all(TENANT).iter();
    let Some(value) = values.next().filter(|value| !value.is_empty()) else { return Ok(None) };
    // Of two tenants neither is meant for certain.
    let only = values.next().is_none().then_some(value);
    let parsed = only.and_then(|value| value.to_str().ok()?.parse().ok());
    parsed.map(Some).ok_or_else(|| {
        let message = "the header `X-Service-Tenant-Id` is not one UUID";
        refusal(ErrorCode::InvalidTenantId, message).into()
    })
}

/// The bearer token, if there is an `Authorization` header at all; another scheme counts as a token
/// that nobody has.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}
