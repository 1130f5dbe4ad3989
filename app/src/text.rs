//! Texts of the console, and functions that format values as text.

pub mod curl;
#[cfg(feature = "ssr")]
pub(crate) mod description;
#[cfg(feature = "ssr")]
pub mod difference;
pub mod errors;
pub mod json;
pub(crate) mod messages;
pub mod number;
pub mod qr_code;
pub mod rule;
pub mod sentence;
pub mod time;
pub mod url;
pub mod verdict;

#[cfg(test)]
mod contrast;
mod gate;
pub(crate) mod query;

/// The value of a ticked checkbox in a form.
pub const TICKED: &str = "yes";

/// Returns the lines of a text area that are not blank, trimmed.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Escapes text for a text area or for the title of the browser tab. The server writes this text into the
/// HTML unescaped, so it must be escaped here; the browser treats it as plain text.
pub(crate) fn between_tags(text: impl Into<String>) -> String {
    let text = text.into();
    if cfg!(feature = "ssr") { text.replace('&', "&amp;").replace('<', "&lt;") } else { text }
}
