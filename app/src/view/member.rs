//! Members: a row of the list, the form that invites somebody, and the link of a new account.

use contract::{
    id::{TenantId, UserId},
    json::Object,
    member::{Invitation, Member, MemberPatch, UserDraft},
    page::Page,
    read::{self, Read},
    scope::Role,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{kept::Made, people::Names};
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
    /// Why nobody was invited or no role was changed, and what was typed.
    pub refused: Option<(Problem, InviteForm)>,
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

    /// Why nobody was invited: nobody has the address.
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

/// The role that a form names.
///
/// # Errors
/// `VALIDATION_ERROR` for a word that is none.
pub fn role(word: &str) -> Result<Role, Problem> {
    checked(Object::from([("role", word.into())])).map(|MemberPatch { role }| role)
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
        assert!(role("king").is_err());
        assert_eq!(role("admin"), Ok(Role::Admin));
    }
}
