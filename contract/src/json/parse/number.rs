//! Numbers: the grammar of RFC 8259, and the nearest double however long the text is.

use super::{Fault, FaultCode, Reader};
use crate::json::Number;

impl Reader<'_> {
    pub(super) fn number(&mut self) -> Result<Number, Fault> {
        let start = self.at;
        self.skip(b"-");
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        let mut is_whole = true;
        if self.skip(b".") {
            self.digits()?;
            is_whole = false;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
            is_whole = false;
        }
        let literal = self.text.get(start..self.at).unwrap_or_default();
        let value =
            if is_whole && literal.len() <= SMALL { small(literal) } else { double(literal) };
        value.ok_or(Fault { code: FaultCode::NumberOutOfRange, offset: start })
    }

    fn skip(&mut self, any_of: &[u8]) -> bool {
        let skips = self.peek().is_some_and(|byte| any_of.contains(&byte));
        self.at += usize::from(skips);
        skips
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(self.syntax()) } else { Ok(()) }
    }
}

/// So many characters of a whole number fit an `i32`, sign included.
const SMALL: usize = 9;

fn small(literal: &str) -> Option<Number> {
    literal.parse::<i32>().ok().map(Number::from)
}

/// The nearest double, ties to even. A literal that is not zero must not become zero.
fn double(literal: &str) -> Option<Number> {
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let is_zero = mantissa.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero {
        return Some(Number::from(0));
    }
    let value: f64 = if exponent.len() <= EXPONENT_SAFE {
        literal.parse().ok()?
    } else {
        scaled(mantissa, exponent).parse().ok()?
    };
    if value == 0.0 { None } else { Number::new(value) }
}

/// `str::parse` stops counting exponents above 65,535; a mantissa can be long enough to need them.
const EXPONENT_SAFE: usize = 5;

/// The same number as `0.` and its digits, with the exponent that this asks for.
fn scaled(mantissa: &str, exponent: &str) -> String {
    let (sign, unsigned) =
        mantissa.strip_prefix('-').map_or(("", mantissa), |unsigned| ("-", unsigned));
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let leading_zeros = digits.len() - significant.len();
    let limit = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(limit);
    let shift = i64::try_from(whole.len()).unwrap_or(i64::MAX)
        - i64::try_from(leading_zeros).unwrap_or(i64::MAX);
    // Beyond ±1,000 every number is infinite or zero.
    let scale = exponent.saturating_add(shift).clamp(-1_000, 1_000);
    format!("{sign}0.{significant}e{scale}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(literal: &str) -> Option<f64> {
        double(literal).map(Number::get)
    }

    #[test]
    fn a_literal_is_its_nearest_double() {
        assert_eq!(read("9007199254740991.4"), Some(9_007_199_254_740_991.0));
        assert_eq!(read("9007199254740991.5"), None);
        assert_eq!(read("0.1e1"), Some(1.0));
        assert_eq!(read("5e-324"), Some(5e-324));
        assert_eq!(read("2e-324"), None);
        assert_eq!(read("-0.0e9999999999"), Some(0.0));
    }

    #[test]
    fn the_length_of_a_literal_does_not_matter() {
        let zeros = "0".repeat(700_000);
        assert_eq!(read(&format!("0.{zeros}15e700001")), Some(1.5));
        assert_eq!(read(&format!("-15{zeros}e-700001")), Some(-1.5));
        assert_eq!(read(&format!("1{zeros}")), None);
        assert_eq!(read(&format!("0.{zeros}1")), None);
        for literal in ["1e99999999999999999999", "1e-99999999999999999999", "1e-000000400"] {
            assert_eq!(read(literal), None, "{literal}");
        }
        assert_eq!(read("1e+0000000002"), Some(100.0));
    }
}
