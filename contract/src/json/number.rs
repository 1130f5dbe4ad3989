//! Numbers: IEEE 754 doubles that every JSON reader takes alike.

use std::fmt;

/// A number within ±(2^53 − 1). Never NaN, never infinite, and `-0` is `0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Number(f64);

impl Number {
    /// The greatest number: 2^53 − 1, up to which each whole number has a double of its own.
    pub const MAX: f64 = 9_007_199_254_740_991.0;

    /// The number `value`, unless it lies outside ±(2^53 − 1) or is NaN.
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns −0 into 0 and changes nothing else.
        (value.abs() <= Self::MAX).then_some(Self(value + 0.0))
    }

    /// The double.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The whole number, when this is one.
    #[expect(clippy::cast_possible_truncation, reason = "whole, and within ±(2^53 − 1)")]
    pub fn as_i64(self) -> Option<i64> {
        (self.0.fract() == 0.0).then_some(self.0 as i64)
    }
}

// No number is NaN.
impl Eq for Number {}

impl fmt::Display for Number {
    /// Writes ECMAScript's `Number::toString`.
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

/// A whole number outside ±(2^53 − 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberOutOfRange;

impl fmt::Display for NumberOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("number outside ±(2^53 − 1)")
    }
}

impl std::error::Error for NumberOutOfRange {}

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
    fn numbers_end_at_the_last_exact_whole_number() {
        assert!(Number::new(Number::MAX).is_some() && Number::new(-Number::MAX).is_some());
        for value in [Number::MAX + 1.0, -Number::MAX - 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(Number::new(value), None);
        }
        assert!(Number::try_from(9_007_199_254_740_991_u64).is_ok());
        assert_eq!(Number::try_from(9_007_199_254_740_993_i64), Err(NumberOutOfRange));
        assert_eq!(Number::try_from(u64::MAX), Err(NumberOutOfRange));
    }

    #[test]
    fn there_is_one_zero() {
        assert!(Number::new(-0.0).is_some_and(|zero| zero.get().is_sign_positive()));
    }

    #[test]
    fn whole_numbers_are_known_as_such() {
        assert_eq!(Number::new(-5.0).and_then(Number::as_i64), Some(-5));
        assert_eq!(Number::new(0.5).and_then(Number::as_i64), None);
    }
}
