//! Members: the tabs of the page, a row of a list, the invitation form, and the page of a change or removal.

use std::collections::BTreeSet;

use contract::{
    api_key::ApiKey,
    id::{ApiKeyId, TenantId, UserId},
    json::Object,
    member::{Invitation, Member, MemberPatch, MemberStatus, UserDraft},
    read::{self, FromJson},
    scope::Role,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{
    flash::{OneTimeSecret, RejectedForm},
    problem::{Problem, UNREADABLE},
    ui::list_page::ListPage,
};

/// A tab of the members page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberTab {
    /// The active members.
    #[default]
    Members,
    /// The users who have not accepted their invitation.
    Invitations,
    /// The rights of each role.
    Roles,
}

impl MemberTab {
    /// Reads the tab from the address. Unknown values mean the first tab.
    pub fn read(tab: &str) -> Self {
        [Self::Invitations, Self::Roles]
            .into_iter()
            .find(|own| own.word() == tab)
            .unwrap_or_default()
    }

    /// Returns the value in the address.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Members => "",
            Self::Invitations => "invitations",
            Self::Roles => "roles",
        }
    }

    /// Returns the status of the members on this tab, or `None` if it lists no members.
    pub const fn status(self) -> Option<MemberStatus> {
        match self {
            Self::Members => Some(MemberStatus::Active),
            Self::Invitations => Some(MemberStatus::Invited),
            Self::Roles => None,
        }
    }
}

/// The second factors of a member's account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberFactors {
    #[default]
    None,
    /// The account has a passkey or an authenticator app.
    Present,
    /// As `Present`, and the account belongs to the tenant, so that its admins can remove them.
    Resettable,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRow {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub role: Role,
    /// The time of the last activity in the tenant. The caller sets it.
    pub last_active: Option<Timestamp>,
    /// The second factors of the account. The caller sets it.
    pub factors: MemberFactors,
    /// The time at which the membership was created.
    pub since: Timestamp,
    /// Whether the user has not accepted the invitation yet.
    pub is_invited: bool,
    /// Whether this is the signed-in user.
    pub is_me: bool,
}

impl MemberRow {
    /// Returns whether the member is an admin. An invited admin is not.
    pub fn is_active_admin(&self) -> bool {
        self.role == Role::Admin && !self.is_invited
    }

    /// Creates the row of `member`; `me` is the signed-in user.
    pub fn new(member: Member, name: Option<String>, me: Option<UserId>) -> Self {
        Self {
            id: member.user_id,
            name: name.unwrap_or_else(|| member.email.clone()),
            email: member.email,
            role: member.role,
            last_active: None,
            factors: MemberFactors::None,
            since: member.created_at,
            is_invited: member.status == MemberStatus::Invited,
            is_me: me == Some(member.user_id),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MembersPage {
    pub tenant: TenantId,
    pub tab: MemberTab,
    /// The numbers of active members and of invited users.
    pub counts: [u64; 2],
    /// Whether the tenant has one active admin, who can neither be removed nor get another role.
    pub has_one_admin: bool,
    /// The time of the page, which ages are relative to.
    pub now: Timestamp,
    /// One page of the list, newest first.
    pub rows: ListPage<MemberRow>,
    /// The result of the last action, as a sentence.
    pub notice: Option<String>,
    /// The email address and the setup link of an account that was just created.
    pub secret: Option<OneTimeSecret>,
    /// Why the invitation was rejected, and the input.
    pub refused: Option<(Problem, InviteForm)>,
}

/// The page on which a member is removed or gets another role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberPage {
    pub tenant: TenantId,
    pub row: MemberRow,
    /// The API keys that are revoked or transferred.
    pub keys: MemberKeys,
    /// Why the last action was rejected, and the selected role.
    pub rejected: Option<RejectedForm>,
}

/// The API keys of a member who is removed or loses rights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberKeys {
    /// The keys that are not revoked, newest first.
    pub rows: Vec<ApiKey>,
    /// The admins who can take the keys over, with their names.
    pub receivers: Vec<(UserId, String)>,
}

/// The role and the keys of a member that the user has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenMember {
    pub role: Role,
    /// The API keys that are not revoked.
    pub keys: BTreeSet<ApiKeyId>,
}

