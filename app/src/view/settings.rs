//! A tenant's governance settings, and the preview of a change.

use std::str::FromStr;

use contract::{
    id::{PolicyId, TenantId},
    settings::{Settings, SettingsPatch},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::flash::RejectedForm;
use crate::{
    problem::{Problem, UNREADABLE},
    text::messages,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// Whether a version must be ratified by a user who is not one of its makers.
    MakerCheckerEnabled,
    /// Whether ratification requires an accepted review.
    ReviewRequired,
    PublicReceiptRedaction,
    /// Whether bundles contain the context.
    BundleIncludeContext,
    /// The minimum severity that creates an alert.
    AlertMinSeverity,
    /// Whether API keys are rejected for changes of verdicts and safeguards.
    HumanChangesOnly,
}

impl Setting {
    /// All settings, in the order of the page.
    pub const ALL: [Self; 6] = [
        Self::MakerCheckerEnabled,
        Self::ReviewRequired,
        Self::HumanChangesOnly,
        Self::PublicReceiptRedaction,
        Self::BundleIncludeContext,
        Self::AlertMinSeverity,
    ];

    /// Returns the name on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => "maker_checker_enabled",
            Self::ReviewRequired => "review_required",
            Self::PublicReceiptRedaction => "public_receipt_redaction",
            Self::BundleIncludeContext => "bundle_include_context",
            Self::AlertMinSeverity => "alert_min_severity",
            Self::HumanChangesOnly => "human_changes_only",
        }
    }

    /// Returns its value, as on the wire.
    pub fn value(self, settings: &Settings) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => switch(settings.maker_checker_enabled),
            Self::ReviewRequired => switch(settings.review_required),
            Self::PublicReceiptRedaction => settings.public_receipt_redaction.as_str(),
            Self::BundleIncludeContext => switch(settings.bundle_include_context),
            Self::AlertMinSeverity => settings.alert_min_severity.as_str(),
            Self::HumanChangesOnly => switch(settings.human_changes_only),
        }
    }

    /// Returns a change of only this setting, or `None` for an invalid value.
    pub fn patch(self, value: &str) -> Option<SettingsPatch> {
        let mut patch = SettingsPatch::default();
        match self {
            Self::MakerCheckerEnabled => patch.maker_checker_enabled = Some(value.parse().ok()?),
            Self::ReviewRequired => patch.review_required = Some(value.parse().ok()?),
            Self::PublicReceiptRedaction => {
                patch.public_receipt_redaction = Some(value.parse().ok()?);
            }
            Self::BundleIncludeContext => patch.bundle_include_context = Some(value.parse().ok()?),
            Self::AlertMinSeverity => patch.alert_min_severity = Some(value.parse().ok()?),
            Self::HumanChangesOnly => patch.human_changes_only = Some(value.parse().ok()?),
        }
        Some(patch)
    }

    /// Returns whether `value` turns maker-checker off.
    pub fn ends_maker_checker(self, value: &str) -> bool {
        self == Self::MakerCheckerEnabled && value == switch(false)
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => "Maker-checker",
            Self::ReviewRequired => "Review before ratification",
            Self::PublicReceiptRedaction => "Redacted in public receipts",
            Self::BundleIncludeContext => "Context in bundles",
            Self::AlertMinSeverity => "Alerts from severity",
            Self::HumanChangesOnly => "Changes by people only",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => {
                "A version must be ratified by a person who neither wrote nor submitted it."
            }
            Self::ReviewRequired => "A version is ratified only after a reviewer has accepted it.",
            Self::PublicReceiptRedaction => "Data hidden from public receipts.",
            Self::BundleIncludeContext => "Whether bundles include the context of a decision.",
            Self::AlertMinSeverity => "Minimum severity that creates an alert.",
            Self::HumanChangesOnly => {
                "API keys cannot change settings, reject versions, deactivate policies, or change how an \
                 active policy or its group decides."
            }
        }
    }

    /// Returns the values of a setting, with their names.
    pub fn choices(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::MakerCheckerEnabled
            | Self::ReviewRequired
            | Self::BundleIncludeContext
            | Self::HumanChangesOnly => &[("true", "On"), ("false", "Off")],
            Self::PublicReceiptRedaction => &[("none", "Nothing"), ("values", "Values")],
            Self::AlertMinSeverity => {
                &[("low", "Low"), ("medium", "Medium"), ("high", "High"), ("critical", "Critical")]
            }
        }
    }

    pub fn choice_label(self, value: &str) -> String {
        let known = self.choices().iter().find(|(wire, _)| *wire == value);
        known.map_or(value, |(_, word)| word).to_owned()
    }
}

