//! The preferences of a browser: theme, density, width of the navigation, and single-letter shortcuts. Cookies store them.

use page_kit::prelude::*;

contract::named_enum! {
    /// A preference, named after its cookie.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Preference {
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
    /// Returns the label, and the values with their labels. The first value is the default.
    const fn texts(self) -> (&'static str, &'static [(&'static str, &'static str)]) {
        match self {
            Self::Theme => ("Theme", &[("system", "System"), ("light", "Light"), ("dark", "Dark")]),
            Self::Density => ("Density", &[("comfortable", "Comfortable"), ("compact", "Compact")]),
            Self::Nav => {
                ("Navigation", &[("full", "Widen navigation"), ("rail", "Narrow navigation")])
            }
            Self::Keys => ("Single-key shortcuts", &[("on", "On"), ("off", "Off")]),
        }
    }

    /// Returns the allowed values with their labels.
    pub(crate) const fn values(self) -> &'static [(&'static str, &'static str)] {
        self.texts().1
    }

    /// Returns the value in the current request, or `None` for the default.
    pub(crate) fn current(self) -> Option<&'static str> {
        let stored = request::preference(self.as_str())?;
        let values = self.values().iter().skip(1);
        values.map(|(value, _)| *value).find(|value| *value == stored)
    }
}

/// Renders a plain form with one button for each value of a preference.
pub(crate) fn form(preference: Preference) -> AnyView {
    let button = |&(value, label): &(&'static str, &'static str)| {
        view! {
            <button name="value" value=value data-value=value>
                {label}
            </button>
        }
    };
    let (label, values) = preference.texts();
    let name = preference.as_str();
    any_view! {
        <form method="post" action=Prefer::url() class="preference" data-preference=name>
            <input type="hidden" name="name" value=name />
            <fieldset>
                <legend class="text-xs text-muted">{label}</legend>
                <div class="segments">{values.iter().map(button).collect_view()}</div>
            </fieldset>
        </form>
    }
}

/// Stores a preference in this browser and redirects to the current page.
#[server(prefix = "/console", endpoint = "prefer", output = JsonCodec)]
pub(crate) async fn prefer(name: Preference, value: String) -> Result<(), Problem> {
    if name.values().iter().any(|(known, _)| *known == value) {
        request::set_preference(name.as_str(), &value);
    }
    request::redirect(&request::current_page());
    Ok(())
}
