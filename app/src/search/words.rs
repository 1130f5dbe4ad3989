//! Texts of `/t/{tenant}/search`.

use crate::text::number::count;

pub(crate) const TITLE: &str = "Search";
pub(crate) const NO_TEXT: &str = "Enter a name, a code or an ID.";
pub(crate) const SCOPE: &str = "Search covers policies, rules of active versions, decisions by ID or correlation ID, versions, chains, alerts, API keys, authoring capabilities and deliveries by ID, digests in the transparency log, members, forms, settings, pages and actions.";
pub(crate) const DECISIONS: &str = "Decisions";
pub(crate) const IDS: &str = "IDs";
pub(crate) const DIGESTS: &str = "Digests";
pub(crate) const LOOK_UP: &str = "Look up the digest in the transparency log";
pub(crate) const ACTIONS: &str = "Actions";
pub(crate) const POLICIES: &str = "Policies";
pub(crate) const RULES: &str = "Rules";
pub(crate) const MEMBERS: &str = "Members";
pub(crate) const FORMS: &str = "Forms";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const PAGES: &str = "Pages";

pub(crate) const NEW_POLICY: &str = "New policy";
pub(crate) const NEW_API_KEY: &str = "New API key";
pub(crate) const INVITE_MEMBER: &str = "Invite member";
pub(crate) const NEW_WEBHOOK: &str = "New webhook";

/// Returns the label of an object that was found by its ID, for example "Chain 1b4f…".
pub(crate) fn object(kind: &str, id: &str) -> String {
    format!("{kind} {id}")
}

pub(crate) fn no_results(text: &str) -> String {
    format!("No results for \"{text}\"")
}

/// Returns the status of a list of results.
pub(crate) fn found(text: &str, total: usize) -> String {
    if total == 0 { no_results(text) } else { count(total, "result", "results") }
}

pub(crate) fn rule_location(code: &str, policy: &str, version: u32) -> String {
    format!("{code} · {policy} v{version}")
}
