//! The governance settings of a tenant.

use serde::{Deserialize, Serialize};

use crate::{read::FromJson, receipt::Redaction, rule::Severity, time::Timestamp};

/// The settings of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(clippy::struct_excessive_bools, reason = "settings do not depend on each other")]
pub struct Settings {
    /// Whether a version must be ratified by a person who did not help create it.
    pub maker_checker_enabled: bool,
    /// Whether ratification requires an accepted review.
    pub review_required: bool,
    /// The redaction of public receipts.
    pub public_receipt_redaction: Redaction,
    /// Whether bundles contain the context.
    pub bundle_include_context: bool,
    /// The minimum severity that creates an alert.
    pub alert_min_severity: Severity,
    /// Whether API keys are rejected for changes that affect verdicts or safeguards.
    pub human_changes_only: bool,
    /// The time of the last change.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub updated_at: Option<Timestamp>,
    /// The ID of the user or API key that made the last change.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub updated_by: Option<String>,
}

/// The body of `PATCH /v1/settings`. Absent members are unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[json(nulls)]
pub struct SettingsPatch {
    /// Whether a version must be ratified by a person who did not help create it.
    pub maker_checker_enabled: Option<bool>,
    /// Whether ratification requires an accepted review.
    pub review_required: Option<bool>,
    /// The redaction of public receipts.
    pub public_receipt_redaction: Option<Redaction>,
    /// Whether bundles contain the context.
    pub bundle_include_context: Option<bool>,
    /// The minimum severity that creates an alert.
    pub alert_min_severity: Option<Severity>,
    /// Whether API keys are rejected for changes that affect verdicts or safeguards. Only a session of an
    /// admin can change this setting.
    pub human_changes_only: Option<bool>,
}
