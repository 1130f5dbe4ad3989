//! Numbers: IEEE 754 doubles in the range that all JSON parsers read identically.

use std::fmt;

/// A number within ±(2^53 − 1). It is never NaN or infinite, and `-0` is stored as `0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Number(f64);

impl Number {
    /// The largest number, 2^53 − 1. Up to it, each integer has its own double.
    pub const MAX: f64 = 9_007_199_254_740_991.0;

    /// Returns the number `value`, or `None` if it is outside ±(2^53 − 1) or NaN.
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero converts −0 to 0 and leaves other values unchanged.
        (value.abs() <= Self::MAX).then_some(Self(value + 0.0))
    }

    /// Returns the value as a double.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Returns the value as an integer if it has no fraction.
    #[expect(clippy::cast_possible_truncation, reason = "whole, and within ±(2^53 − 1)")]
    pub fn as_i64(self) -> Option<i64> {
        (self.0.fract() == 0.0).then_some(self.0 as i64)
    }
}

// `Number` excludes NaN, so equality is reflexive.
impl Eq for Number {}

impl fmt::Display for Number {
    /// Writes the number as ECMAScript's `Number::toString` does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ryu_js::Buffer::new().format_finite(self.0))
    }
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self(f64::from(value))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(f64::from(value))
    }
}

/// The error for an integer outside ±(2^53 − 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("number outside ±(2^53 − 1)")]
pub struct NumberOutOfRange;

impl TryFrom<i64> for Number {
    type Error = NumberOutOfRange;

    #[expect(clippy::cast_precision_loss, reason = "a rounded number is out of range as well")]
    fn try_from(value: i64) -> Result<Self, NumberOutOfRange> {
        Self::new(value as f64).ok_or(NumberOutOfRange)
    }
}

impl TryFrom<u64> for Number {
    type Error = NumberOutOfRange;

    #[expect(clippy::cast_precision_loss, reason = "a rounded number is out of range as well")]
    fn try_from(value: u64) -> Result<Self, NumberOutOfRange> {
        Self::new(value as f64).ok_or(NumberOutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_the_largest_exact_integer_are_rejected() {
        assert!(Number::new(Number::MAX).is_some() && Number::new(-Number::MAX).is_some());
        for value in [Number::MAX + 1.0, -Number::MAX - 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(Number::new(value), None);
        }
        assert!(Number::try_from(9_007_199_254_740_991_u64).is_ok());
        assert_eq!(Number::try_from(9_007_199_254_740_993_i64), Err(NumberOutOfRange));
        assert_eq!(Number::try_from(u64::MAX), Err(NumberOutOfRange));
    }

    #[test]
    fn negative_zero_becomes_zero() {
        assert!(Number::new(-0.0).is_some_and(|zero| zero.get().is_sign_positive()));
    }

    #[test]
    fn only_integers_convert_to_i64() {
        assert_eq!(Number::new(-5.0).and_then(Number::as_i64), Some(-5));
        assert_eq!(Number::new(0.5).and_then(Number::as_i64), None);
    }
}
