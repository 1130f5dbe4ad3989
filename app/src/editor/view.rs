//! The draft editor: its rules, the open rule, and the result of saving.

pub mod condition;
pub mod gate;
pub mod rule;
pub mod scalar;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use contract::{
    error::FieldError,
    id::{DecisionId, PolicyId, TenantId},
    policy::VersionStage,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use self::rule::RuleForm;
use crate::{
    flash::RejectedForm,
    rule::view::RuleLine,
    text::{sentence::Sentence, url},
    try_decision::view::{Evaluation, TextError},
};

/// The target of a form: the draft, its revision, and one of its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorTarget {
    pub tenant: TenantId,
    pub policy: PolicyId,
    pub version: u32,
    /// The revision that the user has read.
    pub revision: u32,
    /// The code of the rule when it was read; empty for a new rule.
    #[serde(default)]
    pub was: String,
    /// The new position of the rule, from 1, if it is moved.
    #[serde(default)]
    pub to: String,
    /// The source of a new sample: [`FIELDS`], or the ID of a decision.
    #[serde(default)]
    pub from: String,
    /// The action: the value of the pressed button.
    #[serde(default)]
    pub act: String,
}

impl EditorTarget {
    /// Returns the address of the draft editor.
    pub fn page(&self) -> String {
        url::edit_version(self.tenant, self.policy, self.version)
    }

    /// Returns the address of the editor with a rule open; an empty code means a new rule.
    pub fn rule(&self, code: &str) -> String {
        let code = if code.is_empty() { NEW } else { code };
        url::with_query(&self.page(), &[("rule", code)])
    }
}

/// The value of the query parameter `rule` for a new rule. Codes never start with a hyphen.
pub const NEW: &str = "-new";

/// The source of a sample with the fields of the rules.
pub const FIELDS: &str = "fields";

/// The action that replaces the sample.
pub const REPLACE_SAMPLE: &str = "sample";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorPage {
    /// The draft, and the open rule.
    pub target: EditorTarget,
    pub policy_name: String,
    pub stage: VersionStage,
    /// The active version of the policy.
    pub active_version: Option<u32>,
    /// Its rules in authored order.
    pub lines: Vec<RuleLine>,
    pub change_reason: Option<String>,
    pub open: Open,
    /// The sample context, as text.
    pub sample: String,
    /// The newest decisions that evaluated the policy, with their names. Each is a source of a sample.
    pub decisions: Vec<(DecisionId, String)>,
    /// Why saving the change reason was rejected, and the input.
    pub rejected: Option<RejectedForm>,
    pub request: Option<RequestedChanges>,
}

/// The changes that a reviewer requested. The texts are HTML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestedChanges {
    /// Who requested them, when and why.
    pub note: String,
    /// The comments on the open rule.
    pub threads: String,
    /// The other comments, and the form of all comments.
    pub comments: String,
    /// The value of the button that stores the replies and submits the version.
    pub submit_value: String,
    /// The revision that was returned, if it is one of this version. It cannot be submitted again.
    pub returned_revision: Option<u32>,
    /// Whether the version is still submitted, so that the first change recalls it.
    pub is_submitted: bool,
}

/// The open part of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Open {
    /// The form of one rule.
    Rule(Box<OpenRule>),
    /// A rule that the form cannot represent; it can only be edited as JSON.
    Unshown,
    Json(Box<JsonText>),
    /// Nothing: the version is no longer a draft. Contains the unsaved input, if any.
    Closed(Option<String>),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenRule {
    pub form: RuleForm,
    /// Why saving was rejected.
    pub unsaved: Option<SaveRejection>,
    pub sample_result: Option<SampleResult>,
}

/// All rules as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JsonText {
    pub text: String,
    pub errors: Vec<TextError>,
    /// Set if another user changed the draft in the meantime.
    pub moved: Option<DraftConflict>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SaveResult {
    Saved(SavedRule),
    Not(SaveRejection),
}

/// The draft after saving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRule {
    pub revision: u32,
    /// The time of saving.
    pub at: Timestamp,
    pub code: String,
    pub lines: Vec<RuleLine>,
}

/// Why a form was not saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SaveRejection {
    /// Field errors. Paths start at the rule, or at `/rules` for other rules.
    Errors(Vec<FieldError>),
    /// Another user changed the draft.
    Moved(Box<DraftConflict>),
}

/// A draft that another user changed while a form was open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DraftConflict {
    /// The revision that the user has read.
    pub from: u32,
    /// The current revision.
    pub revision: u32,
    /// The name of the user who changed it.
    pub by: Option<String>,
    pub at: Option<Timestamp>,
    /// Whether the rule was removed.
    pub is_gone: bool,
    /// The members of the rule that differ: name, stored value, value of the form.
    pub differences: Vec<(String, String, String)>,
}

/// The result of a rule on the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuleOutcome {
    Violated,
    NotApplicable,
    Passed,
}

/// The evaluation of a sample with a draft.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SampleResult {
    /// The evaluation; absent if the rule has errors.
    pub evaluation: Option<Evaluation>,
    /// The errors of the rule; paths as in [`SaveRejection::Errors`].
    pub errors: Vec<FieldError>,
    /// The rule as a sentence.
    pub sentence: Option<Sentence>,
    /// The results of all active rules, by code.
    pub outcomes: BTreeMap<String, RuleOutcome>,
    /// Whether each line of the gate matches the sample.
    pub gate: Vec<Option<bool>>,
}

/// Returns the errors whose path is one of `paths` or a descendant of it.
pub fn errors_under<'f>(
    errors: &'f [FieldError],
    paths: &'f [String],
) -> impl Iterator<Item = &'f FieldError> {
    errors.iter().filter(move |error| paths.iter().any(|path| is_at(&error.path, path)))
}

/// Returns whether `pointer` is `path` or a descendant of it.
pub fn is_at(pointer: &str, path: &str) -> bool {
    let rest = pointer.strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
