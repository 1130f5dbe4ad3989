//! Members of a tenant, invitations and user accounts.

use crate::{
    email::email,
    id::{TenantId, UserId},
    json::Value,
    read::{FieldErrors, JsonPath, ObjectReader, line, password, schema, text},
    scope::Role,
    session::User,
    time::Timestamp,
};

/// A member: a user in a tenant.
#[wire(Eq)]
pub struct Member {
    /// The ID of the user.
    pub user_id: UserId,
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The role of the member.
    pub role: Role,
    /// Whether the user accepted the invitation.
    pub status: MemberStatus,
    /// The time at which the membership was created.
    pub created_at: Timestamp,
    /// The email address of the user.
    pub email: String,
}

string_enum! {
    /// The status of a membership.
    pub enum MemberStatus {
        /// The member has the rights of the role.
        Active = "active",
        /// The member has no rights until the user accepts the invitation.
        Invited = "invited",
    }
}

/// An invitation that the signed-in user can accept or decline.
#[wire(Eq)]
pub struct PendingInvitation {
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The name of the tenant.
    pub tenant_name: String,
    /// The role of the user after accepting.
    pub role: Role,
    /// The display name of the person who invited the user; absent if an API key did.
    pub invited_by: Option<String>,
    /// The time at which the invitation was created.
    pub created_at: Timestamp,
}

/// The pending invitations of the signed-in user, sorted by the names of the tenants.
#[wire(Eq)]
pub struct PendingInvitations {
    /// The pending invitations.
    pub items: Vec<PendingInvitation>,
}

/// The body of `POST /v1/admin/members/invite`: exactly one of `user_id` and `email`.
#[body(Eq)]
#[json(check = check_invited())]
pub struct Invitation {
    /// The ID of a user whose email address is verified, or whose account this tenant created.
    pub user_id: Option<UserId>,
    /// The email address of a user, without regard to the case of ASCII letters.
    #[json(with = email)]
    pub email: Option<String>,
    /// The role of the new member; absent means `viewer`.
    pub role: Option<Role>,
}

/// Requires exactly one of `user_id` and `email`.
fn check_invited(members: &mut ObjectReader<'_, '_>) {
    members.exactly_one_of(&["user_id", "email"]);
}

/// The body of `PATCH /v1/admin/members/{user_id}`.
#[body(Copy, Eq)]
#[json(nulls)]
pub struct MemberPatch {
    /// The new role. It applies from the next request on.
    pub role: Role,
    /// The ID of another active admin who takes over the API keys of the member. If absent, the keys are
    /// revoked when the new role has fewer rights, and unchanged otherwise.
    pub keys_to: Option<UserId>,
}

/// The body of `POST /v1/admin/users`.
#[body(Eq)]
pub struct UserDraft {
    /// The email address for the sign-in; ASCII letters are stored in lower case.
    #[json(with = email)]
    pub email: String,
    /// The display name, 1 to 200 characters in one line.
    #[json(with = line)]
    pub display_name: String,
}

/// A created user account. If mail is configured, the setup link is sent to the email address instead of
/// being returned.
#[wire(derive_more::Debug, Eq)]
#[debug("UserCreated {{ user: {user:?}, .. }}")]
pub struct UserCreated {
    /// The created user.
    pub user: User,
    /// The setup link, with which the user chooses a password. It is valid once, for one week, and is shown
    /// only once. Absent if it was sent by mail.
    pub setup_url: Option<String>,
}

/// The body of `POST /v1/session/reset`.
#[body(derive_more::Debug, Eq)]
#[debug("ResetRequest {{ .. }}")]
pub struct ResetRequest {
    /// The email address, without regard to the case of ASCII letters.
    #[json(with = email)]
    pub email: String,
}

/// The body of `POST /v1/session/setup`.
#[body(derive_more::Debug)]
#[debug("AccountSetup {{ .. }}")]
pub struct AccountSetup {
    /// The token of the setup link.
    #[json(with = text(1, 100))]
    pub token: String,
    /// The new password, 12 to 256 characters.
    #[json(with = new_password)]
    pub password: String,
}

/// The body of `POST /v1/session/password`.
#[body(derive_more::Debug)]
#[debug("PasswordChange {{ .. }}")]
pub struct PasswordChange {
    /// The current password.
    #[json(with = password(1, 256))]
    pub password: String,
    /// The new password, 12 to 256 characters.
    #[json(with = new_password)]
    pub new_password: String,
}

/// The permitted length of a password in characters.
pub const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 12..=256;

/// Reads a new password. Its length and strength are checked by the password rules, which also use the
/// account data.
fn new_password(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::text_or_blank(*PASSWORD_CHARS.start(), *PASSWORD_CHARS.end())) {
        return None;
    }
    text(0, 65_536)(value, at, errors)
}
