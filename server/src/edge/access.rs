//! Authentication and authorization of requests, before their body is read.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{
    body::Body,
    extract::{FromRequestParts, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::{
    error::ErrorCode,
    id::{ApiKeyId, TenantId, UserId},
};
use governance::{
    CorrelationId, Cx, Error,
    access::{
        permission::{PROVISION, Permission},
        session,
    },
    base::{
        caller::Caller,
        error::{batch_beyond_quota, refusal, unauthorized},
    },
};
use http::{HeaderMap, HeaderName, header, request::Parts};
use tower_sessions::Session;

use crate::{
    edge::{
        arrival::{self, Arrival},
        error::ApiError,
        quota::Quota,
        rate_limit::QuotaExceeded,
    },
    endpoint::describe_nothing,
    metrics::EarlyRejection,
    state::Service,
};

/// The header that names the tenant.
pub(crate) const TENANT: HeaderName = HeaderName::from_static("x-service-tenant-id");

pub(crate) type RouteAuth = (Service, Permission);

/// Marks a request of a standard that has no tenant header: without the header, the API key names the tenant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TenantOfKey;

/// Authenticates and authorizes the caller before the handler runs.
///
/// The checks run again after the body has arrived, unless it was complete before the first check. A key that
/// was revoked or a member who was removed in the meantime is refused.
///
/// The checks follow the order of the specification: tenant header, credentials, tenant of the credentials,
/// rate limit of the caller, scope or role. An operator key belongs to no tenant and may omit the tenant
/// header. All other callers get the error for a missing header, whatever their credentials are.
pub(crate) async fn authorize(
    State((service, permission)): State<RouteAuth>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let arrival = arrival::read_available(&parts, body).await;
    let cx = match identify(&service, permission, &parts).await {
        Ok(cx) => cx,
        Err(error) => return ApiError(error).into_response(),
    };
    let caller = CallerInfo::new(&cx.caller);
    let (mut response, quota) = match service.edge.limits.count_caller(&cx.caller, 1, cx.now).await
    {
        Err(QuotaExceeded { quota, failure }) => {
            service.metrics.count_rejection(EarlyRejection::Caller);
            (failure.into_response(), Some(quota))
        }
        Ok(quota) => {
            let admitted = match check(&cx, permission) {
                Ok(()) => receive_body(&service, permission, &parts, arrival, cx).await,
                Err(error) => Err(error),
            };
            match admitted {
                Ok((cx, body)) => {
                    let items = ItemQuota { service: service.clone(), quota: Arc::default() };
                    parts.extensions.insert(cx);
                    parts.extensions.insert(items.clone());
                    let response = next.run(Request::from_parts(parts, body)).await;
                    (response, items.last().or(quota))
                }
                Err(error) => (ApiError(error).into_response(), quota),
            }
        }
    };
    response.extensions_mut().insert(CallerInfo { quota, ..caller });
    response
}

/// Waits for the complete body. Returns it with the request context, which is checked again if the body was
/// incomplete at the first check.
async fn receive_body(
    service: &Service,
    permission: Permission,
    parts: &Parts,
    arrival: Arrival,
    cx: Cx,
) -> Result<(Cx, Body), Error> {
    let body = match arrival {
        Arrival::Complete(body) => return Ok((cx, body)),
        Arrival::Partial(body) => {
            arrival::wait(parts, body, service.edge.request_limits.body_timeout).await?
        }
    };
    if let Some(session) = parts.extensions.get::<Session>() {
        session::reload(session).await?;
    }
    let cx = identify(service, permission, parts).await?;
    check(&cx, permission)?;
    Ok((cx, body))
}

/// The quota of the caller, for requests that contain several decisions: each counts like a request of its own.
#[derive(Clone, Debug)]
pub struct ItemQuota {
    service: Service,
    /// The quota after the items were counted.
    quota: Arc<Mutex<Option<Quota>>>,
}

impl ItemQuota {
    /// Counts the items of a request, of which the first was counted with the request.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS` if the quota does not suffice for all items. Then none is counted.
    pub(crate) async fn count(&self, cx: &Cx, items: usize) -> Result<(), ApiError> {
        let items = u32::try_from(items).unwrap_or(u32::MAX);
        let further = items.saturating_sub(1);
        if further == 0 {
            return Ok(());
        }
        let counted = self.service.edge.limits.count_caller(&cx.caller, further, cx.now).await;
        let (quota, result) = match counted {
            Ok(quota) => (quota, Ok(())),
            Err(QuotaExceeded { quota, failure }) => {
                self.service.metrics.count_rejection(EarlyRejection::Caller);
                let never_fits = items > quota.limit;
                let failure = if never_fits {
                    batch_beyond_quota(items, quota.limit).into()
                } else {
                    failure
                };
                (Some(quota), Err(failure))
            }
        };
        *self.quota.lock().unwrap_or_else(PoisonError::into_inner) = quota;
        result
    }

    fn last(&self) -> Option<Quota> {
        *self.quota.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

describe_nothing!(ItemQuota);

impl<S: Sync> FromRequestParts<S> for ItemQuota {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let items = parts.extensions.get::<Self>().cloned();
        Ok(items.ok_or_else(|| Error::bug("the route has no authorization layer"))?)
    }
}

/// The caller of a response, for the log and the headers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallerInfo {
    pub(crate) tenant_id: Option<TenantId>,
    pub(crate) key_id: Option<ApiKeyId>,
    pub(crate) user_id: Option<UserId>,
    /// The remaining requests of the caller.
    pub(crate) quota: Option<Quota>,
}

impl CallerInfo {
    fn new(caller: &Caller) -> Self {
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

/// Checks that the caller has `permission`. Operator keys are accepted only by operator routes, so they pass.
fn check(cx: &Cx, permission: Permission) -> Result<(), Error> {
    match cx.caller {
        Caller::OperatorKey(_) => Ok(()),
        _ => cx.authorize(permission),
    }
}

/// Returns the request context of the caller. Operator keys are accepted only if `permission` is for
/// operators.
async fn identify(service: &Service, permission: Permission, parts: &Parts) -> Result<Cx, Error> {
    let governance = &service.governance;
    let _phase = governance.tracer().phase("authentication");
    let tenant = tenant(&parts.headers)?;
    let incoming = parts.extensions.get::<CorrelationId>().cloned();
    let correlation_id = incoming.unwrap_or_else(|| governance.correlation_id());
    let secret = bearer(&parts.headers);
    if permission == PROVISION
        && let Some(secret) = secret
        && let Some(cx) = governance.operator_key(secret, correlation_id.clone()).await?
    {
        return Ok(cx);
    }
    if tenant.is_none() && parts.extensions.get::<TenantOfKey>().is_some() {
        let secret = secret.ok_or_else(unauthorized)?;
        return governance.key_in_own_tenant(secret, correlation_id).await;
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

/// Returns the tenant of the tenant header, or `None` without a header.
pub(crate) fn tenant(headers: &HeaderMap) -> Result<Option<TenantId>, Error> {
    let mut values = headers.get_all(TENANT).iter();
    let Some(value) = values.next().filter(|value| !value.is_empty()) else { return Ok(None) };
    // Two tenant headers are ambiguous.
    let only = values.next().is_none().then_some(value);
    let parsed = only.and_then(|value| value.to_str().ok()?.parse().ok());
    parsed.map(Some).ok_or_else(|| {
        let message = "the header `X-Service-Tenant-Id` must be one UUID";
        refusal(ErrorCode::InvalidTenantId, message).into()
    })
}

/// Returns the bearer token, or `None` without an `Authorization` header. Another scheme and two headers, which are
/// ambiguous, return an empty token, which is never valid.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let first = values.next()?;
    let value = if values.next().is_some() { "" } else { first.to_str().unwrap_or_default() };
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}
