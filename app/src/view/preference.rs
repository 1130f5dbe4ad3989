//! The preferences of a browser: the theme, and whether single-letter shortcuts are on.

use serde::{Deserialize, Serialize};

/// A preference, named after its cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preference {
    /// `light`, `dark`, or `system` for the setting of the device.
    Theme,
    /// `on` or `off`.
    Keys,
}

impl Preference {
    /// Returns the name of the cookie.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Theme => "theme",
            Self::Keys => "keys",
        }
    }

    /// Returns the allowed values; the first is the default.
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Theme => &["system", "light", "dark"],
            Self::Keys => &["on", "off"],
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Theme => "Theme",
            Self::Keys => "Single-key shortcuts",
        }
    }

    pub fn value_label(self, value: &str) -> &'static str {
        match (self, value) {
            (Self::Theme, "light") => "Light",
            (Self::Theme, "dark") => "Dark",
            (Self::Theme, _) => "System",
            (Self::Keys, "off") => "Off",
            (Self::Keys, _) => "On",
        }
    }
}
