//! Refusals of members and accounts (contract, section 7).

use super::{Refusal, invalid_field};

refusals! {
    already_member() = Conflict, "the user is already a member; change the role instead";
    /// For a change that would leave the tenant without an admin.
    last_admin() = Conflict, "this is the last admin; assign another admin first";
    /// For a new account with an email address that is already taken.
    email_taken() = Conflict, "an account with this email already exists; invite that user";
    /// For an invitation or a setup link over the limit of the hour. `seconds` is the time until the next one may
    /// succeed.
    too_many_invitations(seconds: u32) = TooManyRequests,
        "too many invitations and setup links within an hour; try again in {seconds} s", with_wait(seconds);
    /// To add a second factor to an account whose address is not proven.
    address_not_proven() = Forbidden,
        "the address of this account is not proven; request a password reset and open the mailed link, or ask the \
         operator to run `govern user verify`, then add the second factor",
        with_reason("ADDRESS_NOT_PROVEN");
    /// For an address with a proven account. An address has at most one.
    address_proven() = Conflict,
        "this email already has an account; sign in with it and accept the invitation on your account page";
    /// For an operator who proves an address that has another proven account.
    address_proven_elsewhere() = Conflict,
        "this email already has a verified account; add it with `govern user add`";
    /// For an operator who proves an account without a password.
    no_password_yet() = Conflict,
        "this account has no password yet; verify it after its owner has chosen one";
    /// For an operator who adds an address without a proven account.
    no_proven_account() = NotFound,
        "no verified account has this email; create one with `govern user create`, or verify one with `govern user \
         verify`";
}

/// Returns the refusal for a transfer of keys to a user who is not another admin of the tenant.
pub fn not_another_admin() -> Refusal {
    invalid_field("/keys_to", "unknown", "must be the id of another active admin of this tenant")
}