const fn switch(is_on: bool) -> &'static str {
    if is_on { "true" } else { "false" }
}

impl FromStr for Setting {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|setting| setting.word() == text).ok_or(())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingsPage {
    pub values: Vec<(Setting, String)>,
    /// The user who made the last change, and the time.
    pub updated: Option<(Option<String>, Timestamp)>,
    pub change: Option<Change>,
    /// Why the change was rejected, and the entered reason.
    pub rejected: Option<RejectedForm>,
}

/// The preview of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub setting: Setting,
    pub before: String,
    pub after: String,
    /// The versions that wait for a ratifier, if the change turns maker-checker off.
    pub waiting: Vec<Waiting>,
}

/// A version that waits for a ratifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub policy: PolicyId,
    /// The policy's name.
    pub name: String,
    pub version: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangeForm {
    pub tenant: TenantId,
    pub setting: Setting,
    /// The value that the user has seen.
    pub before: String,
    pub value: String,
    #[serde(default)]
    pub reason: String,
}

impl ChangeForm {
    /// Returns the change and its reason.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` for an invalid value or a missing reason.
    pub fn patch(&self) -> Result<(SettingsPatch, &str), Problem> {
        let reason = self.reason.trim();
        let patch = self.setting.patch(&self.value);
        let patch = patch.filter(|_| (1..=500).contains(&reason.chars().count()));
        patch
            .map(|patch| (patch, reason))
            .ok_or_else(|| Problem::of_form(messages::settings::NO_REASON))
    }

    /// Returns the value that the user has seen.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` for an invalid value.
    pub fn read(&self) -> Result<SettingsPatch, Problem> {
        self.setting.patch(&self.before).ok_or_else(|| Problem::of_form(UNREADABLE))
    }
}

#[cfg(test)]
mod tests {
    use contract::{receipt::Redaction, rule::Severity};

    use super::*;

    const SETTINGS: Settings = Settings {
        maker_checker_enabled: true,
        review_required: false,
        public_receipt_redaction: Redaction::Values,
        bundle_include_context: false,
        alert_min_severity: Severity::High,
        human_changes_only: false,
        updated_at: None,
        updated_by: None,
    };

    #[test]
    fn a_setting_patch_changes_only_that_setting() {
        for setting in Setting::ALL {
            assert_eq!(setting.word().parse(), Ok(setting));
            let patch = setting.patch(setting.value(&SETTINGS)).unwrap();
            let changed = [
                patch.maker_checker_enabled.is_some(),
                patch.review_required.is_some(),
                patch.human_changes_only.is_some(),
                patch.public_receipt_redaction.is_some(),
                patch.bundle_include_context.is_some(),
                patch.alert_min_severity.is_some(),
            ];
            let expected = Setting::ALL.map(|other| other == setting);
            assert_eq!(changed, expected, "{setting:?}");
            assert_eq!(setting.patch("perhaps"), None, "{setting:?}");
        }
    }

    #[test]
    fn only_disabling_maker_checker_ends_maker_checker() {
        assert!(Setting::MakerCheckerEnabled.ends_maker_checker("false"));
        assert!(!Setting::MakerCheckerEnabled.ends_maker_checker("true"));
        assert!(!Setting::ReviewRequired.ends_maker_checker("false"));
    }
}
