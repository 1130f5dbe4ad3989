//! Rules as they are evaluated: one variant and one file for each of the eight types.

mod comparison;
mod distinct;
mod evidence;
mod list;
mod pattern;
mod presence;
mod temporal;
mod threshold;

use std::sync::Arc;

use contract::{
    evaluation::Violation,
    id::PolicyId,
    json::Value,
    read::{At, Errors, Members},
    rule::{RuleType, Severity},
};

use self::{
    comparison::Comparison, distinct::Distinct, evidence::Evidence, list::List, pattern::Pattern,
    presence::Presence, temporal::Temporal, threshold::Threshold,
};
use crate::{facts::Facts, field::Names, gate::Gate, report::Report};

pub(crate) use self::pattern::small;

/// One active rule of a program.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) code: Arc<str>,
    pub(crate) policy_id: PolicyId,
    pub(crate) severity: Severity,
    pub(crate) is_shadow: bool,
    pub(crate) when: Option<When>,
    pub(crate) condition: Condition,
}

/// A rule's gate, as written and as read.
#[derive(Debug)]
pub(crate) struct When {
    pub(crate) written: Arc<Value>,
    pub(crate) gate: Gate,
}

/// What a rule asks for.
#[derive(Debug)]
pub(crate) enum Condition {
    Presence(Presence),
    Threshold(Threshold),
    List(List),
    Temporal(Temporal),
    Pattern(Box<Pattern>),
    Comparison(Comparison),
    Evidence(Evidence),
    Distinct(Distinct),
}

impl Rule {
    /// Whether the rule applies.
    pub(crate) fn applies(&self, facts: &Facts<'_>) -> bool {
        self.when.as_ref().is_none_or(|when| when.gate.admits(facts))
    }

    /// Adds one violation for each check that fails.
    pub(crate) fn check(&self, facts: &Facts<'_>, violations: &mut Vec<Violation>) {
        let report = &mut Report { rule: self, violations };
        match &self.condition {
            Condition::Presence(presence) => presence.check(facts, report),
            Condition::Threshold(threshold) => threshold.check(facts, report),
            Condition::List(list) => list.check(facts, report),
            Condition::Temporal(temporal) => temporal.check(facts, report),
            Condition::Pattern(pattern) => pattern.check(facts, report),
            Condition::Comparison(comparison) => comparison.check(facts, report),
            Condition::Evidence(evidence) => evidence.check(facts, report),
            Condition::Distinct(distinct) => distinct.check(facts, report),
        }
    }
}

impl Condition {
    /// Reads a condition strictly. Each type requires a member that no other type knows, so no
    /// condition fits two types.
    pub(crate) fn read(
        rule_type: RuleType,
        value: &Value,
        at: &At<'_>,
        errors: &mut Errors,
        names: &mut Names,
    ) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let m = &mut members;
        let condition = match rule_type {
            RuleType::Presence => Presence::read(m, names).map(Self::Presence),
            RuleType::Threshold => Threshold::read(m, names).map(Self::Threshold),
            RuleType::List => List::read(m, names).map(Self::List),
            RuleType::Temporal => Temporal::read(m, names).map(Self::Temporal),
            RuleType::Pattern => Pattern::read(m, names).map(Box::new).map(Self::Pattern),
            RuleType::Comparison => Comparison::read(m, names).map(Self::Comparison),
            RuleType::Evidence => Evidence::read(m).map(Self::Evidence),
            RuleType::Distinct => Distinct::read(m, names).map(Self::Distinct),
        };
        members.finish().and(condition)
    }

    /// Whether this is a pattern that takes much memory.
    pub(crate) fn is_big_pattern(&self) -> bool {
        matches!(self, Self::Pattern(pattern) if pattern.is_big())
    }
}
