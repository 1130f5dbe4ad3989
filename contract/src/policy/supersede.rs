//! Superseding a draft with a corrected draft.

use super::PolicyVersion;
#[cfg(feature = "openapi")]
use crate::rule::Rule;
use crate::{
    codification::Codification,
    json::Value,
    read::{array, integer, reason},
};

/// The body of a request that supersedes a draft.
#[body]
pub struct SupersedeDraft {
    /// The `draft_revision` of the superseded draft that the correction is based on.
    #[json(with = integer(0, u32::MAX))]
    pub expected_revision: u32,
    /// The corrected rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Rule>))]
    #[json(with = array)]
    pub rules: Value,
    /// The reason for the correction, 1 to 500 characters.
    #[json(with = reason)]
    pub change_reason: String,
    /// The clauses that the corrected rules come from.
    pub codification: Option<Codification>,
}

/// The superseded draft and its replacement.
#[wire]
pub struct Superseded {
    /// The superseded draft with the status `replaced`. Its rules are stored but not included here.
    pub replaced: PolicyVersion,
    /// The new draft with its rules.
    pub draft: PolicyVersion,
}
