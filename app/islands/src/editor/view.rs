//! The draft editor: its rules, the open rule, and the result of saving.

pub mod condition;
pub mod gate;
pub mod rule;
pub mod scalar;

#[cfg(test)]
mod tests;

use self::rule::RuleForm;
use crate::{
    prelude::*,
    rule::RuleLine,
    text::errors::is_at,
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
    /// Creates the target of a page, before its draft is read.
    pub fn of(tenant: TenantId, policy: PolicyId, version: u32) -> Self {
        Self {
            tenant,
            policy,
            version,
            revision: 0,
            was: String::new(),
            to: String::new(),
            from: String::new(),
            act: String::new(),
        }
    }

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

/// What the page of a draft shows of its rules.
#[derive(Clone, Debug)]
pub struct EditorPage {
    /// The draft, and the open rule.
    pub target: EditorTarget,
    /// Its rules in authored order.
    pub lines: Vec<RuleLine>,
    pub open: Open,
    /// The sample context, as text.
    pub sample: String,
    /// The newest decisions that evaluated the policy, with their names. Each is a source of a sample.
    pub decisions: Vec<(DecisionId, String)>,
}

/// The open part of the page.
#[derive(Clone, Debug)]
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
