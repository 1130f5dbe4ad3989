//! The governance settings of a tenant: their names, values and texts.

use contract::{
    json::{Object, Value},
    read,
    settings::{Settings, SettingsPatch},
};
use serde::{Deserialize, Serialize};

contract::named_enum! {
    /// A setting, in the order of the page. Its name is the one on the wire.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Setting {
        /// Whether a version must be ratified by a user who is not one of its makers.
        MakerCheckerEnabled = "maker_checker_enabled",
        /// Whether ratification requires an accepted review.
        ReviewRequired = "review_required",
        /// Whether API keys are rejected for changes of verdicts and safeguards.
        HumanChangesOnly = "human_changes_only",
        /// The sign-ins that give access to the tenant.
        SignIn = "sign_in",
        /// Whether only sessions with a second factor have access.
        SecondFactorRequired = "second_factor_required",
        PublicReceiptRedaction = "public_receipt_redaction",
        /// Whether bundles contain the context.
        BundleIncludeContext = "bundle_include_context",
        /// The minimum severity that creates an alert.
        AlertMinSeverity = "alert_min_severity",
    }
}

/// The sections of the page: their IDs in the document, and their titles.
pub const SECTIONS: [(&str, &str); 3] =
    [("governance", "Governance"), ("receipts", "Receipts and bundles"), ("alerts", "Alerts")];

impl Setting {
    /// Returns the ID of the section that contains the setting.
    pub const fn section(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled
            | Self::ReviewRequired
            | Self::HumanChangesOnly
            | Self::SignIn
            | Self::SecondFactorRequired => "governance",
            Self::PublicReceiptRedaction | Self::BundleIncludeContext => "receipts",
            Self::AlertMinSeverity => "alerts",
        }
    }

    /// Returns its value, as on the wire.
    pub fn value(self, settings: &Settings) -> &'static str {
        let switch = |is_on| if is_on { "true" } else { "false" };
        match self {
            Self::MakerCheckerEnabled => switch(settings.maker_checker_enabled),
            Self::ReviewRequired => switch(settings.review_required),
            Self::HumanChangesOnly => switch(settings.human_changes_only),
            Self::SignIn => settings.sign_in.as_str(),
            Self::SecondFactorRequired => switch(settings.second_factor_required),
            Self::PublicReceiptRedaction => settings.public_receipt_redaction.as_str(),
            Self::BundleIncludeContext => switch(settings.bundle_include_context),
            Self::AlertMinSeverity => settings.alert_min_severity.as_str(),
        }
    }

    /// Returns a change of only this setting, or `None` for an invalid value.
    pub fn patch(self, value: &str) -> Option<SettingsPatch> {
        let value = value.parse::<bool>().map_or_else(|_| value.into(), Value::from);
        read::body(&Object::from([(self.as_str(), value)]).into()).ok()
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => "Maker-checker",
            Self::ReviewRequired => "Review before ratification",
            Self::HumanChangesOnly => "Changes by people only",
            Self::SignIn => "Sign-in",
            Self::SecondFactorRequired => "Second factor",
            Self::PublicReceiptRedaction => "Redacted in public receipts",
            Self::BundleIncludeContext => "Context in bundles",
            Self::AlertMinSeverity => "Alerts from severity",
        }
    }

    pub const fn description(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => {
                "A version must be ratified by a person who neither wrote nor submitted it."
            }
            Self::ReviewRequired => "A version is ratified only after a reviewer has accepted it.",
            Self::HumanChangesOnly => {
                "API keys cannot change settings, reject versions, deactivate policies, or change how an \
                 active policy or its group decides."
            }
            Self::SignIn => "How a member must sign in to work in this organization.",
            Self::SecondFactorRequired => {
                "Members need a passkey or an authenticator app, in addition to a password. Members without one \
                 add it before they continue. An identity provider checks the factors of its users itself."
            }
            Self::PublicReceiptRedaction => "Data hidden from public receipts.",
            Self::BundleIncludeContext => "Whether bundles include the context of a decision.",
            Self::AlertMinSeverity => "Minimum severity that creates an alert.",
        }
    }

    /// Returns the consequence of weakening the setting.
    pub const fn weakening(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => "Authors will be able to ratify their own versions.",
            Self::ReviewRequired => "Versions can be ratified without a review.",
            Self::HumanChangesOnly => {
                "API keys will be able to make changes that affect verdicts and safeguards."
            }
            Self::SignIn => "Other sign-ins will give access to this organization.",
            Self::SecondFactorRequired => "A password alone will give access to this organization.",
            Self::PublicReceiptRedaction => "Public receipts will show values.",
            Self::AlertMinSeverity => "Violations of a lower severity will create no alerts.",
            // Not a safeguard.
            Self::BundleIncludeContext => "",
        }
    }

    /// Returns the values of a setting, with their names.
    pub const fn choices(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::MakerCheckerEnabled
            | Self::ReviewRequired
            | Self::HumanChangesOnly
            | Self::SecondFactorRequired
            | Self::BundleIncludeContext => &[("true", "On"), ("false", "Off")],
            Self::SignIn => &[
                ("any", "Any"),
                ("password", "Password"),
                ("passkey", "Passkey"),
                ("oidc", "Identity provider"),
            ],
            Self::PublicReceiptRedaction => &[("none", "Nothing"), ("values", "Values")],
            Self::AlertMinSeverity => {
                &[("low", "Low"), ("medium", "Medium"), ("high", "High"), ("critical", "Critical")]
            }
        }
    }

    pub fn choice_label(self, value: &str) -> String {
        let known = self.choices().iter().find(|(wire, _)| *wire == value);
        known.map_or(value, |(_, label)| label).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use contract::{receipt::Redaction, rule::Severity, settings::SignInPolicy};

    use super::*;

    const SETTINGS: Settings = Settings {
        maker_checker_enabled: true,
        review_required: false,
        public_receipt_redaction: Redaction::Values,
        bundle_include_context: false,
        alert_min_severity: Severity::High,
        human_changes_only: false,
        sign_in: SignInPolicy::Any,
        second_factor_required: false,
        updated_at: None,
        updated_by: None,
    };

    #[test]
    fn a_setting_patch_changes_only_that_setting() {
        for setting in Setting::ALL {
            let patch = setting.patch(setting.value(&SETTINGS)).unwrap();
            let changed = [
                patch.maker_checker_enabled.is_some(),
                patch.review_required.is_some(),
                patch.human_changes_only.is_some(),
                patch.sign_in.is_some(),
                patch.second_factor_required.is_some(),
                patch.public_receipt_redaction.is_some(),
                patch.bundle_include_context.is_some(),
                patch.alert_min_severity.is_some(),
            ];
            let expected = Setting::ALL.map(|other| other == setting);
            assert_eq!(changed, expected, "{setting:?}");
            assert_eq!(setting.patch("perhaps"), None, "{setting:?}");
        }
    }
}
