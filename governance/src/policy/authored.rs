//! Bodies that hold rules: read, checked and canonicalised once.

use contract::{
    codification::Codification,
    error::FieldError,
    json::Value,
    policy::{PolicyDraft, SupersedeDraft, VersionDraft, VersionPatch},
    read::{At, Errors, Read},
};
use receipt::{canon::Canonical, statement};

use super::codification::Kept;
use crate::{
    error::{Refusal, Result, invalid, unsupported_rule_type},
    snapshot,
};

/// Rules as authored: the text that is stored, and its digest.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The canonical array.
    pub(crate) text: String,
    /// Digest of the rules (receipts, section 3).
    pub(crate) digest: String,
    /// What is kept of their codification; absent when there is nothing new to keep.
    pub(crate) kept: Option<Kept>,
}

impl From<Vec<Value>> for Rules {
    /// Rules that were read before.
    fn from(rules: Vec<Value>) -> Self {
        let digest = statement::rules(&rules).digest.to_string();
        Self { text: Canonical::of(&Value::Array(rules)).text, digest, kept: None }
    }
}

impl Rules {
    /// Rules as they are stored.
    pub(crate) fn stored(text: &str) -> Result<Self> {
        Ok(Self::from(snapshot::rule_values(text)?))
    }

    /// The rules, one by one.
    pub(crate) fn values(&self) -> Result<Vec<Value>> {
        snapshot::rule_values(&self.text)
    }

    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        engine::author::read_rules(value, at, errors)?;
        Some(Self::from(value.as_array()?.iter().map(without_nulls).collect::<Vec<_>>()))
    }

    /// Reads the member `rules` of a body, when it is a list; whether it must be one was checked before.
    /// What is wrong with them is noted, and makes the whole body be refused.
    fn of(body: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let at = at.name("rules");
        if errors.is_describing() {
            errors.describes_member("rules", |errors| drop(Self::read(&Value::Null, &at, errors)));
            return None;
        }
        Self::read(body.get("rules").filter(|rules| rules.as_array().is_some())?, &at, errors)
    }
}

/// A rule without the members that are `null`: these count as absent, and are not stored.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let given = members.iter().filter(|(_, member)| !matches!(member, Value::Null));
            let given = given.map(|(name, member)| (name.to_owned(), without_nulls(member)));
            Value::Object(given.collect())
        }
        scalar => scalar.clone(),
    }
}

/// The body of `POST /v1/policies` with its rules.
#[derive(Clone, Debug)]
pub struct NewPolicy {
    /// The policy.
    pub draft: PolicyDraft,
    /// The rules of version 1.
    pub rules: Option<Rules>,
}

impl Read for NewPolicy {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let draft = PolicyDraft::read(value, at, errors);
        let rules = Rules::of(value, at, errors);
        Some(Self { draft: draft?, rules })
    }
}

/// The body of `POST /v1/policies/:id/versions` with its rules.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The rules.
    pub rules: Rules,
    /// Why the version is made.
    pub change_reason: Option<String>,
    /// The version it was written from.
    pub based_on_version: Option<u32>,
    /// The clauses that the rules come from.
    pub codification: Option<Codification>,
}

impl Read for NewVersion {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let draft = VersionDraft::read(value, at, errors);
        let rules = Rules::of(value, at, errors);
        let draft = draft?;
        Some(Self {
            rules: rules?,
            change_reason: draft.change_reason,
            based_on_version: draft.based_on_version,
            codification: draft.codification,
        })
    }
}

/// The body of `PATCH /v1/policies/:id/versions/:version` with its rules.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The patch.
    pub patch: VersionPatch,
    /// The new rules.
    pub rules: Option<Rules>,
}

impl Read for Edit {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let patch = VersionPatch::read(value, at, errors);
        let rules = Rules::of(value, at, errors);
        Some(Self { patch: patch?, rules })
    }
}

/// The body of `supersede` with its rules.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The revision that is corrected, and why.
    pub draft: SupersedeDraft,
    /// The corrected rules.
    pub rules: Rules,
}

impl Read for Correction {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let draft = SupersedeDraft::read(value, at, errors);
        let rules = Rules::of(value, at, errors);
        Some(Self { draft: draft?, rules: rules? })
    }
}

/// The refusal of a body: a rule type that does not exist has a code of its own.
pub fn refuse(body: &Value, errors: &[FieldError]) -> Refusal {
    let unsupported = body.get("rules").and_then(engine::author::unsupported_rule_type);
    match unsupported {
        Some((rule_code, rule_type)) => unsupported_rule_type(&rule_code, &rule_type, errors),
        None => invalid(errors),
    }
}
