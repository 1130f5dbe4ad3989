//! Texts of `/`.

pub(crate) const TITLE: &str = "Choose a tenant";
pub(crate) const NO_TENANT: &str = "You are not a member of any tenant.";
pub(crate) const ASK_AN_ADMIN: &str = "Ask an admin to invite you.";
pub(crate) const NEEDS_SECOND_FACTOR: &str = "Requires a second factor";
