//! What one version of a policy asks otherwise than another.

use serde::{Deserialize, Serialize};

use crate::rule::Rule;

/// The way from one version's rules to another's. Empty lists all through mean equal rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionDiff {
    /// The version that was compared with; absent when there is none, and every rule is new.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub against: Option<u32>,
    /// Rules that only the later version has, in its order.
    pub added: Vec<Rule>,
    /// Rules that only the earlier version has, in its order.
    pub removed: Vec<Rule>,
    /// Rules that both have and that differ, in the later version's order.
    pub changed: Vec<RuleChange>,
    /// The fewest rules whose moving explains the later order, in that order.
    pub moved: Vec<RuleMove>,
}

/// A rule that differs between two versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleChange {
    /// Its code in the later version.
    pub code: String,
    /// The rule in the earlier version. It has another code only where the later rule names it in
    /// `replaces_rule_code`.
    pub before: Rule,
    /// The rule in the later version.
    pub after: Rule,
    /// The members that differ, in the order in which rules are written.
    pub fields: Vec<String>,
}

/// A rule that stands elsewhere among its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleMove {
    /// Its code in the later version.
    pub code: String,
    /// Its place in the earlier version, from 0.
    pub from: u32,
    /// Its place in the later version, from 0.
    pub to: u32,
}
