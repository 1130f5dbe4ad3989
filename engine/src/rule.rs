//! Compiled rules: one variant and one file per rule type.

mod comparison;
mod distinct;
mod evidence;
mod list;
mod pattern;
mod presence;
mod temporal;
mod threshold;
mod violation;

use std::sync::Arc;

use contract::{
    evaluation::Violation,
    id::PolicyId,
    json::Value,
    read::{FieldErrors, JsonPath, ObjectReader},
    rule::{RuleType, Severity},
};

use self::{
    comparison::Comparison, distinct::Distinct, evidence::Evidence, list::List, pattern::Pattern,
    presence::Presence, temporal::Temporal, threshold::Threshold, violation::ViolationCollector,
};
use crate::{
    byte_budget::{ByteBudget, ResultTooLarge},
    context_values::ContextValues,
    field::SlotTable,
    gate::Gate,
};

/// An active rule of a program.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) code: Arc<str>,
    pub(crate) policy_id: PolicyId,
    pub(crate) severity: Severity,
    pub(crate) is_shadow: bool,
    pub(crate) when: Option<When>,
    pub(crate) condition: Condition,
}

/// The gate of a rule, as authored and as compiled.
#[derive(Debug)]
pub(crate) struct When {
    pub(crate) authored: Arc<Value>,
    pub(crate) gate: Gate,
}

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
    pub(crate) fn applies(&self, context: &ContextValues<'_>) -> bool {
        self.when.as_ref().is_none_or(|when| when.gate.matches(context))
    }

    /// Adds one violation per failed check.
    ///
    /// # Errors
    /// Returns an error if the violations exceed the limit of the result.
    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        violations: &mut Vec<Violation>,
        budget: &mut ByteBudget,
    ) -> Result<(), ResultTooLarge> {
        let collector = &mut ViolationCollector { rule: self, violations, budget };
        match &self.condition {
            Condition::Presence(presence) => presence.check(context, collector),
            Condition::Threshold(threshold) => threshold.check(context, collector),
            Condition::List(list) => list.check(context, collector),
            Condition::Temporal(temporal) => temporal.check(context, collector),
            Condition::Pattern(pattern) => pattern.check(context, collector),
            Condition::Comparison(comparison) => comparison.check(context, collector),
            Condition::Evidence(evidence) => evidence.check(context, collector),
            Condition::Distinct(distinct) => distinct.check(context, collector),
        }
    }
}

impl Condition {
    /// Reads a condition and refuses unknown members. Each type requires a member that no other type has, so
    /// no condition matches two types.
    pub(crate) fn read(
        rule_type: RuleType,
        value: &Value,
        at: &JsonPath<'_>,
        errors: &mut FieldErrors,
        names: &mut SlotTable,
    ) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let reader = &mut members;
        let condition = match rule_type {
            RuleType::Presence => Presence::read(reader, names).map(Self::Presence),
            RuleType::Threshold => Threshold::read(reader, names).map(Self::Threshold),
            RuleType::List => List::read(reader, names).map(Self::List),
            RuleType::Temporal => Temporal::read(reader, names).map(Self::Temporal),
            RuleType::Pattern => Pattern::read(reader, names).map(Box::new).map(Self::Pattern),
            RuleType::Comparison => Comparison::read(reader, names).map(Self::Comparison),
            RuleType::Evidence => Evidence::read(reader).map(Self::Evidence),
            RuleType::Distinct => Distinct::read(reader, names).map(Self::Distinct),
        };
        members.finish().and(condition)
    }

    /// Returns an upper bound of the steps for one byte of the longest text.
    pub(crate) fn steps_per_byte(&self) -> usize {
        match self {
            Self::Presence(presence) => presence.field_count(),
            Self::Distinct(distinct) => distinct.field_count(),
            Self::Pattern(pattern) => pattern.compiled.states(),
            Self::Threshold(_) | Self::List(_) | Self::Temporal(_) | Self::Comparison(_) => 1,
            Self::Evidence(_) => 0,
        }
    }

    /// Returns whether the elements of a list are read.
    pub(crate) fn checks_lists(&self) -> bool {
        matches!(self, Self::List(_) | Self::Distinct(_))
    }

    /// Returns the number of comparisons of two fields.
    pub(crate) fn comparisons(&self) -> usize {
        match self {
            Self::Distinct(distinct) => distinct.field_count().saturating_pow(2),
            _ => 0,
        }
    }

    /// Returns the memory of compiled patterns in bytes. Other conditions are about as large as their JSON.
    pub(crate) fn pattern_bytes(&self) -> usize {
        match self {
            Self::Pattern(pattern) => pattern.compiled.memory_bytes(),
            _ => 0,
        }
    }
}
