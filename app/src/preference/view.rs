//! The preferences of a browser: theme, density, width of the navigation, and single-letter shortcuts.

use serde::{Deserialize, Serialize};

contract::named_enum! {
    /// A preference, named after its cookie.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Preference {
        /// `light`, `dark`, or `system` for the setting of the device.
        Theme = "theme",
        /// `compact` for lower rows.
        Density = "density",
        /// `rail` for navigation with icons only.
        Nav = "nav",
        /// `on` or `off`.
        Keys = "keys",
    }
}

impl Preference {
    /// Returns the allowed values; the first is the default.
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Theme => &["system", "light", "dark"],
            Self::Density => &["comfortable", "compact"],
            Self::Nav => &["full", "rail"],
            Self::Keys => &["on", "off"],
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Theme => "Theme",
            Self::Density => "Density",
            Self::Nav => "Navigation",
            Self::Keys => "Single-key shortcuts",
        }
    }

    pub fn value_label(self, value: &str) -> &'static str {
        match (self, value) {
            (Self::Theme, "light") => "Light",
            (Self::Theme, "dark") => "Dark",
            (Self::Theme, _) => "System",
            (Self::Density, "compact") => "Compact",
            (Self::Density, _) => "Comfortable",
            (Self::Nav, "rail") => "Narrow navigation",
            (Self::Nav, _) => "Widen navigation",
            (Self::Keys, "off") => "Off",
            (Self::Keys, _) => "On",
        }
    }
}
