//! Request bodies that contain rules: parsed, validated and converted to canonical JSON once.

use contract::{
    codification::Codification,
    policy::{PolicyDraft, SupersedeDraft, VersionDraft, VersionPatch},
    read::{FieldErrors, FromJson, JsonPath},
};
use receipt::statement;

use super::{stored_codification::StoredCodification, stored_rules};
use crate::base::{error::unsupported_rule_type, prelude::*};

/// Authored rules: the stored text and its digest.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// The canonical JSON array.
    pub(crate) text: String,
    /// The digest of the rules (receipts, section 3).
    pub(crate) digest: String,
    /// The codification to store; absent when it does not change.
    pub(crate) codification: Option<StoredCodification>,
}

impl From<Vec<Value>> for RuleSet {
    /// Creates a rule set from validated rules.
    fn from(rules: Vec<Value>) -> Self {
        let digest = statement::rules(&rules).digest.to_string();
        Self {
            text: CanonicalJson::from_value(&Value::Array(rules)).text,
            digest,
            codification: None,
        }
    }
}

impl RuleSet {
    pub(crate) fn stored(text: &str) -> Result<Self> {
        Ok(Self::from(stored_rules::values(text)?))
    }

    pub(crate) fn values(&self) -> Result<Vec<Value>> {
        stored_rules::values(&self.text)
    }

    fn read(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        engine::parse::read_rules(value, at, errors)?;
        Some(Self::from(value.as_array()?.iter().map(without_nulls).collect::<Vec<_>>()))
    }

    /// Parses the member `rules` of a body if it is a list. Another check rejects other types. Errors
    /// are added to `errors`, which rejects the whole body.
    fn parse_member(body: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let at = at.name("rules");
        if errors.is_describing() {
            errors.describes_member("rules", |errors| drop(Self::read(&Value::Null, &at, errors)));
            return None;
        }
        Self::read(body.get("rules").filter(|rules| rules.as_array().is_some())?, &at, errors)
    }
}

/// Returns a rule without its `null` members, which count as absent and are not stored.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let present = members.iter().filter(|(_, member)| !matches!(member, Value::Null));
            let present = present.map(|(name, member)| (name.to_owned(), without_nulls(member)));
            Value::Object(present.collect())
        }
        scalar => scalar.clone(),
    }
}

/// The body of `POST /v1/policies` with its rules.
#[derive(Clone, Debug)]
pub struct NewPolicy {
    pub draft: PolicyDraft,
    /// The rules of version 1.
    pub rules: Option<RuleSet>,
}

impl FromJson for NewPolicy {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let draft = PolicyDraft::from_json(value, at, errors);
        let rules = RuleSet::parse_member(value, at, errors);
        Some(Self { draft: draft?, rules })
    }
}

/// The body of `POST /v1/policies/:id/versions` with its rules.
#[derive(Clone, Debug)]
pub struct NewVersion {
    pub rules: RuleSet,
    pub change_reason: Option<String>,
    pub based_on_version: Option<u32>,
    pub codification: Option<Codification>,
}

impl FromJson for NewVersion {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let draft = VersionDraft::from_json(value, at, errors);
        let rules = RuleSet::parse_member(value, at, errors);
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
pub struct VersionEdit {
    pub patch: VersionPatch,
    pub rules: Option<RuleSet>,
}

impl FromJson for VersionEdit {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let patch = VersionPatch::from_json(value, at, errors);
        let rules = RuleSet::parse_member(value, at, errors);
        Some(Self { patch: patch?, rules })
    }
}

/// The body of `supersede` with its rules.
#[derive(Clone, Debug)]
pub struct SupersedeInput {
    /// The superseded revision and the reason.
    pub draft: SupersedeDraft,
    pub rules: RuleSet,
}

impl FromJson for SupersedeInput {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let draft = SupersedeDraft::from_json(value, at, errors);
        let rules = RuleSet::parse_member(value, at, errors);
        Some(Self { draft: draft?, rules: rules? })
    }
}

/// Creates the refusal of an invalid body. An unknown rule type has its own code.
pub fn validation_error(body: &Value, errors: &[FieldError]) -> Refusal {
    let unsupported = body.get("rules").and_then(engine::parse::unsupported_rule_type);
    match unsupported {
        Some((rule_code, rule_type)) => unsupported_rule_type(&rule_code, &rule_type, errors),
        None => invalid(errors),
    }
}
