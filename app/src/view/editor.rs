//! A draft while it is written: its rules, the one that is open, and how saving it went.

pub mod condition;
pub mod gate;
pub mod rule;
pub mod scalar;

#[cfg(test)]
mod tests;

use contract::{
    error::FieldError,
    id::{PolicyId, TenantId},
    policy::VersionStatus,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use self::rule::RuleForm;
use super::{
    kept::Kept,
    tried::{Fault, Found},
    version::RuleLine,
};
use crate::text::{sentence::Sentence, url};

/// Where a form stands: which draft, at which revision, and which of its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The tenant.
    pub tenant: TenantId,
    /// The policy.
    pub policy: PolicyId,
    /// The version.
    pub version: u32,
    /// The revision that the person has read.
    pub revision: u32,
    /// The code of the rule as it was read; empty for a new one.
    #[serde(default)]
    pub was: String,
    /// Where the rule goes, from 1, when it is moved.
    #[serde(default)]
    pub to: String,
    /// What to do: the word of the button that was pressed.
    #[serde(default)]
    pub act: String,
}

impl Place {
    /// The page of the draft.
    pub fn page(&self) -> String {
        url::edit_version(self.tenant, self.policy, self.version)
    }

    /// The page with a rule open; the word for a new one without a code.
    pub fn rule(&self, code: &str) -> String {
        let code = if code.is_empty() { NEW } else { code };
        url::with_query(&self.page(), &[("rule", code)])
    }
}

/// What the address says for a rule that is not there yet. No code begins so.
pub const NEW: &str = "-new";

/// The page on which a draft is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorPage {
    /// The draft, and the rule that is open.
    pub place: Place,
    /// The policy's name.
    pub policy_name: String,
    /// Where the version stands.
    pub status: VersionStatus,
    /// Its rules in authored order.
    pub lines: Vec<RuleLine>,
    /// Why the version is made.
    pub change_reason: Option<String>,
    /// What is open.
    pub open: Open,
    /// The context to try the rules on, as text.
    pub sample: String,
    /// Why the reason was not saved, and what was typed.
    pub kept: Option<Kept>,
}

/// What is open on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Open {
    /// The form of one rule.
    Rule(Box<Bench>),
    /// A rule that only JSON can show.
    Unshown,
    /// All rules as JSON.
    Json(Box<JsonText>),
    /// Nothing: the version is no draft any more. What was typed meanwhile, if anything.
    Closed(Option<String>),
}

/// A rule in its form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// The form.
    pub form: RuleForm,
    /// How saving it went, when it was not saved.
    pub unsaved: Option<Unsaved>,
    /// What the rules decide on the sample.
    pub tried: Option<Trial>,
}

/// All rules as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JsonText {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// The draft has moved on.
    pub moved: Option<Moved>,
}

/// What became of a form that was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Saved {
    /// It is in the draft now.
    Kept(InDraft),
    /// It is not.
    Not(Unsaved),
}

/// What is in the draft now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InDraft {
    /// The draft's revision.
    pub revision: u32,
    /// When it was saved.
    pub at: Timestamp,
    /// The code of the rule.
    pub code: String,
    /// All rules in order.
    pub lines: Vec<RuleLine>,
}

/// Why a form is not in the draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Unsaved {
    /// Values are not as they must be; paths within the rule, or from `/rules` on for other rules.
    Faults(Vec<FieldError>),
    /// Somebody else has changed the draft.
    Moved(Box<Moved>),
}

/// A draft that has moved on while a form was open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// The revision that was read.
    pub from: u32,
    /// The revision of now.
    pub revision: u32,
    /// Who made it.
    pub by: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// Whether the rule is gone.
    pub is_gone: bool,
    /// The members of the rule that differ: name, theirs, mine.
    pub differences: Vec<(String, String, String)>,
}

/// What a draft decides on a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The verdict, or what is wrong with the sample; nothing while the rule has faults.
    pub found: Option<Found>,
    /// What is wrong with the rule; paths as in [`Unsaved::Faults`].
    pub faults: Vec<FieldError>,
    /// The rule in words.
    pub sentence: Option<Sentence>,
}

/// Those of `faults` that belong beside a field: at one of `paths`, or at what it holds.
pub fn beside<'f>(
    faults: &'f [FieldError],
    paths: &'f [String],
) -> impl Iterator<Item = &'f FieldError> {
    faults.iter().filter(move |fault| paths.iter().any(|path| is_at(&fault.path, path)))
}

/// Whether `pointer` names `path` or something in it.
pub fn is_at(pointer: &str, path: &str) -> bool {
    let rest = pointer.strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
