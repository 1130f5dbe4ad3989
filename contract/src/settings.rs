//! A tenant's governance switches.

use serde::{Deserialize, Serialize};

use crate::{
    json::Value,
    read::{At, Errors, Members, Read, boolean, word},
    receipt::Redaction,
    rule::Severity,
    time::Timestamp,
};

/// The settings of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(clippy::struct_excessive_bools, reason = "settings do not depend on each other")]
pub struct Settings {
    /// Whether a version needs a ratifier who had no part in making it.
    pub maker_checker_enabled: bool,
    /// Whether ratification needs an accepted review.
    pub review_required: bool,
    /// What public receipts leave out.
    pub public_receipt_redaction: Redaction,
    /// Whether bundles hold the context.
    pub bundle_include_context: bool,
    /// The mildest severity that raises an alert.
    pub alert_min_severity: Severity,
    /// Whether API keys are refused changes of verdicts and safeguards.
    pub human_changes_only: bool,
    /// When they last changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub updated_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub updated_by: Option<String>,
}

/// The body of `PATCH /v1/settings`: what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettingsPatch {
    /// Whether a version needs a ratifier who had no part in making it.
    pub maker_checker_enabled: Option<bool>,
    /// Whether ratification needs an accepted review.
    pub review_required: Option<bool>,
    /// What public receipts leave out.
    pub public_receipt_redaction: Option<Redaction>,
    /// Whether bundles hold the context.
    pub bundle_include_context: Option<bool>,
    /// The mildest severity that raises an alert.
    pub alert_min_severity: Option<Severity>,
    /// Whether API keys are refused changes of verdicts and safeguards. Only an admin's session
    /// changes it.
    pub human_changes_only: Option<bool>,
}

impl Read for SettingsPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        let patch = Self {
            maker_checker_enabled: members.optional("maker_checker_enabled", boolean),
            review_required: members.optional("review_required", boolean),
            public_receipt_redaction: members
                .optional("public_receipt_redaction", word(&Redaction::WORDS)),
            bundle_include_context: members.optional("bundle_include_context", boolean),
            alert_min_severity: members.optional("alert_min_severity", word(&Severity::WORDS)),
            human_changes_only: members.optional("human_changes_only", boolean),
        };
        members.finish()?;
        Some(patch)
    }
}
