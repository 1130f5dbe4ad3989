//! The texts of the pages, one module per page. There is one language so far.

#[cfg(feature = "ssr")]
pub(crate) mod account;
#[cfg(feature = "ssr")]
pub(crate) mod acknowledge;
pub(crate) mod act;
pub(crate) mod alerts;
pub(crate) mod audit;
pub(crate) mod bundle;
pub(crate) mod capability;
#[cfg(feature = "ssr")]
pub(crate) mod chain;
pub(crate) mod clause;
pub(crate) mod decision;
pub(crate) mod decisions;
#[cfg(feature = "ssr")]
pub(crate) mod deliveries;
pub(crate) mod editor;
pub(crate) mod group;
#[cfg(feature = "ssr")]
pub(crate) mod hosted;
pub(crate) mod inbox;
#[cfg(feature = "ssr")]
pub(crate) mod invitation;
pub(crate) mod keys;
pub(crate) mod live;
pub(crate) mod member;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod policies;
pub(crate) mod policy;
pub(crate) mod policy_form;
pub(crate) mod provenance;
pub(crate) mod receipt;
#[cfg(feature = "ssr")]
pub(crate) mod reset;
pub(crate) mod review;
pub(crate) mod settings;
pub(crate) mod setup;
#[cfg(feature = "ssr")]
pub(crate) mod trust;
pub(crate) mod try_decision;
pub(crate) mod verify;
pub(crate) mod version;
#[cfg(feature = "ssr")]
pub(crate) mod webhooks;

use contract::scope::Role;

pub(crate) const PRODUCT: &str = "Govern";
pub(crate) const SKIP: &str = "Skip to content";
pub(crate) const LOADING: &str = "Loading";
pub(crate) const COPY: &str = "Copy";
pub(crate) const COPIED: &str = "Copied";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const RETRY: &str = "Retry";
pub(crate) const HOME: &str = "Go to home";
pub(crate) const BY: &str = "by";
pub(crate) const OLDER: &str = "Older";
pub(crate) const FILTER: &str = "Filter";
pub(crate) const CLEAR_FILTERS: &str = "Clear filters";
pub(crate) const NOTHING_MATCHES: &str = "No results";
pub(crate) const CORRELATION_ID: &str = "Correlation ID";

pub(crate) fn copy(what: &str) -> String {
    format!("{COPY}: {what}")
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
pub(crate) fn title_with_faults(title: &str, number: usize) -> String {
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

/// Navigation and the user menu.
pub(crate) mod menu {
    pub(crate) const MENU: &str = "Menu";
    pub(crate) const NAVIGATION: &str = "Main navigation";
    pub(crate) const CRUMBS: &str = "Breadcrumb";
    pub(crate) const SEARCH: &str = "Search by decision ID";
    pub(crate) const HELP: &str = "Help";
    pub(crate) const ACCOUNT: &str = "Your account";
    pub(crate) const SIGN_OUT: &str = "Sign out";
    pub(crate) const OTHER_TENANTS: &str = "Other tenants";
    pub(crate) const FORMS: &str = "Forms";
    pub(crate) const WEBHOOKS: &str = "Webhooks";
}

/// Texts of `/login`.
pub(crate) mod login {
    pub(crate) const TITLE: &str = "Sign in";
    pub(crate) const EMAIL: &str = "Email";
    pub(crate) const PASSWORD: &str = "Password";
    pub(crate) const SIGN_IN: &str = "Sign in";
    pub(crate) const FORGOT: &str = "Forgot password?";
    pub(crate) const WRONG: &str = "Incorrect email or password.";
}

/// Texts of `/login/confirm`.
pub(crate) mod confirm {
    pub(crate) const TITLE: &str = "Confirm your password";
    pub(crate) const WHY: &str =
        "You signed in more than 15 minutes ago. Enter your password to continue.";
    pub(crate) const CONFIRM: &str = "Confirm";
    pub(crate) const WRONG: &str = "Incorrect password.";
}

/// Texts of `/`.
#[cfg(feature = "ssr")]
pub(crate) mod home {
    pub(crate) const TITLE: &str = "Choose a tenant";
    pub(crate) const NO_TENANT: &str = "You are not a member of any tenant.";
    pub(crate) const ASK_AN_ADMIN: &str = "Ask an admin to invite you.";
}

/// Texts of `/help`.
pub(crate) mod help {
    pub(crate) const TITLE: &str = "Help";
    pub(crate) const VERDICTS: &str = "Verdicts";
    pub(crate) const SEVERITIES: &str = "Severities";
    pub(crate) const TYPES: &str = "Rule types";
    pub(crate) const TERMS: &str = "Glossary";
    pub(crate) const KEYS: &str = "Keyboard shortcuts";
    pub(crate) const KEYS_HELP: &str =
        "Single-key shortcuts are disabled while you type in a field.";
    pub(crate) const PROOF: &str = "Proof";
    pub(crate) const PROOF_NOTE: &str = "Every decision has a signed receipt. Anyone with the bundle can verify it in the browser, without an account and with keys they trust.";
    pub(crate) const TRUST: &str = "Signing keys";
    pub(crate) const APPEARANCE: &str = "Appearance";
}
