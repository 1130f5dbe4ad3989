//! Hosted forms: a row of the list, one form, and the input that creates or changes it.

mod edit;
mod question;

use contract::{
    form::{AccessMode, BudgetWindow, Form, FormContract, FormDraft, FormLanguage, FormTokenDraft},
    id::{FormId, FormTokenId, PolicyId, TenantId},
    json::{Object, Value},
    pagination::Page,
    read::{self, FromJson},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

pub use self::{
    edit::{FormAct, FormEdit, PendingFormEdit},
    question::{QuestionChange, QuestionForm},
};
use super::words;
pub use crate::text::TICKED;
use crate::{flash::OneTimeSecret, key::BAD_EXPIRES, problem::Problem, text::query::end_instant};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormRow {
    pub id: FormId,
    pub title: String,
    /// The policy that evaluates submissions: ID and name.
    pub policy: (PolicyId, String),
    /// The credentials that a submitter must present.
    pub access: AccessMode,
    pub is_published: bool,
    pub language: FormLanguage,
    pub submissions: u64,
    /// The number of submissions left in this window.
    pub left: u32,
    pub window: BudgetWindow,
}

impl FormRow {
    /// Creates the row of a form; `policy` is the name of its policy.
    pub fn new(form: &Form, policy: String, submissions: u64) -> Self {
        Self {
            id: form.id,
            title: form.title.clone(),
            policy: (form.policy_id, policy),
            access: form.access_mode,
            is_published: form.is_published,
            language: form.language,
            submissions,
            left: form.token_budget.limit.saturating_sub(form.tokens_used),
            window: form.token_budget.window,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormsPage {
    pub tenant: TenantId,
    /// One page of forms, newest first.
    pub rows: Page<FormRow>,
    /// Active policies, for which a form can be created.
    pub policies: Vec<(PolicyId, String)>,
    pub may_write: bool,
    /// Why creation was rejected, and the input.
    pub refused: Option<(Problem, NewForm)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewForm {
    pub policy: String,
    pub title: String,
    /// The decision type of submissions; empty if the policy has exactly one.
    pub decision_type: String,
}

impl NewForm {
    /// Returns the requested form.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn draft(&self) -> Result<FormDraft, Problem> {
        let mut body = Object::from([
            ("policy_id", self.policy.as_str().into()),
            ("title", self.title.trim().into()),
        ]);
        if !self.decision_type.trim().is_empty() {
            body.insert("decision_type", self.decision_type.trim());
        }
        parse(body)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormPage {
    pub tenant: TenantId,
    pub row: FormRow,
    /// The stored values with their digest, as the edit form represents them.
    pub now: FormEdit,
    pub unsaved: Option<PendingFormEdit>,
    /// The full address of the public page.
    pub link: String,
    /// The newest tokens.
    pub tokens: Vec<TokenRow>,
    /// The API contract for programs that submit.
    pub contract: FormContract,
    /// The token that was just issued.
    pub secret: Option<OneTimeSecret>,
    pub may_write: bool,
    /// Why the last action was rejected.
    pub refused: Option<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRow {
    pub id: FormTokenId,
    /// The number of uses, and the maximum.
    pub uses: (u32, Option<u32>),
    pub expires_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// Returns the requested token.
///
/// # Errors
/// Returns `VALIDATION_ERROR` with one sentence per error.
pub fn token_draft(uses: &str, expires: &str) -> Result<FormTokenDraft, Problem> {
    let mut body = Object::new();
    if let Some(uses) = non_empty(uses) {
        let number = uses.parse::<u32>().map_or_else(|_| uses.into(), Value::from);
        body.insert("max_uses", number);
    }
    match end_instant(expires) {
        Ok(Some(at)) => drop(body.insert("expires_at", at.to_string())),
        Ok(None) => {}
        Err(()) => return Err(Problem::of_form(BAD_EXPIRES)),
    }
    parse(body)
}

fn non_empty(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn parse<T: FromJson>(body: Object) -> Result<T, Problem> {
    read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &words::FIELDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_draft_parses_its_input() {
        assert!(token_draft("x", "").is_err() && token_draft("", "soon").is_err());
        assert_eq!(token_draft("3", "").unwrap().max_uses, Some(3));
    }
}
