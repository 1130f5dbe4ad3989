//! Refusals of members and accounts (contract, section 7).

use contract::error::ErrorCode;

use super::{Refusal, conflict, invalid_field, refusal};

pub fn already_member() -> Refusal {
    conflict("the user is already a member; change the role instead")
}

/// Returns the refusal for a change that would leave the tenant without an admin.
pub fn last_admin() -> Refusal {
    conflict("this is the last admin; assign another admin first")
}

/// Returns the refusal for a new account with an email address that is already taken.
pub fn email_taken() -> Refusal {
    conflict("an account with this email already exists; invite that user")
}

/// Returns the refusal for an invitation or a setup link over the limit of the hour. `seconds` is the time until the next one
/// may succeed.
pub fn too_many_invitations(seconds: u32) -> Refusal {
    refusal(
        ErrorCode::TooManyRequests,
        format!("too many invitations and setup links within an hour; try again in {seconds} s"),
    )
    .with_wait(seconds)
}

/// Returns the refusal to add a second factor to an account whose address is not proven.
pub fn address_not_proven() -> Refusal {
    refusal(
        ErrorCode::Forbidden,
        "the address of this account is not proven; request a password reset and open the mailed link, or ask the \
         operator to run `govern user verify`, then add the second factor",
    )
    .with_reason("ADDRESS_NOT_PROVEN")
}

/// Returns the refusal for an address with a proven account. An address has at most one.
pub fn address_proven() -> Refusal {
    conflict(
        "this email already has an account; sign in with it and accept the invitation on \
         your account page",
    )
}

/// Returns the refusal for an operator who proves an address that has another proven account.
pub fn address_proven_elsewhere() -> Refusal {
    conflict("this email already has a verified account; add it with `govern user add`")
}

/// Returns the refusal for an operator who proves an account without a password.
pub fn no_password_yet() -> Refusal {
    conflict("this account has no password yet; verify it after its owner has chosen one")
}

/// Returns the refusal for an operator who adds an address without a proven account.
pub fn no_proven_account() -> Refusal {
    refusal(
        ErrorCode::NotFound,
        "no verified account has this email; create one with `govern user create`, or verify \
         one with `govern user verify`",
    )
}

/// Returns the refusal for a transfer of keys to a user who is not another admin of the tenant.
pub fn not_another_admin() -> Refusal {
    invalid_field("/keys_to", "unknown", "must be the id of another active admin of this tenant")
}
