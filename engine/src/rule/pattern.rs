//! The rule type `pattern`: a string must match, or must not match, a regular expression.

use contract::{evaluation::ReasonCode, read::ObjectReader};

use super::violation::{FailedCheck, ViolationCollector};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    field::{Field, SlotTable},
    member,
    pattern::CompiledPattern,
    reason,
};

/// `{field, matches | forbids}`
#[derive(Debug)]
pub(crate) struct Pattern {
    field: Field,
    pub(crate) compiled: CompiledPattern,
    forbids: bool,
}

impl Pattern {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let mut pattern = |name| {
            members.optional(name, |value, at, errors| {
                CompiledPattern::read(value, at, errors, names.new_patterns.as_mut())
            })
        };
        let (matches, forbids) = (pattern("matches"), pattern("forbids"));
        members.exactly_one_of(&["matches", "forbids"])?;
        Some(Self { field: field?, forbids: forbids.is_some(), compiled: matches.or(forbids)? })
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let Some(value) = context.value(&self.field) else {
            return collector.missing(&self.field.name);
        };
        let (code, problem) = match value.as_str() {
            None => (ReasonCode::PatternMismatch, "not a string"),
            Some(text) => match (self.compiled.is_match(text), self.forbids) {
                (false, false) => (ReasonCode::PatternMismatch, "which does not match the pattern"),
                (true, true) => (ReasonCode::PatternForbidden, "which matches a forbidden pattern"),
                _ => return Ok(()),
            },
        };
        let verb = if self.forbids { "does not match" } else { "matches" };
        let reason = format!("{} is {}, {problem}", self.field.name, reason::display(value));
        let failure = FailedCheck::new(code, format!("{verb} {}", self.compiled.source()), reason);
        collector.add(failure.field(&self.field).actual(value))
    }
}
