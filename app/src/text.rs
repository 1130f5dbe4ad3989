//! What the console says: every word of it, and how values become words.

pub mod curl;
pub mod form;
pub(crate) mod help;
pub mod json;
pub mod number;
pub mod refusal;
pub mod rule;
pub mod sentence;
pub mod time;
pub mod url;
pub mod verdict;
pub(crate) mod words;

#[cfg(test)]
mod contrast;
mod gate;

/// The lines of a text area in which something stands.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// What stands between the tags of a text area, or of the title in the tab. The server writes it there as
/// it is given, so there it must be escaped; the browser takes it for plain text.
pub(crate) fn between_tags(text: impl Into<String>) -> String {
    let text = text.into();
    if cfg!(feature = "ssr") { text.replace('&', "&amp;").replace('<', "&lt;") } else { text }
}
