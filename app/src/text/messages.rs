//! The texts of the pages, one module per page. There is one language so far.

#[cfg(feature = "ssr")]
pub(crate) mod account;
#[cfg(feature = "ssr")]
pub(crate) mod acknowledge;
pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod alerts;
#[cfg(feature = "ssr")]
pub(crate) mod audit;
pub(crate) mod bundle;
pub(crate) mod capability;
#[cfg(feature = "ssr")]
pub(crate) mod chain;
#[cfg(feature = "ssr")]
pub(crate) mod chains;
pub(crate) mod clause;
#[cfg(feature = "ssr")]
pub(crate) mod comment;
#[cfg(feature = "ssr")]
pub(crate) mod compare;
pub(crate) mod decision;
pub(crate) mod decisions;
#[cfg(feature = "ssr")]
pub(crate) mod deliveries;
pub(crate) mod editor;
#[cfg(feature = "ssr")]
pub(crate) mod export;
#[cfg(feature = "ssr")]
pub(crate) mod gallery;
pub(crate) mod group;
#[cfg(feature = "ssr")]
pub(crate) mod hosted;
#[cfg(feature = "ssr")]
pub(crate) mod inbox;
#[cfg(feature = "ssr")]
pub(crate) mod invitation;
pub(crate) mod keys;
pub(crate) mod live;
#[cfg(feature = "ssr")]
pub(crate) mod log;
#[cfg(feature = "ssr")]
pub(crate) mod member;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod policies;
pub(crate) mod policy;
pub(crate) mod policy_form;
pub(crate) mod provenance;
#[cfg(feature = "ssr")]
pub(crate) mod public_receipt;
pub(crate) mod receipt;
#[cfg(feature = "ssr")]
pub(crate) mod reset;
pub(crate) mod review;
#[cfg(feature = "ssr")]
pub(crate) mod search;
#[cfg(feature = "ssr")]
pub(crate) mod session;
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
#[cfg(feature = "ssr")]
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

/// Navigation and the user menu.
#[cfg(feature = "ssr")]
pub(crate) mod menu {
    pub(crate) const MENU: &str = "Menu";
    pub(crate) const CLOSE: &str = "Close menu";
    pub(crate) const NAVIGATION: &str = "Main navigation";
    pub(crate) const SHORTCUTS: &str = "Shortcuts";
    pub(crate) const SEARCH: &str = "Search or paste an ID";
    pub(crate) const FIND: &str = "Search";
    pub(crate) const ACCOUNT: &str = "Your account";
    pub(crate) const YOUR_MENU: &str = "Your menu";
    pub(crate) const SIGN_OUT: &str = "Sign out";
    pub(crate) const TENANTS: &str = "Your tenants";
    pub(crate) const ALERTS: &str = "Alerts";
    pub(crate) const FORMS: &str = "Forms";
    pub(crate) const WEBHOOKS: &str = "Webhooks";
    pub(crate) const LOG: &str = "Transparency log";
    pub(crate) const SIGNING_KEYS: &str = "Signing keys";

    pub(crate) const WORK: &str = "Work";
    pub(crate) const POLICIES: &str = "Policies";
    pub(crate) const DECISIONS: &str = "Decisions";
    pub(crate) const TRUST: &str = "Trust";
    pub(crate) const ORGANIZATION: &str = "Organization";

    pub(crate) fn tenant(name: &str) -> String {
        format!("Tenant: {name}. Switch")
    }
}

/// Texts of the command palette.
#[cfg(feature = "ssr")]
pub(crate) mod palette {
    pub(crate) const TITLE: &str = "Search and actions";
    pub(crate) const FIELD: &str = "Search pages and actions";
    pub(crate) const RESULTS: &str = "Results";
    pub(crate) const FAILED: &str = "The results could not be loaded. Press Enter to search.";
    pub(crate) const MOVE: &str = "move";
    pub(crate) const OPEN: &str = "open";
    pub(crate) const OPEN_TAB: &str = "open in a new tab";
}

/// Texts of `/login`.
pub(crate) mod login {
    pub(crate) const TITLE: &str = "Sign in";
    pub(crate) const INTRO: &str = "To the decisions and policies of your organization.";
    pub(crate) const CLAIM: &str = "Every decision with its reason, every reason with its proof.";
    pub(crate) const LINKS: &str = "Public pages";
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
    pub(crate) const LOG: &str = "Transparency log";
    pub(crate) const TRUST: &str = "Signing keys";
    pub(crate) const APPEARANCE: &str = "Appearance";
}
