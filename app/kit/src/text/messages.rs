//! The texts of the pages, one module per page. There is one language so far.

use contract::scope::Role;

pub const PRODUCT: &str = "Govern";
pub const SKIP: &str = "Skip to content";
pub const COPY: &str = "Copy";
pub const COPIED: &str = "Copied";
pub const CANCEL: &str = "Cancel";
pub const IDENTITY_CONFIRMED: &str =
    "You have confirmed your identity. Press the button again to continue.";
pub const UNDO: &str = "Undo";
pub const HOME: &str = "Go to home";
pub const HELP: &str = "Help";
pub const CRUMBS: &str = "Breadcrumb";
pub const BY: &str = "by";
pub const OLDER: &str = "Older";
pub const FILTER: &str = "Filter";
pub const CLEAR_FILTERS: &str = "Clear filters";
pub const BAD_FILTER: &str = "A filter has an invalid value.";
pub const CORRELATION_ID: &str = "Correlation ID";

pub fn copy(what: &str) -> String {
    format!("{COPY}: {what}")
}

/// Returns, for example, "3 chains shown". The total is not counted.
pub fn shown(number: usize, one: &str, many: &str) -> String {
    format!("{} shown", crate::text::number::count(number, one, many))
}

/// Converts a message of the service, which is lower case without a full stop, to a sentence.
pub fn sentence(message: &str) -> String {
    let stop = if message.is_empty() || message.ends_with(['.', '?']) { "" } else { "." };
    capitalize(message) + stop
}

pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    first.into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Returns the title of the browser tab.
pub fn tab(title: &str) -> String {
    format!("{title} · {PRODUCT}")
}

/// Returns the title of a page whose form contains errors, for example "Error: New webhook".
pub fn title_with_errors(title: &str, number: usize) -> String {
    if number == 0 { title.to_owned() } else { format!("Error: {title}") }
}

pub fn role(role: Role) -> &'static str {
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
