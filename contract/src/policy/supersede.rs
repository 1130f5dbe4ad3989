//! Superseding a draft with a corrected draft.

use serde::{Deserialize, Serialize};

use super::PolicyVersion;
#[cfg(feature = "openapi")]
use crate::rule::Rule;
use crate::{
    codification::Codification,
    json::Value,
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, array, integer, reason},
};

/// The body of a request that supersedes a draft.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SupersedeDraft {
    /// The `draft_revision` of the superseded draft that the correction is based on.
    pub expected_revision: u32,
    /// The corrected rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Rule>))]
    pub rules: Value,
    /// The reason for the correction, 1 to 500 characters.
    pub change_reason: String,
    /// The clauses that the corrected rules come from.
    pub codification: Option<Codification>,
}

impl FromJson for SupersedeDraft {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let expected_revision = members.required("expected_revision", integer(0, u32::MAX));
        let rules = members.required("rules", array);
        let change_reason = members.required("change_reason", reason);
        let codification = members.optional("codification", Codification::from_json);
        members.finish()?;
        Some(Self {
            expected_revision: expected_revision?,
            rules: rules?,
            change_reason: change_reason?,
            codification,
        })
    }
}

/// The superseded draft and its replacement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Superseded {
    /// The superseded draft with the status `replaced`. Its rules are stored but not included here.
    pub replaced: PolicyVersion,
    /// The new draft with its rules.
    pub draft: PolicyVersion,
}
