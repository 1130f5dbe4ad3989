//! The governance settings of a tenant.

use crate::{receipt::Redaction, rule::Severity, time::Timestamp};

string_enum! {
    /// The way a user authenticated.
    pub enum AuthMethod {
        /// An email address and a password.
        Password = "password",
        /// A password, and a one-time code of an authenticator app.
        PasswordTotp = "password+totp",
        /// A password and a passkey.
        PasswordPasskey = "password+passkey",
        /// A password and a recovery code.
        PasswordRecoveryCode = "password+recovery_code",
        /// A passkey that verified its user, without a password.
        Passkey = "passkey",
        /// An identity provider of the tenant.
        Oidc = "oidc",
    }
}

impl AuthMethod {
    /// Returns whether the method satisfies the setting `second_factor_required`. An identity provider is responsible for
    /// the factors of its users.
    pub const fn has_second_factor(self) -> bool {
        !matches!(self, Self::Password)
    }
}

string_enum! {
    /// The sign-ins that give access to a tenant.
    pub enum SignInPolicy {
        /// Passwords, passkeys and the identity providers of the tenant.
        Any = "any",
        /// Only passwords, with or without a second factor.
        Password = "password",
        /// Only the identity providers of the tenant.
        Oidc = "oidc",
        /// Only passkeys, alone or after a password.
        Passkey = "passkey",
    }
}

impl SignInPolicy {
    /// Returns whether a sign-in with `method` gives access to the tenant.
    pub const fn permits(self, method: AuthMethod) -> bool {
        match self {
            Self::Any => true,
            Self::Password => !matches!(method, AuthMethod::Passkey | AuthMethod::Oidc),
            Self::Oidc => matches!(method, AuthMethod::Oidc),
            Self::Passkey => matches!(method, AuthMethod::Passkey | AuthMethod::PasswordPasskey),
        }
    }
}

/// The settings of a tenant.
#[wire(Eq)]
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
    /// Whether only sessions with a second factor have access. Sessions of an identity provider have access.
    pub second_factor_required: bool,
    /// The time of the last change.
    pub updated_at: Option<Timestamp>,
    /// The ID of the user or API key that made the last change.
    pub updated_by: Option<String>,
}

/// The body of `PATCH /v1/settings`. Absent members are unchanged.
#[body(Default, Eq)]
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
    /// Whether only sessions with a second factor have access. Only a session of an admin can change this setting, and
    /// only a session with a second factor can turn it on.
    pub second_factor_required: Option<bool>,
}
