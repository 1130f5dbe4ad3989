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
    operator: &'static Operator,
    right: Right,
}

#[derive(Debug)]
enum Right {
    Field(Field),
    Value(Value),
}

/// An operator of the conditions.
#[derive(Debug)]
struct Operator {
    name: &'static str,
    symbol: &'static str,
    description: &'static str,
    holds: fn(Ordering) -> bool,
    /// Whether it requires an order, which booleans do not have.
    requires_order: bool,
}

/// All operators, starting with those that require no order.
static OPERATORS: [Operator; 6] = {
    const fn operator(
        [name, symbol, description]: [&'static str; 3],
        holds: fn(Ordering) -> bool,
        requires_order: bool,
    ) -> Operator {
        Operator { name, symbol, description, holds, requires_order }
    }
    [
        operator(["eq", "==", "equal to"], Ordering::is_eq, false),
        operator(["ne", "!=", "different from"], Ordering::is_ne, false),
        operator(["lt", "<", "less than"], Ordering::is_lt, true),
        operator(["lte", "<=", "at most"], Ordering::is_le, true),
        operator(["gt", ">", "greater than"], Ordering::is_gt, true),
        operator(["gte", ">=", "at least"], Ordering::is_ge, true),
    ]
};

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
            let [eq, ne, ..] = &OPERATORS;
            let ordered = schema::ordered_scalar();
            let boolean = vec![
                ("right_value", schema::boolean()),
                ("operator", schema::string_enum([eq.name, ne.name])),
            ];
            vec![
                case("right", "right_value", vec![]),
                case("right_value", "right", vec![("right_value", ordered)]),
                case("right_value", "right", boolean),
            ]
        });
        if matches!(value, Some(Value::Bool(_)))
            && operator.is_some_and(|operator| operator.requires_order)
        {
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
        if order.is_some_and(|order| (self.operator.holds)(order)) {
            return Ok(());
        }
        let left_text = format!("{} is {}", self.left.name, reason::display(left));
        let right_value = reason::display(right);
        let right_text = match &self.right {
            Right::Field(field) => format!("{} ({right_value})", field.name),
            Right::Value(_) => right_value,
        };
        let reason = match order {
            Some(_) => format!("{left_text}, not {} {right_text}", self.operator.description),
            None => format!("{left_text}, which cannot be compared with {right_text}"),
        };
        let expected = format!("{} {right}", self.operator.symbol);
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
fn order(left: &Value, right: &Value, operator: &Operator) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.partial_cmp(right),
        (Value::Bool(left), Value::Bool(right)) if !operator.requires_order => {
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

fn operator(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<&'static Operator> {
    let names = OPERATORS.each_ref().map(|operator| operator.name);
    if errors.describes(|| schema::string_enum(names)) {
        return None;
    }
    let known = value.as_str().and_then(|name| OPERATORS.iter().find(|known| known.name == name));
    if known.is_none() {
        errors.push(at, "enum", format!("must be one of {}", names.join(", ")));
    }
    known
}
