//! Who belongs to a tenant, and how people come to have an account.

use serde::{Deserialize, Serialize};

use crate::{
    id::{TenantId, UserId},
    json::Value,
    read::{At, Errors, Members, Read, id, name, text, word},
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
    /// Since when.
    pub created_at: Timestamp,
    /// The person's e-mail address.
    pub email: String,
}

/// The body of `POST /v1/admin/members/invite`: exactly one of `user_id` and `email`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invitation {
    /// A person who has an account.
    pub user_id: Option<UserId>,
    /// The e-mail address of a person who has an account, in any case.
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
        match (members.raw("user_id"), members.raw("email")) {
            (None, None) => {
                members.refuse("user_id", "required", "either `user_id` or `email` is required");
            }
            (Some(_), Some(_)) => {
                members.refuse("email", "exclusive", "cannot be given together with `user_id`");
            }
            _ => {}
        }
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
}

impl Read for MemberPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let role = members.required("role", word(&Role::WORDS));
        members.finish()?;
        Some(Self { role: role? })
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

/// A person who was just made, and the only sight of the link.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserCreated {
    /// The person.
    pub user: User,
    /// Where the person chooses a password: once, and within a week.
    pub setup_url: String,
}

impl std::fmt::Debug for UserCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UserCreated").field("user", &self.user).finish_non_exhaustive()
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
        // How a password must be is told by the rules of passwords, in one place.
        let password = members.required("password", text(0, 65_536));
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
        let new_password = members.required("new_password", text(0, 65_536));
        members.finish()?;
        Some(Self { password: password?, new_password: new_password? })
    }
}

/// The address as it is kept, without white space around it and in lower case; `None` when it cannot
/// be one. Whether anybody reads mail there is not looked at.
pub fn address(text: &str) -> Option<String> {
    let address = text.trim().to_lowercase();
    let (mailbox, host) = address.split_once('@')?;
    let is_whole = !mailbox.is_empty() && !host.is_empty() && !host.contains('@');
    let is_one = address.chars().count() <= 320 && !address.contains(char::is_whitespace);
    (is_whole && is_one).then_some(address)
}

fn email(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    let address = address(&text(1, 320)(value, at, errors)?);
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
}
