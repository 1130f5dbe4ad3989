//! Correcting a draft by another one.

use serde::{Deserialize, Serialize};

use super::PolicyVersion;
#[cfg(feature = "openapi")]
use crate::rule::Rule;
use crate::{
    codification::Codification,
    json::Value,
    read::{At, Errors, Members, Read, array, reason, whole},
};

/// The body of `supersede`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SupersedeDraft {
    /// The `draft_revision` of the draft that is corrected, as it was last read.
    pub expected_revision: u32,
    /// The corrected rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Rule>))]
    pub rules: Value,
    /// Why it is corrected: 1 to 500 characters.
    pub change_reason: String,
    /// The clauses that the corrected rules come from.
    pub codification: Option<Codification>,
}

impl Read for SupersedeDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let expected_revision = members.required("expected_revision", whole(0, u32::MAX));
        let rules = members.required("rules", array);
        let change_reason = members.required("change_reason", reason);
        let codification = members.optional("codification", Codification::read);
        members.finish()?;
        Some(Self {
            expected_revision: expected_revision?,
            rules: rules?,
            change_reason: change_reason?,
            codification,
        })
    }
}

/// A draft that was corrected: the old one, kept as history, and the new one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Superseded {
    /// The old draft, closed; its rules are kept, and not repeated here.
    pub replaced: PolicyVersion,
    /// The new draft with its rules.
    pub draft: PolicyVersion,
}
