//! `list`: a value, or each element of one, in or not in a list.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, Members},
};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member, reason,
    report::{Failure, Report, count},
    scalars::{Case, Scalars},
};

/// `{field, allowed | forbidden, case_sensitive?}`
#[derive(Debug)]
pub(crate) struct List {
    field: Field,
    values: Scalars,
    allows: bool,
    expected: String,
}

impl List {
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let allowed = members.optional("allowed", member::scalars);
        let forbidden = members.optional("forbidden", member::scalars);
        let sensitive = members.optional("case_sensitive", read::boolean);
        members.exactly_one_of(&["allowed", "forbidden"])?;
        // A list folds unless it says otherwise; a gate is the other way round.
        let case = if sensitive == Some(true) { Case::Strict } else { Case::Folded };
        let (values, allows) = match allowed {
            Some(values) => (values, true),
            None => (forbidden?, false),
        };
        let expected = if allows { reason::one_of(&values) } else { reason::none_of(&values) };
        Some(Self { field: field?, values: Scalars::new(&values, case), allows, expected })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let Some(value) = facts.value(&self.field) else {
            return report.missing(&self.field.name);
        };
        if let Value::Array(elements) = value {
            let fails = |(_, element): &(usize, &Value)| !self.holds(element);
            if let Some((index, element)) = elements.iter().enumerate().find(fails) {
                report.add(self.failure("has", element).details([("index", count(index))]));
            }
        } else if !self.holds(value) {
            report.add(self.failure("is", value));
        }
    }

    /// Whether one value holds. What could not even stand in the list never does.
    fn holds(&self, value: &Value) -> bool {
        match value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => {
                self.values.contains(value) == self.allows
            }
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }

    fn failure(&self, verb: &str, value: &Value) -> Failure {
        let (code, word) = if self.allows {
            (ReasonCode::ValueNotAllowed, "not allowed")
        } else {
            (ReasonCode::ValueForbidden, "forbidden")
        };
        let name = &self.field.name;
        let reason = format!("{name} {verb} {}, which is {word}", reason::shown(value));
        Failure::new(code, &self.expected, reason).field(&self.field).actual(value)
    }
}
