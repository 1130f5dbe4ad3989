//! Differences between the rules of two policy versions.

use crate::rule::Rule;

/// The differences between the rules of two versions. All lists are empty if the rules are equal.
#[wire(Default)]
pub struct VersionDiff {
    /// The number of the earlier version; absent if there is none and every rule is new.
    pub against: Option<u32>,
    /// Rules that only the later version has, in its order.
    pub added: Vec<Rule>,
    /// Rules that only the earlier version has, in its order.
    pub removed: Vec<Rule>,
    /// Rules that both versions have and that differ, in the order of the later version.
    pub changed: Vec<RuleChange>,
    /// The smallest set of rules whose moves explain the later order, in that order.
    pub moved: Vec<RuleMove>,
}

/// A rule that differs between two versions.
#[wire]
pub struct RuleChange {
    /// The code of the rule in the later version.
    pub code: String,
    /// The rule in the earlier version. Its code differs only if the later rule references it in
    /// `replaces_rule_code`.
    pub before: Rule,
    /// The rule in the later version.
    pub after: Rule,
    /// The names of the members that differ, in the order in which rules are written.
    pub fields: Vec<String>,
}

/// A rule whose position among the other rules changed.
#[wire(Eq)]
pub struct RuleMove {
    /// The code of the rule in the later version.
    pub code: String,
    /// The index in the earlier version, from 0.
    pub from: u32,
    /// The index in the later version, from 0.
    pub to: u32,
}
