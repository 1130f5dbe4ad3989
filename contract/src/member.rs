//! Members of a tenant, invitations and user accounts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    id::{TenantId, UserId},
    json::Value,
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, name, password, schema, text},
    scope::Role,
    session::User,
    time::Timestamp,
};

/// A member: a user in a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingInvitation {
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The name of the tenant.
    pub tenant_name: String,
    /// The role of the user after accepting.
    pub role: Role,
    /// The display name of the person who invited the user; absent if an API key did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub invited_by: Option<String>,
    /// The time at which the invitation was created.
    pub created_at: Timestamp,
}

/// The pending invitations of the signed-in user, sorted by the names of the tenants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingInvitations {
    /// The pending invitations.
    pub items: Vec<PendingInvitation>,
}

/// The body of `POST /v1/admin/members/invite`: exactly one of `user_id` and `email`.
#[derive(Clone, Debug, PartialEq, Eq, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[json(check = check_invited())]
pub struct Invitation {
    /// The ID of a user whose email address is verified, or whose account this tenant created.
    pub user_id: Option<UserId>,
    /// The email address of a user, without regard to case.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[json(nulls)]
pub struct MemberPatch {
    /// The new role. It applies from the next request on.
    pub role: Role,
    /// The ID of another active admin who takes over the API keys of the member. If absent, the keys are
    /// revoked when the new role has fewer rights, and unchanged otherwise.
    pub keys_to: Option<UserId>,
}

/// The body of `POST /v1/admin/users`.
#[derive(Clone, Debug, PartialEq, Eq, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserDraft {
    /// The email address for the sign-in; stored in lower case.
    #[json(with = email)]
    pub email: String,
    /// The display name, 1 to 200 characters.
    #[json(with = name)]
    pub display_name: String,
}

/// A created user account. If mail is configured, the setup link is sent to the email address instead of
/// being returned.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserCreated {
    /// The created user.
    pub user: User,
    /// The setup link, with which the user chooses a password. It is valid once, for one week, and is shown
    /// only once. Absent if it was sent by mail.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub setup_url: Option<String>,
}

impl std::fmt::Debug for UserCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UserCreated").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The body of `POST /v1/session/reset`.
#[derive(Clone, PartialEq, Eq, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResetRequest {
    /// The email address, without regard to case.
    #[json(with = email)]
    pub email: String,
}

impl std::fmt::Debug for ResetRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResetRequest").finish_non_exhaustive()
    }
}

/// The body of `POST /v1/session/setup`.
#[derive(Clone, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountSetup {
    /// The token of the setup link.
    #[json(with = text(1, 100))]
    pub token: String,
    /// The new password, 12 to 256 characters.
    #[json(with = new_password)]
    pub password: String,
}

impl std::fmt::Debug for AccountSetup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccountSetup").finish_non_exhaustive()
    }
}

/// The body of `POST /v1/session/password`.
#[derive(Clone, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordChange {
    /// The current password.
    #[json(with = password(1, 256))]
    pub password: String,
    /// The new password, 12 to 256 characters.
    #[json(with = new_password)]
    pub new_password: String,
}

impl std::fmt::Debug for PasswordChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasswordChange").finish_non_exhaustive()
    }
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

/// Characters with a meaning in mail headers, which no supported address contains.
const RESERVED: &[char] = &['<', '>', '(', ')', '[', ']', ',', ';', ':', '\\', '"'];

/// Returns the address as it is stored: in lower case and without surrounding white space.
///
/// Returns `None` if the text cannot be an address, or contains white space, control characters or characters
/// of mail headers. Does not check whether the mailbox exists.
pub fn normalize_email(text: &str) -> Option<String> {
    let address = text.trim().to_lowercase();
    let (mailbox, host) = address.split_once('@')?;
    let is_complete = !mailbox.is_empty() && !host.is_empty() && !host.contains('@');
    let is_safe = !address.contains(|c: char| c.is_whitespace() || c.is_control())
        && !address.contains(RESERVED);
    let is_valid = address.chars().count() <= ADDRESS_MAX && is_safe;
    (is_complete && is_valid).then_some(address)
}

/// Returns the addresses that a text mentions, each once: words that consist of `@` and an address.
/// Punctuation around a word is ignored.
pub fn mentioned_emails(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| c.is_whitespace() || RESERVED.contains(&c));
    let address = |word: &str| {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
        normalize_email(word.strip_prefix('@')?.trim_end_matches(|c: char| !c.is_alphanumeric()))
    };
    words.filter_map(address).collect()
}

/// The maximum length of an email address in characters.
pub const ADDRESS_MAX: usize = 320;

fn email(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::address(ADDRESS_MAX)) {
        return None;
    }
    let address = normalize_email(&text(1, ADDRESS_MAX)(value, at, errors)?);
    if address.is_none() {
        errors.push(at, "format", "must be an email address");
    }
    address
}

#[cfg(test)]
mod tests {
    use super::{mentioned_emails, normalize_email};

    #[test]
    fn email_is_stored_in_lower_case_without_surrounding_space() {
        assert_eq!(normalize_email(" Ada@Example.COM\n").as_deref(), Some("ada@example.com"));
        for text in ["", "ada", "@example.com", "ada@", "a@b@c", "a da@example.com"] {
            assert_eq!(normalize_email(text), None, "{text}");
        }
    }

    #[test]
    fn email_that_could_inject_mail_headers_is_rejected() {
        for text in [
            "ada@example.com\r\nBcc: eve@example.com",
            "ada\0@example.com",
            "ada@example.com,eve@example.com",
            "ada<eve@example.com>",
            "\"ada\"@example.com",
            "ada@[127.0.0.1]",
        ] {
            assert_eq!(normalize_email(text), None, "{text}");
        }
    }

    #[test]
    fn mention_is_a_word_of_at_sign_and_address() {
        let text = "@Ada@Acme.example, please read. (@ben@acme.example) \"@ben@acme.example\"!\n\
                    ada@acme.example @ada a@ada@acme.example @ada@acme.example/@ben@acme.example";
        let mentioned: Vec<String> = mentioned_emails(text).into_iter().collect();
        assert_eq!(mentioned, ["ada@acme.example", "ben@acme.example"]);
        assert!(mentioned_emails("mail ada@acme.example or @acme").is_empty());
    }
}
