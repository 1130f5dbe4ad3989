//! Who belongs to a tenant, and how people come to have an account.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{
    id::{TenantId, UserId},
    json::Value,
    read::{
        At, Errors, Members, Read, id, name,
        schema::{self, Shape},
        text, word,
    },
    scope::Role,
    session::User,
    time::Timestamp,
};

/// A person's place in a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Member {
    /// The person.
    pub user_id: UserId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// What the person may do in it.
    pub role: Role,
    /// Whether the person has accepted the place.
    pub status: MemberStatus,
    /// Since when.
    pub created_at: Timestamp,
    /// The person's e-mail address.
    pub email: String,
}

/// Whether a person has accepted a place in a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    /// The place carries the rights of its role.
    Active,
    /// The place carries no rights until the person accepts the invitation.
    Invited,
}

impl MemberStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Active, Self::Invited];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Invited => "invited",
        }
    }
}

impl FromStr for MemberStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

/// A place in a tenant that the signed-in person may accept or decline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingInvitation {
    /// The tenant.
    pub tenant_id: TenantId,
    /// Its name.
    pub tenant_name: String,
    /// What the person may do after accepting.
    pub role: Role,
    /// When the invitation was made.
    pub created_at: Timestamp,
}

/// The invitations of the signed-in person, by the names of the tenants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingInvitations {
    /// All of them.
    pub items: Vec<PendingInvitation>,
}

/// The body of `POST /v1/admin/members/invite`: exactly one of `user_id` and `email`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invitation {
    /// A person whose address is proven, or whose account this tenant made.
    pub user_id: Option<UserId>,
    /// The e-mail address of a person, in any case.
    pub email: Option<String>,
    /// What the person may do; `viewer` when absent.
    pub role: Option<Role>,
}

impl Read for Invitation {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let user_id = members.optional("user_id", id);
        let email = members.optional("email", email);
        let role = members.optional("role", word(&Role::WORDS));
        match (members.has("user_id"), members.has("email")) {
            (false, false) => {
                members.refuse("user_id", "required", "either `user_id` or `email` is required");
            }
            (true, true) => {
                members.refuse("email", "exclusive", "cannot be given together with `user_id`");
            }
            _ => {}
        }
        members.one_of(|| {
            let case = |required, absent| Shape {
                required: vec![required],
                absent: vec![absent],
                ..Shape::default()
            };
            vec![case("user_id", "email"), case("email", "user_id")]
        });
        members.finish()?;
        Some(Self { user_id, email, role })
    }
}

/// The body of `PATCH /v1/admin/members/{user_id}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MemberPatch {
    /// What the person may do from the next request on.
    pub role: Role,
    /// Another active admin, who takes over the API keys of the person; without it they are revoked when
    /// the new role has fewer rights. Keys stay with the person when it does not.
    pub keys_to: Option<UserId>,
}

impl Read for MemberPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        let role = members.required("role", word(&Role::WORDS));
        let keys_to = members.optional("keys_to", id);
        members.finish()?;
        Some(Self { role: role?, keys_to })
    }
}

/// The body of `POST /v1/admin/users`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserDraft {
    /// The address to sign in with; kept in lower case.
    pub email: String,
    /// The name to show: 1 to 200 characters.
    pub display_name: String,
}

impl Read for UserDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let email = members.required("email", email);
        let display_name = members.required("display_name", name);
        members.finish()?;
        Some(Self { email: email?, display_name: display_name? })
    }
}

/// An account that was just made. Where mail is configured the link is mailed to its address instead.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserCreated {
    /// The person.
    pub user: User,
    /// Where the person chooses a password: once, and within a week. Absent where it was mailed. It is shown
    /// this once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub setup_url: Option<String>,
}

impl std::fmt::Debug for UserCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UserCreated").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The body of `POST /v1/session/reset`.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResetRequest {
    /// The e-mail address, in any case.
    pub email: String,
}

impl std::fmt::Debug for ResetRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResetRequest").finish_non_exhaustive()
    }
}

impl Read for ResetRequest {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let email = members.required("email", email);
        members.finish()?;
        Some(Self { email: email? })
    }
}

/// The body of `POST /v1/session/setup`.
#[derive(Clone)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetUp {
    /// The token of the link.
    pub token: String,
    /// The password: 12 to 256 characters.
    pub password: String,
}

impl std::fmt::Debug for SetUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SetUp").finish_non_exhaustive()
    }
}

impl Read for SetUp {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let token = members.required("token", text(1, 100));
        let password = members.required("password", new_password);
        members.finish()?;
        Some(Self { token: token?, password: password? })
    }
}

/// The body of `POST /v1/session/password`.
#[derive(Clone)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordChange {
    /// The password up to now.
    pub password: String,
    /// The one from now on: 12 to 256 characters.
    pub new_password: String,
}

impl std::fmt::Debug for PasswordChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasswordChange").finish_non_exhaustive()
    }
}

impl Read for PasswordChange {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let password = members.required("password", text(1, 256));
        let new_password = members.required("new_password", new_password);
        members.finish()?;
        Some(Self { password: password?, new_password: new_password? })
    }
}

/// How many characters a password has.
pub const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 12..=256;

/// A new password. Whether it is a good one is checked by the rules of passwords, which know the account.
fn new_password(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    if errors.describes(|| schema::length(*PASSWORD_CHARS.start(), *PASSWORD_CHARS.end())) {
        return None;
    }
    text(0, 65_536)(value, at, errors)
}

/// Characters that mean something in the header of a mail, and that no address needs.
const RESERVED: &[char] = &['<', '>', '(', ')', '[', ']', ',', ';', ':', '\\', '"'];

/// Returns the address as it is stored: in lower case, without white space around it. `None` for a text that
/// cannot be an address, or that has white space, control characters or characters of mail headers in it.
/// Whether anybody reads mail there is not checked.
pub fn address(text: &str) -> Option<String> {
    let address = text.trim().to_lowercase();
    let (mailbox, host) = address.split_once('@')?;
    let is_whole = !mailbox.is_empty() && !host.is_empty() && !host.contains('@');
    let is_safe = !address.contains(|c: char| c.is_whitespace() || c.is_control())
        && !address.contains(RESERVED);
    let is_one = address.chars().count() <= ADDRESS_MAX && is_safe;
    (is_whole && is_one).then_some(address)
}

/// The most characters of an address.
pub const ADDRESS_MAX: usize = 320;

fn email(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    if errors.describes(|| schema::address(ADDRESS_MAX)) {
        return None;
    }
    let address = address(&text(1, ADDRESS_MAX)(value, at, errors)?);
    if address.is_none() {
        errors.push(at, "format", "must be an e-mail address");
    }
    address
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_is_kept_in_lower_case_and_without_space() {
        assert_eq!(address(" Ada@Example.COM\n").as_deref(), Some("ada@example.com"));
        for text in ["", "ada", "@example.com", "ada@", "a@b@c", "a da@example.com"] {
            assert_eq!(address(text), None, "{text}");
        }
    }

    #[test]
    fn an_address_cannot_add_a_header_or_a_recipient_to_a_mail() {
        for text in [
            "ada@example.com\r\nBcc: eve@example.com",
            "ada\0@example.com",
            "ada@example.com,eve@example.com",
            "ada<eve@example.com>",
            "\"ada\"@example.com",
            "ada@[127.0.0.1]",
        ] {
            assert_eq!(address(text), None, "{text}");
        }
    }
}
