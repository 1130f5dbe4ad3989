//! Governance settings of a tenant.

use contract::settings::{Settings, SettingsPatch};
use governance::authoring::settings;

use crate::edge::{Authorized, Body, Json, JsonResult};

/// Read the settings.
#[get("/v1/settings", READ_SETTINGS)]
async fn read(cx: Authorized) -> JsonResult<Settings> {
    Ok(Json(settings::read(&cx).await?))
}

/// Change settings. Absent settings keep their values.
///
/// This requires the session of an admin, or a key with `policies:write` while `human_changes_only` is off.
/// Only the session of an admin can change `human_changes_only` and `sign_in`. A change by a key, and a change by a user
/// that weakens a safeguard, creates a `governance_change` alert.
#[patch(
    "/v1/settings", CHANGE_SETTINGS, audit = "settings.update",
    example = {"alert_min_severity": "high"},
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    409 = "`CONFLICT`: `sign_in` would exclude the sign-in of the caller",
)]
async fn change(cx: Authorized, body: Body<SettingsPatch>) -> JsonResult<Settings> {
    Ok(Json(settings::change(&cx, body.value, None, None).await?))
}