impl SeenMember {
    /// Parses the value of a form.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` for a text that [`MemberPage::seen`] does not return.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|_| Problem::of_form(UNREADABLE))
    }
}

impl MemberPage {
    /// Returns the role and the keys on the page, as the value of a form.
    pub fn seen(&self) -> String {
        let keys = self.keys.rows.iter().map(|key| key.id).collect();
        serde_json::to_string(&SeenMember { role: self.row.role, keys }).unwrap_or_default()
    }
}

/// The input of the invitation form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InviteForm {
    pub email: String,
    /// The name of a user without an account; empty for a user with an account.
    pub name: String,
    pub role: String,
}

impl InviteForm {
    /// Returns the requested invitation.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn invitation(&self) -> Result<Invitation, Problem> {
        parse(Object::from([
            ("email", self.email.trim().into()),
            ("role", self.role.as_str().into()),
        ]))
    }

    /// Returns the error for an address without an account.
    pub fn no_account() -> Problem {
        Problem::of_form(words::NO_ACCOUNT)
    }

    /// Returns the requested account, or `None` without a name.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn account(&self) -> Result<Option<UserDraft>, Problem> {
        let name = self.name.trim();
        if name.is_empty() {
            return Ok(None);
        }
        let body = [("email", self.email.trim().into()), ("display_name", name.into())];
        parse(Object::from(body)).map(Some)
    }
}

/// Returns the requested change of role. `keys_to` is empty if the keys are revoked.
///
/// # Errors
/// Returns `VALIDATION_ERROR` for an unknown role or an invalid ID.
pub fn patch(role: &str, keys_to: &str) -> Result<MemberPatch, Problem> {
    let mut body = Object::from([("role", role.into())]);
    if !keys_to.is_empty() {
        body.insert("keys_to", keys_to);
    }
    parse(body)
}

/// Returns the user who takes the keys over, or `None` if they are revoked.
///
/// # Errors
/// Returns `VALIDATION_ERROR` for an invalid ID.
pub fn receiver(keys_to: &str) -> Result<Option<UserId>, Problem> {
    patch(Role::Viewer.as_str(), keys_to).map(|patch| patch.keys_to)
}

fn parse<T: FromJson>(body: Object) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &words::FIELDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tab_is_read_from_the_address() {
        for tab in [MemberTab::Members, MemberTab::Invitations, MemberTab::Roles] {
            assert_eq!(MemberTab::read(tab.word()), tab);
        }
        assert_eq!(MemberTab::read("owners"), MemberTab::Members);
    }

    fn form(email: &str, name: &str, role: &str) -> InviteForm {
        InviteForm { email: email.into(), name: name.into(), role: role.into() }
    }

    #[test]
    fn an_account_is_requested_only_with_a_name() {
        assert_eq!(form("ada@example.com", " ", "author").account(), Ok(None));
        let draft = form(" Ada@Example.com ", " Ada ", "author").account().unwrap().unwrap();
        assert_eq!((&*draft.email, &*draft.display_name), ("ada@example.com", "Ada"));
    }

    #[test]
    fn all_errors_are_reported_with_the_labels_of_the_form() {
        let message = form("ada", "", "king").invitation().unwrap_err().message;
        assert!(message.contains("Email: ") && message.contains("Role: "), "{message}");
        assert!(patch("king", "").is_err());
        assert_eq!(patch("admin", ""), Ok(MemberPatch { role: Role::Admin, keys_to: None }));
    }

    #[test]
    fn an_unreadable_state_of_a_member_is_an_error() {
        let seen = SeenMember { role: Role::Author, keys: BTreeSet::new() };
        assert_eq!(SeenMember::parse(r#"{"role":"author","keys":[]}"#), Ok(seen));
        assert!(SeenMember::parse("").is_err());
    }

    #[test]
    fn keys_are_revoked_unless_a_receiver_is_selected() {
        let id = "6b2f5e34-6f0f-4f0e-9a54-0f3a4a1c8d11";
        assert_eq!(receiver(""), Ok(None));
        assert_eq!(receiver(id), Ok(id.parse().ok()));
        let message = receiver("x").unwrap_err().message;
        assert!(message.contains("API keys: "), "{message}");
    }
}
