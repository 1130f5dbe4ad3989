//! Policy groups: a row of the list, one group with its policies, and the forms that change it.

use contract::{
    group::{GroupDraft, GroupPatch, PolicyGroup},
    id::{PolicyGroupId, PolicyId, TenantId},
    json::{Object, Value},
    pagination::Page,
    read::{self, FromJson},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{policy::view::PolicyRow, problem::Problem};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRow {
    pub id: PolicyGroupId,
    pub code: String,
    pub name: String,
    /// Its description; empty if there is none.
    pub description: String,
    /// The number of its policies; only set in the list.
    pub policies: i64,
    pub updated_at: Timestamp,
}

impl From<PolicyGroup> for GroupRow {
    fn from(group: PolicyGroup) -> Self {
        Self {
            id: group.id,
            code: group.code,
            name: group.name,
            description: group.description.unwrap_or_default(),
            policies: 0,
            updated_at: group.updated_at,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupsPage {
    pub tenant: TenantId,
    /// One page of groups, newest first.
    pub rows: Page<GroupRow>,
    pub may_write: bool,
    /// Why creation was rejected, and the input.
    pub refused: Option<(Problem, GroupForm)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupPage {
    pub tenant: TenantId,
    pub row: GroupRow,
    /// One page of its policies, newest first.
    pub policies: Page<PolicyRow>,
    /// Codes and names of policies outside the group: the suggestions of the field that adds a policy.
    pub others: Vec<(String, String)>,
    pub may_write: bool,
    /// Why the last action was rejected, and which action it was.
    pub refused: Option<(Problem, GroupError)>,
}

/// The rejected action on a group's page, with the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroupError {
    /// A change of the group itself.
    Edit(GroupForm),
    /// Adding a policy. Contains the entered code.
    Add(String),
    /// An action without fields.
    #[default]
    Act,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupForm {
    pub code: String,
    pub name: String,
    /// Its description; empty for none.
    pub description: String,
    /// The stored values that the user has seen, as canonical JSON; empty for a new group.
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
    /// Returns the requested group.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn draft(&self) -> Result<GroupDraft, Problem> {
        let mut body = self.body();
        if let Some(text) = self.description_text() {
            body.insert("description", text);
        }
        parse(body)
    }

    /// Returns the requested change. The form contains every member.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn patch(&self) -> Result<GroupPatch, Problem> {
        parse(self.change())
    }

    /// Returns the stored values that the user has seen, in the form of a change.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` if the form does not contain them.
    pub fn read(&self) -> Result<GroupPatch, Problem> {
        let seen = crate::policy_form::view::seen(&self.seen)?;
        read::body(&seen).map_err(|errors| Problem::of_fields(&errors, &words::FIELDS))
    }

    fn change(&self) -> Object {
        let mut body = self.body();
        body.insert("description", self.description_text().map_or(Value::Null, Value::from));
        body
    }

    fn body(&self) -> Object {
        Object::from([("code", self.code.trim().into()), ("name", self.name.trim().into())])
    }

    fn description_text(&self) -> Option<&str> {
        Some(self.description.trim()).filter(|text| !text.is_empty())
    }
}

fn parse<T: FromJson>(body: Object) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &words::FIELDS))
}

/// The form that adds a policy to a group, or removes one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveForm {
    pub tenant: TenantId,
    pub group: PolicyGroupId,
    /// The policy to remove.
    #[serde(default)]
    pub policy: Option<PolicyId>,
    /// The code of the policy to add.
    #[serde(default)]
    pub code: String,
}

impl MoveForm {
    /// Returns the error for a code that no policy has.
    pub fn unknown_code() -> Problem {
        Problem::of_form(words::UNKNOWN_CODE)
    }
}

#[cfg(test)]
mod tests {
    use contract::read::FieldPatch;

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
    fn a_form_becomes_a_draft_with_trimmed_values() {
        let draft = form(" LENDING ", " Lending ", " ").draft().unwrap();
        assert_eq!((&*draft.code, &*draft.name, draft.description), ("LENDING", "Lending", None));
    }

    #[test]
    fn an_emptied_description_is_cleared() {
        let patch = form("LENDING", "Lending", "").patch().unwrap();
        assert_eq!(patch.description, FieldPatch::Clear);
        let patch = form("LENDING", "Lending", "All loans.").patch().unwrap();
        assert_eq!(patch.description, FieldPatch::Set("All loans.".to_owned()));
    }

    #[test]
    fn all_errors_are_reported_with_the_labels_of_the_form() {
        let message = form("no code", "", "").draft().unwrap_err().message;
        assert!(message.contains("Code: ") && message.contains("Name: "), "{message}");
    }
}
