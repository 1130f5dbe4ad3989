//! Number parsing: the grammar of RFC 8259, rounded to the nearest double for literals of any length.

use super::{ParseError, ParseErrorCode, Reader};
use crate::json::Number;

impl Reader<'_> {
    pub(super) fn number(&mut self) -> Result<Number, ParseError> {
        let start = self.offset;
        self.skip(b"-");
        if self.peek() == Some(b'0') {
            self.offset += 1;
        } else {
            self.digits()?;
        }
        let mut is_integer = true;
        if self.skip(b".") {
            self.digits()?;
            is_integer = false;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
            is_integer = false;
        }
        let literal = self.text.get(start..self.offset).unwrap_or_default();
        let value = if is_integer && literal.len() <= I32_CHARS_MAX {
            parse_i32(literal)
        } else {
            parse_double(literal)
        };
        value.ok_or(ParseError { code: ParseErrorCode::NumberOutOfRange, offset: start })
    }

    fn skip(&mut self, accepted: &[u8]) -> bool {
        let matches = self.peek().is_some_and(|byte| accepted.contains(&byte));
        self.offset += usize::from(matches);
        matches
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.offset += count;
        if count == 0 { Err(self.syntax()) } else { Ok(()) }
    }
}

/// The longest integer literal, sign included, that always fits an `i32`.
const I32_CHARS_MAX: usize = 9;

fn parse_i32(literal: &str) -> Option<Number> {
    literal.parse::<i32>().ok().map(Number::from)
}

/// Returns the nearest double, ties to even. Returns `None` if a literal other than zero rounds to zero.
fn parse_double(literal: &str) -> Option<Number> {
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let is_zero = mantissa.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero {
        return Some(Number::from(0));
    }
    let value: f64 = if exponent.len() <= EXPONENT_CHARS_MAX {
        literal.parse().ok()?
    } else {
        normalize(mantissa, exponent).parse().ok()?
    };
    if value == 0.0 { None } else { Number::new(value) }
}

/// The longest exponent, in characters, that `str::parse` reads exactly; it stops counting above 65,535. A
/// long mantissa can need a larger exponent.
const EXPONENT_CHARS_MAX: usize = 5;

/// Rewrites the number as `0.` followed by its significant digits, with a matching exponent.
fn normalize(mantissa: &str, exponent: &str) -> String {
    let (sign, unsigned) =
        mantissa.strip_prefix('-').map_or(("", mantissa), |unsigned| ("-", unsigned));
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{integer}{fraction}");
    let significant = digits.trim_start_matches('0');
    let leading_zeros = digits.len() - significant.len();
    let limit = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(limit);
    let shift = i64::try_from(integer.len()).unwrap_or(i64::MAX)
        - i64::try_from(leading_zeros).unwrap_or(i64::MAX);
    // With an exponent beyond ±1,000 every number is infinite or zero.
    let scale = exponent.saturating_add(shift).clamp(-1_000, 1_000);
    format!("{sign}0.{significant}e{scale}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(literal: &str) -> Option<f64> {
        parse_double(literal).map(Number::get)
    }

    #[test]
    fn literal_is_read_as_its_nearest_double() {
        assert_eq!(read("9007199254740991.4"), Some(9_007_199_254_740_991.0));
        assert_eq!(read("9007199254740991.5"), None);
        assert_eq!(read("0.1e1"), Some(1.0));
        assert_eq!(read("5e-324"), Some(5e-324));
        assert_eq!(read("2e-324"), None);
        assert_eq!(read("-0.0e9999999999"), Some(0.0));
    }

    #[test]
    fn literals_of_any_length_are_read_exactly() {
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
