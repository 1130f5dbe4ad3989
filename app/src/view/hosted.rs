//! Hosted forms: a row of the list, one form, and what is typed to make or change it.

mod edit;
mod question;

use contract::{
    form::{AccessMode, BudgetWindow, Form, FormContract, FormDraft, FormTokenDraft},
    id::{FormId, FormTokenId, PolicyId, TenantId},
    json::{Object, Value},
    page::Page,
    read::{self, Read},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

pub use self::{
    edit::{FormAct, FormEdit, Unsaved},
    question::{QuestionChange, QuestionForm, TICKED},
};
use super::{kept::Made, query::instant};
use crate::{problem::Problem, text::words};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormRow {
    /// The form.
    pub id: FormId,
    /// What people call it.
    pub title: String,
    /// The policy that decides.
    pub policy: (PolicyId, String),
    /// What it asks of whoever submits.
    pub access: AccessMode,
    /// Whether it is there for the public.
    pub is_published: bool,
    /// How many submissions it took ever.
    pub submissions: u64,
    /// How many it still takes in this window.
    pub left: u32,
    /// The window.
    pub window: BudgetWindow,
}

impl FormRow {
    /// The row of a form with the name of its policy.
    pub fn new(form: &Form, policy: String, submissions: u64) -> Self {
        Self {
            id: form.id,
            title: form.title.clone(),
            policy: (form.policy_id, policy),
            access: form.access_mode,
            is_published: form.is_published,
            submissions,
            left: form.token_budget.limit.saturating_sub(form.tokens_used),
            window: form.token_budget.window,
        }
    }
}

/// The list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormsPage {
    /// The tenant.
    pub tenant: TenantId,
    /// One page of forms, newest first.
    pub rows: Page<FormRow>,
    /// Policies that decide: what a new form can be made from.
    pub policies: Vec<(PolicyId, String)>,
    /// Whether the person may write.
    pub may_write: bool,
    /// Why none was made, and what was typed.
    pub refused: Option<(Problem, NewForm)>,
}

/// A new form, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewForm {
    /// The policy.
    pub policy: String,
    /// What people shall call it.
    pub title: String,
    /// What kind of decision a submission asks for; empty for the policy's only one.
    pub decision_type: String,
}

impl NewForm {
    /// The form that is asked for.
    ///
    /// # Errors
    /// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
    pub fn draft(&self) -> Result<FormDraft, Problem> {
        let mut body = Object::from([
            ("policy_id", self.policy.as_str().into()),
            ("title", self.title.trim().into()),
        ]);
        if !self.decision_type.trim().is_empty() {
            body.insert("decision_type", self.decision_type.trim());
        }
        checked(body)
    }
}

/// One form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormPage {
    /// The tenant.
    pub tenant: TenantId,
    /// Its row.
    pub row: FormRow,
    /// Its members, as the form of changes has them.
    pub now: FormEdit,
    /// What was typed in the place of them, and is not saved.
    pub unsaved: Option<Unsaved>,
    /// Its public page, in full.
    pub link: String,
    /// Its newest tokens.
    pub tokens: Vec<TokenRow>,
    /// How programs submit.
    pub contract: FormContract,
    /// The token that was made a moment ago.
    pub made: Option<Made>,
    /// Whether the person may write.
    pub may_write: bool,
    /// Why an act was refused.
    pub refused: Option<Problem>,
}

/// A token that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRow {
    /// The token.
    pub id: FormTokenId,
    /// How often it was used, and how often it can be.
    pub uses: (u32, Option<u32>),
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A token, as it was typed.
///
/// # Errors
/// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
pub fn token_draft(uses: &str, expires: &str) -> Result<FormTokenDraft, Problem> {
    let mut body = Object::new();
    if let Some(uses) = given(uses) {
        let number = uses.parse::<u32>().map_or_else(|_| uses.into(), Value::from);
        body.insert("max_uses", number);
    }
    match instant(expires) {
        Ok(Some(at)) => drop(body.insert("expires_at", at.to_string())),
        Ok(None) => {}
        Err(()) => return Err(Problem::of_form(words::keys::BAD_EXPIRES)),
    }
    checked(body)
}

fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn checked<T: Read>(body: Object) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &words::hosted::FIELDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_as_was_typed() {
        assert!(token_draft("x", "").is_err() && token_draft("", "soon").is_err());
        assert_eq!(token_draft("3", "").unwrap().max_uses, Some(3));
    }
}
