//! What a browser remembers about its reader: the theme, and whether single letters are shortcuts.

use leptos::prelude::server;
use serde::{Deserialize, Serialize};

use super::codec::Answer;
use crate::problem::Problem;

/// A preference, by the name of its cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Preference {
    /// `light`, `dark`, or `system` as the device has it.
    Theme,
    /// `on` or `off`.
    Keys,
}

impl Preference {
    /// The name of the cookie.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Theme => "theme",
            Self::Keys => "keys",
        }
    }

    /// The values that it can have; the first is what holds until one is chosen.
    pub(crate) const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Theme => &["system", "light", "dark"],
            Self::Keys => &["on", "off"],
        }
    }
}

/// Remembers a preference in this browser and leads back to the page.
#[server(prefix = "/console", endpoint = "prefer", output = Answer)]
pub(crate) async fn prefer(name: Preference, value: String) -> Result<(), Problem> {
    use super::ssr;
    if name.values().contains(&value.as_str()) {
        ssr::set_preference(name, &value);
    }
    ssr::go(&ssr::page());
    Ok(())
}

/// The value of a preference in the request at hand; absent while the first one holds.
#[cfg(feature = "ssr")]
pub(crate) fn of(name: Preference) -> Option<String> {
    let value = super::ssr::preference(name)?;
    let values = name.values().iter().skip(1);
    values.copied().find(|known| *known == value).map(str::to_owned)
}
