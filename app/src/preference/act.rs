//! Preferences stored in cookies of the browser.

use leptos::prelude::server;

use super::view::Preference;
use crate::{codec::JsonCodec, problem::Problem};

/// Stores a preference in this browser and redirects to the current page.
#[server(prefix = "/console", endpoint = "prefer", output = JsonCodec)]
pub(crate) async fn prefer(name: Preference, value: String) -> Result<(), Problem> {
    use crate::request;
    if name.values().contains(&value.as_str()) {
        request::set_preference(name.as_str(), &value);
    }
    request::redirect(&request::current_page());
    Ok(())
}

/// Returns the value of a preference in the current request, or `None` for the default.
#[cfg(feature = "ssr")]
pub(crate) fn of(name: Preference) -> Option<String> {
    let value = crate::request::preference(name.as_str())?;
    let values = name.values().iter().skip(1);
    values.copied().find(|known| *known == value).map(str::to_owned)
}
