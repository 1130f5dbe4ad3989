//! Invitations to tenants, as shown to the invited user.

use contract::text::isolated;

pub(crate) const TITLE: &str = "Invitations";
pub(crate) const HELP: &str =
    "A tenant that invites you cannot act in your name. You get its role when you accept.";
pub(crate) const NONE: &str = "No pending invitations";
pub(crate) const NONE_NEXT: &str = "Invitations of tenants appear here until you respond.";
pub(crate) const TENANTS: &str = "Your tenants";
pub(crate) const INVITED: &str = "Invited";
pub(crate) const ACCEPT: &str = "Accept";
pub(crate) const DECLINE: &str = "Decline";

pub(crate) fn answer(answer: &str, tenant: &str) -> String {
    format!("{answer} the invitation of {}", isolated(tenant))
}
