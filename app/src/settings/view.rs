//! A tenant's governance settings, their changes, and the preview of a change.

use std::str::FromStr;

use contract::{
    api_key::ApiKey,
    audit::AuditItem,
    id::{PolicyId, TenantId},
    json::Value,
    rule::Severity,
    settings::{Settings, SettingsPatch},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{
    audit::actor_name,
    flash::RejectedForm,
    member::names::Names,
    problem::{Problem, UNREADABLE},
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
    /// The sign-ins that give access to the tenant.
    SignIn,
    /// Whether only sessions with a second factor have access.
    SecondFactorRequired,
}

impl Setting {
    /// All settings, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::MakerCheckerEnabled,
        Self::ReviewRequired,
        Self::HumanChangesOnly,
        Self::SignIn,
        Self::SecondFactorRequired,
        Self::PublicReceiptRedaction,
        Self::BundleIncludeContext,
        Self::AlertMinSeverity,
    ];

    /// Returns the section of the page that contains the setting.
    pub const fn section(self) -> Section {
        match self {
            Self::MakerCheckerEnabled
            | Self::ReviewRequired
            | Self::HumanChangesOnly
            | Self::SignIn
            | Self::SecondFactorRequired => Section::Governance,
            Self::PublicReceiptRedaction | Self::BundleIncludeContext => {
                Section::ReceiptsAndBundles
            }
            Self::AlertMinSeverity => Section::Alerts,
        }
    }

    /// Returns the name on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => "maker_checker_enabled",
            Self::ReviewRequired => "review_required",
            Self::PublicReceiptRedaction => "public_receipt_redaction",
            Self::BundleIncludeContext => "bundle_include_context",
            Self::AlertMinSeverity => "alert_min_severity",
            Self::HumanChangesOnly => "human_changes_only",
            Self::SignIn => "sign_in",
            Self::SecondFactorRequired => "second_factor_required",
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
            Self::SignIn => settings.sign_in.as_str(),
            Self::SecondFactorRequired => switch(settings.second_factor_required),
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
            Self::SignIn => patch.sign_in = Some(value.parse().ok()?),
            Self::SecondFactorRequired => patch.second_factor_required = Some(value.parse().ok()?),
        }
        Some(patch)
    }

    /// Returns the consequence of weakening the setting.
    pub fn weakening(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => words::MAKER_CHECKER_OFF,
            Self::ReviewRequired => words::REVIEW_OFF,
            Self::HumanChangesOnly => words::HUMAN_CHANGES_OFF,
            Self::SignIn => words::MORE_SIGN_INS,
            Self::SecondFactorRequired => words::PASSWORD_ENOUGH,
            Self::PublicReceiptRedaction => words::REDACTION_OFF,
            Self::AlertMinSeverity => words::FEWER_ALERTS,
            // Not a safeguard.
            Self::BundleIncludeContext => "",
        }
    }

    /// Returns the number of versions that the setting protects now, or `None` if it protects no versions.
    pub fn waiting(self, versions: usize) -> Option<String> {
        let step = match self {
            Self::MakerCheckerEnabled => "ratification",
            Self::ReviewRequired => "review",
            _ => return None,
        };
        Some(words::waiting(step, versions))
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::MakerCheckerEnabled => "Maker-checker",
            Self::ReviewRequired => "Review before ratification",
            Self::PublicReceiptRedaction => "Redacted in public receipts",
            Self::BundleIncludeContext => "Context in bundles",
            Self::AlertMinSeverity => "Alerts from severity",
            Self::HumanChangesOnly => "Changes by people only",
            Self::SignIn => "Sign-in",
            Self::SecondFactorRequired => "Second factor",
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
            Self::SignIn => "How a member must sign in to work in this organization.",
            Self::SecondFactorRequired => {
                "Members need a passkey or an authenticator app, in addition to a password. Members without one \
                 add it before they continue. An identity provider checks the factors of its users itself."
            }
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
            | Self::HumanChangesOnly
            | Self::SecondFactorRequired => &[("true", "On"), ("false", "Off")],
            Self::PublicReceiptRedaction => &[("none", "Nothing"), ("values", "Values")],
            Self::SignIn => &[
                ("any", "Any"),
                ("password", "Password"),
                ("passkey", "Passkey"),
                ("oidc", "Identity provider"),
            ],
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

/// A section of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Governance,
    ReceiptsAndBundles,
    Alerts,
}

