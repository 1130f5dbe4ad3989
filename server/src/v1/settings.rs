//! Governance settings of a tenant.

use contract::{
    error::ErrorBody,
    settings::{Settings, SettingsPatch},
};
use governance::authoring::settings;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Json},
    query::NoQuery,
};

/// Read the settings.
#[utoipa::path(
    get, path = "/v1/settings", tag = "settings",
    responses((status = 200, body = Settings))
)]
pub async fn read(Authorized(cx): Authorized, _: NoQuery) -> ApiResult<Json<Settings>> {
    Ok(Json(settings::read(&cx).await?))
}

/// Change settings. Absent settings keep their values.
///
/// This requires the session of an admin, or a key with `policies:write` while `human_changes_only` is off.
/// Only the session of an admin can change `human_changes_only` and `sign_in`. A change by a key, and a change by a user
/// that weakens a safeguard, creates a `governance_change` alert.
#[utoipa::path(
    patch, path = "/v1/settings", tag = "settings", request_body = SettingsPatch,
    responses(
        (status = 200, body = Settings),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: `sign_in` would exclude the sign-in of the caller", body = ErrorBody),
    )
)]
pub async fn change(
    Authorized(cx): Authorized,
    body: Body<SettingsPatch>,
) -> ApiResult<Json<Settings>> {
    Ok(Json(settings::change(&cx, body.value, None, None).await?))
}
