//! Texts of `/t/{tenant}/keys`.

use contract::text::isolated;

pub(crate) const TITLE: &str = "API keys";
pub(crate) const HEAD: [&str; 7] =
    ["Key", "Scopes", "Status", "Expires (UTC)", "Last used (UTC)", "Created (UTC)", "Action"];
pub(crate) const EMPTY: &str = "No keys.";
pub(crate) const EMPTY_NEXT: &str = "Create one per service.";
pub(crate) const CREATE: &str = "Create API key";
pub(crate) const NAME: &str = "Name, such as the service that uses it";
pub(crate) const EXPIRES: &str = "Expires (UTC, optional)";
pub(crate) const SCOPES_HELP: &str =
    "Select only the scopes the service needs. Scopes cannot be changed later.";
pub(crate) const NEVER: &str = "Never";
pub(crate) const NEVER_USED: &str = "Never used";
pub(crate) const SECRET: &str = "API key";
pub(crate) const SECRET_HELP: &str = "Copy the key now. It will not be shown again.";
pub(crate) const SAVED: &str = "I have copied it";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKE_FINAL: &str =
    "Requests with this key fail immediately. This cannot be undone.";
pub(crate) const REVOKED_BEFORE: &str = "This key is already revoked.";
pub(crate) const REVOKED: &str = "Revoked";
pub(crate) const COMMAND_LINE: &str = "the command line";
pub(crate) const BACK: &str = "Back to the keys";
pub(crate) const SUBMITTED_TWICE: &str = "the form was submitted twice, and the key was created once; if you did not see it, revoke it and create another";
pub(crate) const BAD_NAME: &str = "Name: enter 1 to 200 characters.";
pub(crate) const NO_SCOPE: &str = "Scopes: select at least one.";
pub(crate) const BAD_EXPIRES: &str =
    "Expires: enter a date and time, for example 2027-11-20T23:04.";

/// A group of scopes: its name, and the scopes with their descriptions.
type ScopeGroup = (&'static str, &'static [(&'static str, &'static str)]);

/// The grantable scopes by group.
pub(crate) const SCOPES: [ScopeGroup; 6] = [
    (
        "Decisions",
        &[
            ("decisions:evaluate", "Evaluate without a record"),
            ("decisions:write", "Record decisions and outcomes"),
            ("decisions:read", "List and read recorded decisions"),
        ],
    ),
    (
        "Policies",
        &[
            ("policies:read", "List and read policies, versions, groups, settings"),
            (
                "policies:write",
                "Write drafts and groups, submit, reject, deactivate, change settings",
            ),
            ("authoring:capability", "Use authoring capabilities"),
        ],
    ),
    (
        "Alerts",
        &[
            ("alerts:read", "List and read alerts"),
            ("alerts:write", "Acknowledge alerts, manage webhooks"),
        ],
    ),
    ("Audit", &[("audit:read", "List the audit log"), ("audit:admin", "Verify the audit log")]),
    (
        "Members",
        &[
            ("members:read", "List and read members"),
            ("members:write", "Invite, change, remove members"),
        ],
    ),
    ("API keys", &[("api-keys:admin", "Create, list, revoke keys")]),
];

pub(crate) fn revoke(name: &str) -> String {
    format!("{REVOKE} {}", isolated(name))
}

pub(crate) fn created(name: &str) -> String {
    format!("API key {} created.", isolated(name))
}
