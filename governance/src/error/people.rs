//! Refusals about people and their places in a tenant (contract, section 7).

use contract::error::ErrorCode;

use super::{Refusal, conflict, invalid_field, refusal};

/// The person belongs to the tenant.
pub fn member_already() -> Refusal {
    conflict("this person is a member already; change the role instead")
}

/// Nobody would be left to look after the tenant.
pub fn last_admin() -> Refusal {
    conflict("this is the last admin; make somebody else an admin first")
}

/// The tenant knows a person with the address.
pub fn email_taken() -> Refusal {
    conflict("a person with this e-mail address exists; invite that person")
}

/// The address has a proven account; an address has at most one.
pub fn address_proven() -> Refusal {
    conflict(
        "this e-mail address has an account already; sign in with it, and accept the invitation on \
         your account page",
    )
}

/// The operator proves an address that has a proven account.
pub fn address_proven_elsewhere() -> Refusal {
    conflict(
        "this e-mail address has a proven account already; add that one with `govern user add`",
    )
}

/// The operator proves an account whose holder has not chosen a password.
pub fn no_password_yet() -> Refusal {
    conflict("this account has no password yet; verify it after its holder has chosen one")
}

/// The operator adds an address without a proven account.
pub fn no_proven_account() -> Refusal {
    refusal(
        ErrorCode::NotFound,
        "no proven account has this e-mail address; make one with `govern user create`, or verify \
         one with `govern user verify`",
    )
}

/// Keys are transferred to a person who is not another admin of the tenant.
pub fn not_another_admin() -> Refusal {
    invalid_field("/keys_to", "unknown", "must be the id of another active admin of this tenant")
}
