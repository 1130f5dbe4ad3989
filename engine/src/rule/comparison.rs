//! The rule type `comparison`: compares two values of the same type.

use std::cmp::Ordering;

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{
        self, FieldErrors, JsonPath, ObjectReader,
        schema::{self, Shape},
    },
};

use super::violation::{FailedCheck, ViolationCollector};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    date_span::DateSpan,
    field::{Field, SlotTable},
    member, reason,
};

/// `{left, operator, right | right_value}`
#[derive(Debug)]
pub(crate) struct Comparison {
    left: Field,
    operator: Operator,
    right: Right,
}

#[derive(Debug)]
enum Right {
    Field(Field),
    Value(Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Eq,
    Ne,
    Lt,
    Lte,
    Gt,
    Gte,
}

impl Comparison {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let left = members.required("left", member::field(names));
        let operator = members.required("operator", operator);
        let field = members.optional("right", member::field(names));
        let value = members.optional("right_value", read::scalar);
        members.exactly_one_of(&["right", "right_value"])?;
        members.one_of(|| {
            let case = |required, absent, overrides| Shape {
                required: vec![required],
                absent: vec![absent],
                overrides,
                ..Shape::default()
            };
            let [eq, ne, ..] = OPERATORS;
            let ordered = schema::ordered_scalar();
            let boolean = vec![
                ("right_value", schema::boolean()),
                ("operator", schema::string_enum([eq, ne])),
            ];
            vec![
                case("right", "right_value", vec![]),
                case("right_value", "right", vec![("right_value", ordered)]),
                case("right_value", "right", boolean),
            ]
        });
        if matches!(value, Some(Value::Bool(_))) && operator.is_some_and(Operator::requires_order) {
            members.add_error("right_value", "type", "booleans have no order; use eq or ne");
        }
        let right = field.map(Right::Field).or(value.map(Right::Value))?;
        Some(Self { left: left?, operator: operator?, right })
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let left = context.value(&self.left);
        let right = match &self.right {
            Right::Field(field) => context.value(field),
            Right::Value(value) => Some(value),
        };
        if left.is_none() {
            collector.missing(&self.left.name)?;
        }
        if let (Right::Field(field), None) = (&self.right, right) {
            collector.missing(&field.name)?;
        }
        let (Some(left), Some(right)) = (left, right) else { return Ok(()) };
        let order = order(left, right, self.operator);
        if order.is_some_and(|order| self.operator.is_satisfied_by(order)) {
            return Ok(());
        }
        let left_text = format!("{} is {}", self.left.name, reason::display(left));
        let right_value = reason::display(right);
        let right_text = match &self.right {
            Right::Field(field) => format!("{} ({right_value})", field.name),
            Right::Value(_) => right_value,
        };
        let reason = match order {
            Some(_) => format!("{left_text}, not {} {right_text}", self.operator.description()),
            None => format!("{left_text}, which cannot be compared with {right_text}"),
        };
        let expected = format!("{} {right}", self.operator.symbol());
        let right_bytes = expected.len();
        let failure = FailedCheck::new(ReasonCode::ComparisonFailed, expected, reason)
            .field(&self.left)
            .actual(left);
        collector.add(match &self.right {
            Right::Field(field) => {
                failure.details([("right", Value::from(&*field.name))]).repeats(right_bytes)
            }
            Right::Value(_) => failure,
        })
    }
}

/// Returns the order of two values of the same type, or `None` if they cannot be compared.
fn order(left: &Value, right: &Value, operator: Operator) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.partial_cmp(right),
        (Value::Bool(left), Value::Bool(right)) if !operator.requires_order() => {
            Some(left.cmp(right))
        }
        (Value::String(left), Value::String(right)) => {
            match (DateSpan::parse(left), DateSpan::parse(right)) {
                (Some(left), Some(right)) => Some(left.start.cmp(&right.start)),
                _ => Some(left.cmp(right)),
            }
        }
        _ => None,
    }
}

impl Operator {
    /// Returns whether the operator requires an order, unlike `eq` and `ne`.
    fn requires_order(self) -> bool {
        !matches!(self, Self::Eq | Self::Ne)
    }

    fn is_satisfied_by(self, order: Ordering) -> bool {
        match self {
            Self::Eq => order.is_eq(),
            Self::Ne => order.is_ne(),
            Self::Lt => order.is_lt(),
            Self::Lte => order.is_le(),
            Self::Gt => order.is_gt(),
            Self::Gte => order.is_ge(),
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Lte => "<=",
            Self::Gt => ">",
            Self::Gte => ">=",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Eq => "equal to",
            Self::Ne => "different from",
            Self::Lt => "less than",
            Self::Lte => "at most",
            Self::Gt => "greater than",
            Self::Gte => "at least",
        }
    }
}

/// The wire names of the operators, starting with those that require no order.
const OPERATORS: [&str; 6] = ["eq", "ne", "lt", "lte", "gt", "gte"];

fn operator(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Operator> {
    if errors.describes(|| schema::string_enum(OPERATORS)) {
        return None;
    }
    Some(match value.as_str() {
        Some("eq") => Operator::Eq,
        Some("ne") => Operator::Ne,
        Some("lt") => Operator::Lt,
        Some("lte") => Operator::Lte,
        Some("gt") => Operator::Gt,
        Some("gte") => Operator::Gte,
        _ => {
            errors.push(at, "enum", "must be one of eq, ne, lt, lte, gt, gte");
            return None;
        }
    })
}
