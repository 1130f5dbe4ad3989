//! `threshold`: a number within bounds.

use contract::{
    evaluation::ReasonCode,
    json::{Number, Value},
    read::{self, Members, schema::Shape},
};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member, reason,
    report::{Failure, Report},
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
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
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
            let touching = min.exclusive || max.exclusive;
            if min.limit > max.limit || (min.limit == max.limit && touching) {
                members.refuse("min", "order", "no number lies between `min` and `max`");
            }
        }
        Some(Self { field: field?, min, max })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let Some(value) = facts.value(&self.field) else {
            return report.missing(&self.field.name);
        };
        let failure = match value {
            Value::Number(number) => self.failure(*number),
            _ => Some(self.not_numeric(value)),
        };
        if let Some(failure) = failure {
            report.add(failure.field(&self.field).actual(value));
        }
    }

    fn not_numeric(&self, value: &Value) -> Failure {
        let reason = format!("{} is {}, not a number", self.field.name, reason::shown(value));
        Failure::new(ReasonCode::ValueNotNumeric, "number", reason)
    }

    fn failure(&self, number: Number) -> Option<Failure> {
        let name = &self.field.name;
        if let Some(Bound { limit, exclusive }) = self.max
            && (number > limit || (exclusive && number == limit))
        {
            let sign = if exclusive { "<" } else { "<=" };
            let reason = if exclusive {
                format!("{name} is {number}, not below {limit}")
            } else {
                format!("{name} is {number}, above the maximum of {limit}")
            };
            let expected = format!("{sign} {limit}");
            return Some(Failure::new(ReasonCode::ValueAboveMax, expected, reason));
        }
        if let Some(Bound { limit, exclusive }) = self.min
            && (number < limit || (exclusive && number == limit))
        {
            let sign = if exclusive { ">" } else { ">=" };
            let reason = if exclusive {
                format!("{name} is {number}, not above {limit}")
            } else {
                format!("{name} is {number}, below the minimum of {limit}")
            };
            let expected = format!("{sign} {limit}");
            return Some(Failure::new(ReasonCode::ValueBelowMin, expected, reason));
        }
        None
    }
}

impl Bound {
    /// Reads a limit and its flag, which must not stand alone.
    fn read(members: &mut Members<'_, '_>, name: &'static str, flag: &'static str) -> Option<Self> {
        let limit = members.optional(name, read::number);
        let exclusive = members.optional(flag, read::boolean);
        if !members.has(name) && members.has(flag) {
            members.refuse(flag, "conflict", format!("`{flag}` needs `{name}`"));
        }
        Some(Self { limit: limit?, exclusive: exclusive.unwrap_or(false) })
    }
}
