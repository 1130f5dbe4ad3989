//! Numbers as people write them: with a decimal point or comma, and with groups of three digits.

use page_kit::prelude::*;

/// The characters that separate groups of digits, besides the decimal separator of another language.
const GROUP_SEPARATORS: [char; 6] = [' ', '\u{A0}', '\u{202F}', '\u{2009}', '\'', '\u{2019}'];

/// How a text reads as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberReading {
    None,
    One(Number),
    /// Two readings of a text such as `1.250`, if the decimal separator is a comma: with groups of digits, and with
    /// decimals as in other languages.
    Two([Number; 2]),
}

/// Reads a number in a language with the decimal separator `decimal`: a point or a comma.
///
/// A text with only one reading in any language has that one. If the decimal separator of the language gives a reading,
/// it is not ambiguous.
pub fn read(text: &str, decimal: &str) -> NumberReading {
    let text = text.trim();
    let other = if decimal == "." { "," } else { "." };
    match (parse(text, decimal), parse(text, other)) {
        (Some(own), Some(foreign)) if own != foreign && !text.contains(decimal) => {
            NumberReading::Two([own, foreign])
        }
        (Some(number), _) | (None, Some(number)) => NumberReading::One(number),
        (None, None) => NumberReading::None,
    }
}

/// Writes a number without groups of digits.
pub fn write(number: Number, decimal: &str) -> String {
    number.to_string().replace('.', decimal)
}

fn parse(text: &str, decimal: &str) -> Option<Number> {
    let (sign, text) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    let (whole, fraction) = match mantissa.split_once(decimal) {
        Some((whole, fraction)) if is_digits(fraction) => (whole, format!(".{fraction}")),
        Some(_) => return None,
        None => (mantissa, String::new()),
    };
    let whole = match whole {
        "" if !fraction.is_empty() => "0".to_owned(),
        digits if is_digits(digits) => digits.to_owned(),
        groups if exponent.is_empty() => without_groups(groups, decimal)?,
        _ => return None,
    };
    let zeros = whole.len() - whole.trim_start_matches('0').len();
    let whole = whole.get(zeros.min(whole.len() - 1)..)?;
    let json = format!("{sign}{whole}{fraction}{exponent}");
    match Value::parse(json.as_bytes(), &Limits::REQUEST) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}

/// Returns the digits of a number whose groups have three digits and the same separator.
fn without_groups(text: &str, decimal: &str) -> Option<String> {
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    let is_separator = GROUP_SEPARATORS.contains(&separator)
        || (matches!(separator, '.' | ',') && !decimal.contains(separator));
    let mut groups = text.split(separator);
    let first = groups.next().filter(|first| is_digits(first) && first.len() <= 3)?;
    let has_groups = groups.all(|group| is_digits(group) && group.len() == 3);
    (is_separator && has_groups && !first.starts_with('0')).then(|| text.replace(separator, ""))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the readings of a text, as text.
    fn readings(text: &str, decimal: &str) -> String {
        match read(text, decimal) {
            NumberReading::None => "none".to_owned(),
            NumberReading::One(number) => number.to_string(),
            NumberReading::Two([own, other]) => format!("{own} or {other}"),
        }
    }

    #[test]
    fn numbers_are_read_as_the_language_writes_them() {
        for (text, with_comma, with_point) in [
            ("12,50", "12.5", "12.5"),
            ("12.50", "12.5", "12.5"),
            ("1.250", "1250 or 1.25", "1.25"),
            ("1,250", "1.25", "1250 or 1.25"),
            ("-1.250", "-1250 or -1.25", "-1.25"),
            ("0.250", "0.25", "0.25"),
            ("1.250,5", "1250.5", "1250.5"),
            ("1,250.5", "1250.5", "1250.5"),
            ("1.250.000", "1250000", "1250000"),
            ("1 250,5", "1250.5", "1250.5"),
            ("1\u{202F}250", "1250", "1250"),
            ("1'250.5", "1250.5", "1250.5"),
            ("1250", "1250", "1250"),
            ("1250.500", "1250.5", "1250.5"),
            (" +7 ", "7", "7"),
            ("\u{2212}7", "-7", "-7"),
            ("007", "7", "7"),
            ("0", "0", "0"),
            (",5", "0.5", "0.5"),
            ("1e3", "1000", "1000"),
            ("1.250e3", "1250", "1250"),
        ] {
            assert_eq!(readings(text, ","), with_comma, "{text} with a decimal comma");
            assert_eq!(readings(text, "."), with_point, "{text} with a decimal point");
        }
        let none =
            "|-|.|,|5,|1.2.3|1.25.000|12,5oo|1 25|1.250 000|1,2.3,4|0x10|1e|Infinity|NaN|1e400";
        for text in none.split('|').chain(["9007199254740993", "12 €", "1_000", "١٢"]) {
            assert_eq!(readings(text, ","), "none", "{text}");
            assert_eq!(readings(text, "."), "none", "{text}");
        }
    }

    #[test]
    fn written_numbers_have_one_reading() {
        for decimal in [".", ","] {
            for number in [1250.0, 1.25, 12.5, -0.125, 1_234_567.891] {
                let number = Number::new(number).unwrap();
                let text = write(number, decimal);
                assert_eq!(read(&text, decimal), NumberReading::One(number), "{text}");
            }
        }
    }
}
