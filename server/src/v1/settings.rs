//! A tenant's governance settings.

use contract::{
    error::ErrorBody,
    settings::{Settings, SettingsPatch},
};
use governance::settings;

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Query},
};

/// Read the settings.
#[utoipa::path(
    get, path = "/v1/settings", tag = "settings",
    responses((status = 200, body = Settings))
)]
pub async fn read(Api(cx): Api, query: Query) -> Reply<Json<Settings>> {
    query.finish()?;
    Ok(Json(settings::read(&cx).await?))
}

/// Change settings; what is absent stays.
///
/// For an admin's session, or a key with `policies:write` unless `human_changes_only` is on; only an
/// admin's session changes `human_changes_only`. A change by a key, and a change by a person that weakens
/// a safeguard, raises a `governance_change` alert.
#[utoipa::path(
    patch, path = "/v1/settings", tag = "settings", request_body = SettingsPatch,
    responses(
        (status = 200, body = Settings),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn change(Api(cx): Api, body: Body<SettingsPatch>) -> Reply<Json<Settings>> {
    Ok(Json(settings::change(&cx, body.read, None, None).await?))
}
