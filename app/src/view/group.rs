//! Policy groups: a row of the list, one with its policies, and the forms that change it.

use contract::{
    group::{GroupDraft, GroupPatch, PolicyGroup},
    id::{PolicyGroupId, PolicyId, TenantId},
    json::{Object, Value},
    page::Page,
    read::{self, Read},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::policy::PolicyRow;
use crate::{problem::Problem, text::words};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRow {
    /// The group.
    pub id: PolicyGroupId,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Longer words about it; empty when there are none.
    pub description: String,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl From<PolicyGroup> for GroupRow {
    fn from(group: PolicyGroup) -> Self {
        Self {
            id: group.id,
            code: group.code,
            name: group.name,
            description: group.description.unwrap_or_default(),
            updated_at: group.updated_at,
        }
    }
}

/// The list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupsPage {
    /// The tenant.
    pub tenant: TenantId,
    /// One page of groups, newest first.
    pub rows: Page<GroupRow>,
    /// Whether the person may write.
    pub may_write: bool,
    /// Why none was made, and what was typed.
    pub refused: Option<(Problem, GroupForm)>,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupPage {
    /// The tenant.
    pub tenant: TenantId,
    /// The group.
    pub row: GroupRow,
    /// One page of its policies, newest first.
    pub policies: Page<PolicyRow>,
    /// Codes and names of policies that do not belong to it: what the field for one more offers.
    pub others: Vec<(String, String)>,
    /// Whether the person may write.
    pub may_write: bool,
    /// Why an act was refused, and which.
    pub refused: Option<(Problem, Refused)>,
}

/// The act of a group's page that was refused, with what was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refused {
    /// Its own members.
    Edit(GroupForm),
    /// One more policy.
    Add(String),
    /// An act without fields.
    #[default]
    Act,
}

/// The members of a group, as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupForm {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Longer words about it; empty for none.
    pub description: String,
    /// The members as the person has seen them: canonical JSON; empty for a new group.
    pub seen: String,
}

impl From<GroupRow> for GroupForm {
    fn from(row: GroupRow) -> Self {
        let GroupRow { code, name, description, .. } = row;
        let form = Self { code, name, description, seen: String::new() };
        Self { seen: Value::Object(form.change()).to_canonical(), ..form }
    }
}

impl GroupForm {
    /// The group that is asked for.
    ///
    /// # Errors
    /// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
    pub fn draft(&self) -> Result<GroupDraft, Problem> {
        let mut body = self.body();
        if let Some(text) = self.given() {
            body.insert("description", text);
        }
        checked(body)
    }

    /// The change that is asked for: a form names every member.
    ///
    /// # Errors
    /// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
    pub fn patch(&self) -> Result<GroupPatch, Problem> {
        checked(self.change())
    }

    /// The members as the person has seen them, in the shape of a change.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` for a form that does not name them.
    pub fn read(&self) -> Result<GroupPatch, Problem> {
        let seen = super::policy_form::seen(&self.seen)?;
        read::body(&seen).map_err(|errors| Problem::of_fields(&errors, &words::group::FIELDS))
    }

    fn change(&self) -> Object {
        let mut body = self.body();
        body.insert("description", self.given().map_or(Value::Null, Value::from));
        body
    }

    fn body(&self) -> Object {
        Object::from([("code", self.code.trim().into()), ("name", self.name.trim().into())])
    }

    fn given(&self) -> Option<&str> {
        Some(self.description.trim()).filter(|text| !text.is_empty())
    }
}

fn checked<T: Read>(body: Object) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &words::group::FIELDS))
}

/// The form that puts a policy into a group, or takes one out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveForm {
    /// The tenant.
    pub tenant: TenantId,
    /// The group.
    pub group: PolicyGroupId,
    /// The policy to take out.
    #[serde(default)]
    pub policy: Option<PolicyId>,
    /// The code of the policy to put in.
    #[serde(default)]
    pub code: String,
}

impl MoveForm {
    /// Why no policy was put in: none has the code.
    pub fn unknown_code() -> Problem {
        Problem::of_form(words::group::UNKNOWN_CODE)
    }
}

#[cfg(test)]
mod tests {
    use contract::read::Change;

    use super::*;

    fn form(code: &str, name: &str, description: &str) -> GroupForm {
        let text = |text: &str| text.to_owned();
        GroupForm {
            code: text(code),
            name: text(name),
            description: text(description),
            seen: String::new(),
        }
    }

    #[test]
    fn a_form_says_what_was_typed_without_its_blanks() {
        let draft = form(" LENDING ", " Lending ", " ").draft().unwrap();
        assert_eq!((&*draft.code, &*draft.name, draft.description), ("LENDING", "Lending", None));
    }

    #[test]
    fn an_emptied_description_is_taken_away() {
        let patch = form("LENDING", "Lending", "").patch().unwrap();
        assert_eq!(patch.description, Change::Clear);
        let patch = form("LENDING", "Lending", "All loans.").patch().unwrap();
        assert_eq!(patch.description, Change::Set("All loans.".to_owned()));
    }

    #[test]
    fn everything_wrong_is_said_at_once_in_the_words_of_the_form() {
        let said = form("no code", "", "").draft().unwrap_err().message;
        assert!(said.contains("Code: ") && said.contains("Name: "), "{said}");
    }
}