impl Section {
    pub const ALL: [Self; 3] = [Self::Governance, Self::ReceiptsAndBundles, Self::Alerts];

    pub const fn label(self) -> &'static str {
        match self {
            Self::Governance => "Governance",
            Self::ReceiptsAndBundles => "Receipts and bundles",
            Self::Alerts => "Alerts",
        }
    }

    /// Returns the ID of the section in the document.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Governance => "governance",
            Self::ReceiptsAndBundles => "receipts",
            Self::Alerts => "alerts",
        }
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
    /// What enabled safeguards do for versions that wait now, as sentences.
    pub notes: Vec<(Setting, String)>,
    /// The newest changes, newest first.
    pub history: Vec<SettingChange>,
    /// Whether there are older changes.
    pub has_older_changes: bool,
    pub change: Option<Change>,
    /// Why the change was rejected, and the entered reason.
    pub rejected: Option<RejectedForm>,
}

impl SettingsPage {
    /// Returns the last change of a setting.
    pub fn last_change(&self, setting: Setting) -> Option<&SettingChange> {
        self.history.iter().find(|change| change.setting == setting)
    }
}

/// A change of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingChange {
    pub setting: Setting,
    pub before: String,
    pub after: String,
    /// The name of the user or API key.
    pub by: String,
    pub at: Timestamp,
    /// The digest of the reason; absent if the change has no reason.
    pub reason_digest: Option<String>,
}

impl SettingChange {
    /// Returns the changes of an event, one per changed setting.
    pub fn of_event(item: &AuditItem, names: &Names) -> Vec<Self> {
        let text =
            |value: &Value| value.as_str().map_or_else(|| value.to_canonical(), str::to_owned);
        let reason_digest = item.details.get("reason_digest").map(text);
        let change = |setting: Setting| {
            let values = item.details.get(setting.word())?;
            Some(Self {
                setting,
                before: text(values.get("before")?),
                after: text(values.get("after")?),
                by: actor_name(item, names),
                at: item.occurred_at,
                reason_digest: reason_digest.clone(),
            })
        };
        Setting::ALL.into_iter().filter_map(change).collect()
    }
}

/// The preview of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub setting: Setting,
    pub before: String,
    pub after: String,
    /// The severity of the alert that the change creates; absent unless it weakens a safeguard.
    pub alert: Option<Severity>,
    /// The versions that the weakened safeguard protects now.
    pub waiting: Vec<Waiting>,
    /// The API keys that the setting restricts.
    pub keys: Vec<ApiKey>,
}

/// A version that waits for a review or a ratification.
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
        patch.map(|patch| (patch, reason)).ok_or_else(|| Problem::of_form(words::NO_REASON))
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
            assert_eq!(setting.word().parse(), Ok(setting));
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

    #[test]
    fn an_event_has_a_change_for_each_setting() {
        let event = r#"{"action": "settings.update", "actor": {"id": "1", "type": "human"},
            "details": {"alert_min_severity": {"after": "high", "before": "low"},
                "maker_checker_enabled": {"after": false, "before": true}, "reason_digest": "d1"},
            "event": {}, "event_id": "6b2f5e34-6f0f-4f0e-9a54-0f3a4a1c8d11", "hash": "",
            "object": {"id": "2", "type": "settings"}, "occurred_at": "2026-11-20T10:00:00.000Z",
            "seq": 1}"#;
        let event: AuditItem = serde_json::from_str(event).unwrap();
        let names = Names::from([("1".to_owned(), "I. Roy".to_owned())]);
        let changes = SettingChange::of_event(&event, &names);
        let texts = changes.iter().map(|change| {
            let words =
                [&change.before, &change.after].map(|value| change.setting.choice_label(value));
            (change.setting.label(), words.join(" to "), &*change.by)
        });
        let expected = [
            ("Maker-checker", "On to Off".to_owned(), "I. Roy"),
            ("Alerts from severity", "Low to High".to_owned(), "I. Roy"),
        ];
        assert_eq!(texts.collect::<Vec<_>>(), expected);
        assert_eq!(changes[0].reason_digest.as_deref(), Some("d1"));
    }
}
