//! Navigation and the user menu.

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
