//! Members: a row of the list, the form that invites somebody, and the link of a new account.

use contract::{
    id::{TenantId, UserId},
    json::Object,
    member::{Invitation, Member, MemberPatch, MemberStatus, UserDraft},
    page::Page,
    read::{self, Read},
    scope::Role,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    kept::{Kept, Made},
    key::KeyRow,
    people::Names,
};
use crate::{problem::Problem, text::words};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRow {
    /// The person.
    pub id: UserId,
    /// The name to show.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// What the person may do.
    pub role: Role,
    /// Since when.
    pub since: Timestamp,
    /// Whether the person has not accepted the invitation yet.
    pub is_invited: bool,
    /// Whether this is whoever looks at the page.
    pub is_me: bool,
}

impl MemberRow {
    /// The row of `member`, with the person's name, as `me` sees it.
    pub fn new(member: Member, names: &Names, me: Option<UserId>) -> Self {
        let name = names.get(&member.user_id.to_string()).cloned();
        Self {
            id: member.user_id,
            name: name.unwrap_or_else(|| member.email.clone()),
            email: member.email,
            role: member.role,
            since: member.created_at,
            is_invited: member.status == MemberStatus::Invited,
            is_me: me == Some(member.user_id),
        }
    }
}

/// The page of members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MembersPage {
    /// The tenant.
    pub tenant: TenantId,
    /// One page of the list, newest first.
    pub rows: Page<MemberRow>,
    /// The address and the link of an account that was made a moment ago.
    pub made: Option<Made>,
    /// Why the invitation failed, and what was typed.
    pub refused: Option<(Problem, InviteForm)>,
}

/// The page on which a member is removed or gets another role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberPage {
    /// The tenant.
    pub tenant: TenantId,
    /// The member.
    pub row: MemberRow,
    /// The API keys that are revoked or transferred.
    pub keys: MemberKeys,
    /// Why the act was refused a moment ago, and the role that was chosen.
    pub kept: Option<Kept>,
}

/// The API keys of a member who is removed or loses rights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberKeys {
    /// The keys that are not revoked, newest first.
    pub rows: Vec<KeyRow>,
    /// The admins who may take the keys over, with their names.
    pub receivers: Vec<(UserId, String)>,
}

/// The form that invites somebody, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InviteForm {
    /// The e-mail address.
    pub email: String,
    /// The name of somebody who has no account yet; empty for whoever has one.
    pub name: String,
    /// What the person shall be allowed to do.
    pub role: String,
}

impl InviteForm {
    /// The invitation that is asked for.
    ///
    /// # Errors
    /// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
    pub fn invitation(&self) -> Result<Invitation, Problem> {
        checked(Object::from([
            ("email", self.email.trim().into()),
            ("role", self.role.as_str().into()),
        ]))
    }

    /// Why the invitation failed: no account has the address.
    pub fn no_account() -> Problem {
        Problem::of_form(words::member::NO_ACCOUNT)
    }

    /// The account that is asked for; none without a name.
    ///
    /// # Errors
    /// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
    pub fn account(&self) -> Result<Option<UserDraft>, Problem> {
        let name = self.name.trim();
        if name.is_empty() {
            return Ok(None);
        }
        let body = [("email", self.email.trim().into()), ("display_name", name.into())];
        checked(Object::from(body)).map(Some)
    }
}

/// Returns the change of role that a form asks for. `keys_to` is empty when the keys are revoked.
///
/// # Errors
/// `VALIDATION_ERROR` for a word that is no role, or an id that is none.
pub fn patch(role: &str, keys_to: &str) -> Result<MemberPatch, Problem> {
    let mut body = Object::from([("role", role.into())]);
    if !keys_to.is_empty() {
        body.insert("keys_to", keys_to);
    }
    checked(body)
}

/// Returns the person who takes the keys over; none when they are revoked.
///
/// # Errors
/// `VALIDATION_ERROR` for an id that is none.
pub fn receiver(keys_to: &str) -> Result<Option<UserId>, Problem> {
    patch(Role::Viewer.as_str(), keys_to).map(|patch| patch.keys_to)
}

fn checked<T: Read>(body: Object) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &words::member::FIELDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(email: &str, name: &str, role: &str) -> InviteForm {
        InviteForm { email: email.into(), name: name.into(), role: role.into() }
    }

    #[test]
    fn an_account_is_made_for_a_name_alone() {
        assert_eq!(form("ada@example.com", " ", "author").account(), Ok(None));
        let draft = form(" Ada@Example.com ", " Ada ", "author").account().unwrap().unwrap();
        assert_eq!((&*draft.email, &*draft.display_name), ("ada@example.com", "Ada"));
    }

    #[test]
    fn everything_wrong_is_said_at_once_in_the_words_of_the_form() {
        let said = form("ada", "", "king").invitation().unwrap_err().message;
        assert!(said.contains("E-mail: ") && said.contains("Role: "), "{said}");
        assert!(patch("king", "").is_err());
        assert_eq!(patch("admin", ""), Ok(MemberPatch { role: Role::Admin, keys_to: None }));
    }

    #[test]
    fn keys_are_revoked_unless_a_person_is_chosen() {
        let id = "6b2f5e34-6f0f-4f0e-9a54-0f3a4a1c8d11";
        assert_eq!(receiver(""), Ok(None));
        assert_eq!(receiver(id), Ok(id.parse().ok()));
        let said = receiver("x").unwrap_err().message;
        assert!(said.contains("API keys: "), "{said}");
    }
}
