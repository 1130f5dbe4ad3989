//! Texts of the console, and functions that format values as text.

pub mod curl;
pub mod errors;
mod gate;
pub mod json;
pub mod messages;
pub mod number;
pub mod rule;
pub mod sentence;
pub mod time;
pub mod url;
pub mod verdict;

/// The value of a ticked checkbox in a form.
pub const TICKED: &str = "yes";

/// Returns the lines of a text area that are not blank, trimmed.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Escapes text for a text area or for the title of the browser tab. The server writes this text into the
/// HTML unescaped, so it must be escaped here; the browser treats it as plain text.
pub fn between_tags(text: impl Into<String>) -> String {
    let text = text.into();
    if cfg!(feature = "ssr") { text.replace('&', "&amp;").replace('<', "&lt;") } else { text }
}
