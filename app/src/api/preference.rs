//! Preferences stored in a browser cookie: the theme, and whether single-letter shortcuts are on.

use leptos::prelude::server;
use serde::{Deserialize, Serialize};

use super::codec::JsonCodec;
use crate::problem::Problem;

/// A preference, named after its cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Preference {
    /// `light`, `dark`, or `system` for the setting of the device.
    Theme,
    /// `on` or `off`.
    Keys,
}

impl Preference {
    /// Returns the name of the cookie.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Theme => "theme",
            Self::Keys => "keys",
        }
    }

    /// Returns the allowed values; the first is the default.
    pub(crate) const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Theme => &["system", "light", "dark"],
            Self::Keys => &["on", "off"],
        }
    }
}

/// Stores a preference in this browser and redirects to the current page.
#[server(prefix = "/console", endpoint = "prefer", output = JsonCodec)]
pub(crate) async fn prefer(name: Preference, value: String) -> Result<(), Problem> {
    use super::request;
    if name.values().contains(&value.as_str()) {
        request::set_preference(name, &value);
    }
    request::redirect(&request::current_page());
    Ok(())
}

/// Returns the value of a preference in the current request, or `None` for the default.
#[cfg(feature = "ssr")]
pub(crate) fn of(name: Preference) -> Option<String> {
    let value = super::request::preference(name)?;
    let values = name.values().iter().skip(1);
    values.copied().find(|known| *known == value).map(str::to_owned)
}
