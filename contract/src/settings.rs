//! The governance settings of a tenant.

use serde::{Deserialize, Serialize};

use crate::{read::FromJson, receipt::Redaction, rule::Severity, time::Timestamp};

string_enum! {
    /// The way a user signed in.
    pub enum SignInMethod {
        /// An email address and a password.
        Password = "password",
        /// An identity provider of the tenant.
        Oidc = "oidc",
    }
}

string_enum! {
    /// The sign-ins that give access to a tenant.
    pub enum SignInPolicy {
        /// Passwords and the identity providers of the tenant.
        Any = "any",
        /// Only passwords.
        Password = "password",
        /// Only the identity providers of the tenant.
        Oidc = "oidc",
    }
}

impl SignInPolicy {
    /// Returns whether a sign-in with `method` gives access to the tenant.
    pub const fn permits(self, method: SignInMethod) -> bool {
        match self {
            Self::Any => true,
            Self::Password => matches!(method, SignInMethod::Password),
            Self::Oidc => matches!(method, SignInMethod::Oidc),
        }
    }
}

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
    /// The sign-ins that give access to the tenant.
    pub sign_in: SignInPolicy,
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
    /// The sign-ins that give access to the tenant. Only a session of an admin can change this setting. It can be
    /// set to a value that excludes its own sign-in only on the command line.
    pub sign_in: Option<SignInPolicy>,
}
