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

pub(crate) fn tenant(name: &str) -> String {
    format!("Tenant: {name}. Switch")
}
