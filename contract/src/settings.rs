//! A tenant's governance switches.

use serde::{Deserialize, Serialize};

use crate::{receipt::Redaction, rule::Severity, time::Timestamp};

/// The settings of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    /// When they last changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub updated_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub updated_by: Option<String>,
}
