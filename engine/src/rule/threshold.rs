//! The rule type `threshold`: a number within limits.

use contract::{
    evaluation::{Limit, LimitOperator, ReasonCode},
    json::{Number, Value},
    read::{FromJson as _, ObjectReader, schema::Shape},
};

use super::violation::{FailedCheck, ViolationCollector};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    field::{Field, SlotTable},
    member, reason,
};

/// `{field, min?, max?, exclusive_min?, exclusive_max?}`
#[derive(Debug)]
pub(crate) struct Threshold {
    field: Field,
    min: Option<Bound>,
    max: Option<Bound>,
}

#[derive(Clone, Copy, Debug)]
struct Bound {
    limit: Number,
    exclusive: bool,
}

impl Threshold {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let min = Bound::read(members, "min", "exclusive_min");
        let max = Bound::read(members, "max", "exclusive_max");
        members.at_least_one_of(&["min", "max"])?;
        members.one_of(|| {
            let case = |required: &[&'static str], absent: &[&'static str]| Shape {
                required: required.to_vec(),
                absent: absent.to_vec(),
                ..Shape::default()
            };
            vec![
                case(&["min"], &["max", "exclusive_max"]),
                case(&["max"], &["min", "exclusive_min"]),
                case(&["min", "max"], &[]),
            ]
        });
        if let (Some(min), Some(max)) = (min, max) {
            let is_exclusive = min.exclusive || max.exclusive;
            if min.limit > max.limit || (min.limit == max.limit && is_exclusive) {
                members.add_error("min", "order", "no number lies between `min` and `max`");
            }
        }
        Some(Self { field: field?, min, max })
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let Some(value) = context.value(&self.field) else {
            return collector.missing(&self.field.name);
        };
        let failure = match value {
            Value::Number(number) => self.failure(*number),
            _ => Some(self.not_numeric(value)),
        };
        failure.map_or(Ok(()), |failure| collector.add(failure.field(&self.field).actual(value)))
    }

    fn not_numeric(&self, value: &Value) -> FailedCheck<'static> {
        let reason = format!("{} is {}, not a number", self.field.name, reason::display(value));
        FailedCheck::new(ReasonCode::ValueNotNumeric, "number", reason)
    }

    fn failure(&self, number: Number) -> Option<FailedCheck<'static>> {
        let name = &self.field.name;
        let failure = |code, operator, limit, problem| {
            let expected = Limit { operator, number: limit }.to_string();
            let reason = format!("{name} is {number}, {problem} {limit}");
            Some(FailedCheck::new(code, expected, reason))
        };
        if let Some(Bound { limit, exclusive }) = self.max
            && (number > limit || (exclusive && number == limit))
        {
            let (operator, problem) = if exclusive {
                (LimitOperator::Below, "not below")
            } else {
                (LimitOperator::AtMost, "above the maximum of")
            };
            return failure(ReasonCode::ValueAboveMax, operator, limit, problem);
        }
        if let Some(Bound { limit, exclusive }) = self.min
            && (number < limit || (exclusive && number == limit))
        {
            let (operator, problem) = if exclusive {
                (LimitOperator::Above, "not above")
            } else {
                (LimitOperator::AtLeast, "below the minimum of")
            };
            return failure(ReasonCode::ValueBelowMin, operator, limit, problem);
        }
        None
    }
}

impl Bound {
    /// Reads a limit and its flag. The flag requires the limit.
    fn read(
        members: &mut ObjectReader<'_, '_>,
        name: &'static str,
        flag: &'static str,
    ) -> Option<Self> {
        let limit = members.optional(name, Number::from_json);
        let exclusive = members.optional(flag, bool::from_json);
        if !members.has(name) && members.has(flag) {
            members.add_error(flag, "conflict", format!("`{flag}` requires `{name}`"));
        }
        Some(Self { limit: limit?, exclusive: exclusive.unwrap_or(false) })
    }
}
