//! The limit of a number, such as `<= 10000`, as violations contain it.

use std::fmt;

use super::{ReasonCode, Violation};
use crate::json::{Limits, Number, Value};

/// The limit of a number. As text, it is the operator and the number: `<= 10000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How the number must compare with it.
    pub operator: LimitOperator,
    /// The limit itself.
    pub number: Number,
}

/// How a number must compare with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitOperator {
    /// Below the limit.
    Below,
    /// At most the limit.
    AtMost,
    /// Above the limit.
    Above,
    /// At least the limit.
    AtLeast,
}

impl LimitOperator {
    const ALL: [Self; 4] = [Self::Below, Self::AtMost, Self::Above, Self::AtLeast];

    const fn symbol(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operator.symbol(), self.number)
    }
}

impl Limit {
    fn read(text: &str) -> Option<Self> {
        let (symbol, number) = text.split_once(' ')?;
        let operator =
            LimitOperator::ALL.into_iter().find(|operator| operator.symbol() == symbol)?;
        match Value::parse(number.as_bytes(), &Limits::REQUEST).ok()? {
            Value::Number(number) => Some(Self { operator, number }),
            _ => None,
        }
    }
}

impl Violation {
    /// Returns the limit that the value exceeds; `None` for violations of other kinds.
    pub fn limit(&self) -> Option<Limit> {
        let is_outside =
            matches!(self.reason_code, ReasonCode::ValueAboveMax | ReasonCode::ValueBelowMin);
        let expected = self.expected_value.as_ref().filter(|_| is_outside)?;
        Limit::read(expected.as_str()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_can_be_read_from_its_text() {
        for operator in LimitOperator::ALL {
            for number in [-1, 0, 10_000] {
                let limit = Limit { operator, number: number.into() };
                assert_eq!(Limit::read(&limit.to_string()), Some(limit));
            }
        }
        let half = Limit::read(">= 0.5").map(|limit| limit.to_string());
        assert_eq!(half.as_deref(), Some(">= 0.5"));
        for text in ["", "<=", "10000", "= 1", "<= 2026-01-01", "<= \"1\""] {
            assert_eq!(Limit::read(text), None, "{text}");
        }
    }
}
