//! `comparison`: two values of one kind compared.

use std::cmp::Ordering;

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{
        self, At, Errors, Members,
        schema::{self, Shape},
    },
};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member,
    moment::Moment,
    reason,
    report::{Failure, Report},
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
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
        let left = members.required("left", member::field(names));
        let operator = members.required("operator", operator);
        let field = members.optional("right", member::field(names));
        let value = members.optional("right_value", read::scalar);
        members.exactly_one_of(&["right", "right_value"])?;
        members.one_of(|| {
            let case = |required, absent, fixed| Shape {
                required: vec![required],
                absent: vec![absent],
                fixed,
                ..Shape::default()
            };
            let [eq, ne, ..] = OPERATORS;
            let ordered = schema::ordered_scalar();
            let truth =
                vec![("right_value", schema::boolean()), ("operator", schema::words([eq, ne]))];
            vec![
                case("right", "right_value", vec![]),
                case("right_value", "right", vec![("right_value", ordered)]),
                case("right_value", "right", truth),
            ]
        });
        if matches!(value, Some(Value::Bool(_))) && operator.is_some_and(Operator::orders) {
            members.refuse("right_value", "type", "booleans have no order; use eq or ne");
        }
        let right = field.map(Right::Field).or(value.map(Right::Value))?;
        Some(Self { left: left?, operator: operator?, right })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let left = facts.value(&self.left);
        let right = match &self.right {
            Right::Field(field) => facts.value(field),
            Right::Value(value) => Some(value),
        };
        if left.is_none() {
            report.missing(&self.left.name);
        }
        if let (Right::Field(field), None) = (&self.right, right) {
            report.missing(&field.name);
        }
        let (Some(left), Some(right)) = (left, right) else { return };
        let order = order(left, right, self.operator);
        if order.is_some_and(|order| self.operator.admits(order)) {
            return;
        }
        let (left_shown, right_shown) = (self.told(left), reason::shown(right));
        let right_told = match &self.right {
            Right::Field(field) => format!("{} ({right_shown})", field.name),
            Right::Value(_) => right_shown,
        };
        let reason = match order {
            Some(_) => format!("{left_shown}, not {} {right_told}", self.operator.words()),
            None => format!("{left_shown}, which cannot be compared with {right_told}"),
        };
        let expected = format!("{} {right}", self.operator.sign());
        let failure = Failure::new(ReasonCode::ComparisonFailed, expected, reason)
            .field(&self.left)
            .actual(left);
        report.add(match &self.right {
            Right::Field(field) => failure.details([("right", Value::from(&*field.name))]),
            Right::Value(_) => failure,
        });
    }

    fn told(&self, left: &Value) -> String {
        format!("{} is {}", self.left.name, reason::shown(left))
    }
}

/// How two values of one kind stand to each other; `None` when they cannot be compared.
fn order(left: &Value, right: &Value, operator: Operator) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.partial_cmp(right),
        (Value::Bool(left), Value::Bool(right)) if !operator.orders() => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => {
            match (Moment::parse(left), Moment::parse(right)) {
                (Some(left), Some(right)) => Some(left.start.cmp(&right.start)),
                _ => Some(left.cmp(right)),
            }
        }
        _ => None,
    }
}

impl Operator {
    /// Whether it asks for more than being equal or not.
    fn orders(self) -> bool {
        !matches!(self, Self::Eq | Self::Ne)
    }

    fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Eq => order.is_eq(),
            Self::Ne => order.is_ne(),
            Self::Lt => order.is_lt(),
            Self::Lte => order.is_le(),
            Self::Gt => order.is_gt(),
            Self::Gte => order.is_ge(),
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Lte => "<=",
            Self::Gt => ">",
            Self::Gte => ">=",
        }
    }

    fn words(self) -> &'static str {
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

/// The words of the operators, those first that need no order.
const OPERATORS: [&str; 6] = ["eq", "ne", "lt", "lte", "gt", "gte"];

fn operator(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Operator> {
    if errors.describes(|| schema::words(OPERATORS)) {
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
