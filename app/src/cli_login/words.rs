//! Texts of `/cli-login`.

use contract::text::isolated;

use crate::text::number::count;

pub(crate) const TITLE: &str = "Allow the command line";
pub(crate) const UNKNOWN_MACHINE: &str = "an unnamed machine";
pub(crate) const STARTED_BY_YOU: &str = "Allow access only if you have just started govern login. The program itself \
     states the name of its machine.";
pub(crate) const TENANT: &str = "Tenant";
pub(crate) const NAME: &str = "Name of the API key";
pub(crate) const EXPIRES: &str = "Expires after";
pub(crate) const ALLOW: &str = "Allow access";
pub(crate) const BAD_DAYS: &str = "Expires: select one of the lifetimes.";
pub(crate) const INVALID: &str =
    "This address is not complete. Start govern login again, and open the address that it prints.";
pub(crate) const NO_TENANT: &str = "Only admins can create API keys. Ask an admin of your organization for an API key, and store it with \
     govern login --key.";
pub(crate) const START: &str = "Go to Govern";
pub(crate) const CODE: &str = "Login code";
pub(crate) const CODE_TITLE: &str = "Access allowed";
pub(crate) const CODE_HELP: &str = "Paste the code into the terminal in which you started govern login. It can be used once, within five \
     minutes. Give it to no other person.";
pub(crate) const DONE: &str = "I have pasted it";

/// Returns who asks for access, and for whom.
pub(crate) fn request(machine: &str, email: &str) -> String {
    format!("govern on {} asks for access as {}.", isolated(machine), isolated(email))
}

/// Returns the tenant of the key, if the user can choose no other.
pub(crate) fn in_tenant(name: &str) -> String {
    format!("{TENANT}: {}", isolated(name))
}

/// Returns which user may create no keys.
pub(crate) fn signed_in_as(email: &str) -> String {
    format!("You are signed in as {}.", isolated(email))
}

pub(crate) fn key_name(machine: &str) -> String {
    format!("govern on {machine}")
}

pub(crate) fn days(days: u32) -> String {
    count(days as usize, "day", "days")
}
