//! The texts of the pages, one module per page. There is one language so far.

use contract::scope::Role;

pub(crate) const PRODUCT: &str = "Govern";
pub(crate) const SKIP: &str = "Skip to content";
pub(crate) const LOADING: &str = "Loading";
pub(crate) const COPY: &str = "Copy";
pub(crate) const COPIED: &str = "Copied";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const RETRY: &str = "Retry";
pub(crate) const IDENTITY_CONFIRMED: &str =
    "You have confirmed your identity. Press the button again to continue.";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const HOME: &str = "Go to home";
pub(crate) const HELP: &str = "Help";
pub(crate) const CRUMBS: &str = "Breadcrumb";
pub(crate) const BY: &str = "by";
pub(crate) const OLDER: &str = "Older";
#[cfg(feature = "ssr")]
pub(crate) const NEWER: &str = "Newer";
#[cfg(feature = "ssr")]
pub(crate) const PAGES: &str = "Pages";
pub(crate) const MORE: &str = "More";
pub(crate) const FILTER: &str = "Filter";
pub(crate) const CLEAR_FILTERS: &str = "Clear filters";
pub(crate) const NOTHING_MATCHES: &str = "No results";
pub(crate) const BAD_FILTER: &str = "A filter has an invalid value.";
pub(crate) const CODE: &str = "Code";
pub(crate) const CORRELATION_ID: &str = "Correlation ID";

pub(crate) fn copy(what: &str) -> String {
    format!("{COPY}: {what}")
}

/// Returns, for example, "3 chains shown". The total is not counted.
#[cfg(feature = "ssr")]
pub(crate) fn shown(number: usize, one: &str, many: &str) -> String {
    format!("{} shown", crate::text::number::count(number, one, many))
}

/// Converts a message of the service, which is lower case without a full stop, to a sentence.
pub(crate) fn sentence(message: &str) -> String {
    let stop = if message.is_empty() || message.ends_with(['.', '?']) { "" } else { "." };
    capitalize(message) + stop
}

pub(crate) fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    first.into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Returns the title of the browser tab.
pub(crate) fn tab(title: &str) -> String {
    format!("{title} · {PRODUCT}")
}

/// Returns the title of a page whose form contains errors, for example "Error: New webhook".
pub(crate) fn title_with_errors(title: &str, number: usize) -> String {
    if number == 0 { title.to_owned() } else { format!("Error: {title}") }
}

pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Viewer => "Viewer",
        Role::Operator => "Operator",
        Role::Auditor => "Auditor",
        Role::Author => "Author",
        Role::Reviewer => "Reviewer",
        Role::Ratifier => "Ratifier",
        Role::Admin => "Admin",
    }
}
