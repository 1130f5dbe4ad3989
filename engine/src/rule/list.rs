//! The rule type `list`: a value, or each element of a list value, is in or not in a list.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{FromJson as _, ObjectReader},
};

use super::violation::{FailedCheck, ViolationCollector, count};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    field::{Field, SlotTable},
    member, reason,
    scalar_set::{Case, ScalarSet},
};

/// The maximum number of elements that each rule compares by itself, which needs no memory.
const SHORT_MAX: usize = 16;

/// `{field, allowed | forbidden, case_sensitive?}`
#[derive(Debug)]
pub(crate) struct List {
    field: Field,
    values: ScalarSet,
    allows_listed: bool,
    expected: String,
}

impl List {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let allowed = members.optional("allowed", member::scalars);
        let forbidden = members.optional("forbidden", member::scalars);
        let case_sensitive = members.optional("case_sensitive", bool::from_json);
        members.exactly_one_of(&["allowed", "forbidden"])?;
        // List conditions are case-insensitive by default; gates are not.
        let case = if case_sensitive == Some(true) { Case::Strict } else { Case::Folded };
        let (values, allows_listed) = match allowed {
            Some(values) => (values, true),
            None => (forbidden?, false),
        };
        let expected =
            if allows_listed { reason::one_of(&values) } else { reason::none_of(&values) };
        Some(Self { field: field?, values: ScalarSet::new(&values, case), allows_listed, expected })
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let Some(value) = context.value(&self.field) else {
            return collector.missing(&self.field.name);
        };
        if let Value::Array(elements) = value {
            let failing = self.first_failing(elements, context);
            if let Some((index, element)) =
                failing.and_then(|index| Some((index, elements.get(index)?)))
            {
                let failure = self.failure("has", element);
                return collector.add(failure.details([("index", count(index))]));
            }
        } else if !self.is_satisfied_by(value) {
            return collector.add(self.failure("is", value));
        }
        Ok(())
    }

    /// Returns the index of the first element that does not satisfy the condition.
    fn first_failing(&self, elements: &[Value], context: &ContextValues<'_>) -> Option<usize> {
        if elements.len() <= SHORT_MAX {
            return elements.iter().position(|element| !self.is_satisfied_by(element));
        }
        let elements = context.elements(&self.field, self.values.case())?;
        if self.allows_listed {
            elements.first_outside(&self.values)
        } else {
            elements.first_inside(&self.values)
        }
    }

    /// Returns whether one value satisfies the condition. Values that cannot be in a list never do.
    fn is_satisfied_by(&self, value: &Value) -> bool {
        match value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => {
                self.values.contains(value) == self.allows_listed
            }
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }

    fn failure<'v>(&self, verb: &str, value: &'v Value) -> FailedCheck<'v> {
        let (code, adjective) = if self.allows_listed {
            (ReasonCode::ValueNotAllowed, "not allowed")
        } else {
            (ReasonCode::ValueForbidden, "forbidden")
        };
        let name = &self.field.name;
        let reason = format!("{name} {verb} {}, which is {adjective}", reason::display(value));
        FailedCheck::new(code, &self.expected, reason).field(&self.field).actual(value)
    }
}
