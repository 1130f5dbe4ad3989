//! Refusals about people and their places in a tenant (contract, section 7).

use super::{Refusal, conflict};

/// The person belongs to the tenant.
pub fn member_already() -> Refusal {
    conflict("this person is a member already; change the role instead")
}

/// Nobody would be left to look after the tenant.
pub fn last_admin() -> Refusal {
    conflict("this is the last admin; make somebody else an admin first")
}

/// Somebody has the address.
pub fn email_taken() -> Refusal {
    conflict("somebody with this e-mail address exists; invite that person")
}
