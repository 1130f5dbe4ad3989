//! Numbers and counts for people.

use contract::json::Value;

/// A count with its noun: "1 rule", "16 rules".
pub fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(&number.to_string(), 4))
}

/// A number of something that is counted: "84,112".
pub fn whole(number: i64) -> String {
    grouped(&number.to_string(), 4)
}

/// A count of what is never fewer than none: "84,112".
pub(crate) fn counted(number: u64) -> String {
    grouped(&number.to_string(), 4)
}

/// `part` of `whole` in hundredths, rounded: "38 %".
#[cfg(feature = "ssr")]
pub(crate) fn rate(part: i64, whole: i64) -> String {
    let whole = whole.max(1);
    format!("{} %", part.saturating_mul(200).saturating_add(whole) / (2 * whole))
}

/// Milliseconds to three digits that count: "0.031", "12.5".
pub(crate) fn milliseconds(ms: f64) -> String {
    match ms {
        ..1.0 => format!("{ms:.3}"),
        ..10.0 => format!("{ms:.2}"),
        ..100.0 => format!("{ms:.1}"),
        _ => format!("{ms:.0}"),
    }
}

/// A JSON value as a rule's sentence shows it: numbers in groups of three digits, texts in quotes.
pub fn value(value: &Value) -> String {
    match value {
        Value::Number(_) => grouped(&value.to_canonical(), 5),
        other => other.to_canonical(),
    }
}

/// Groups the whole digits of `number` by commas once there are `from` of them: four digits may be
/// a year, five cannot.
fn grouped(number: &str, from: usize) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, rest) =
        digits.split_at(digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
    if whole.len() < from || rest.contains('e') {
        return number.to_owned();
    }
    let mut out = String::from(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped_and_years_are_not() {
        let shown = |number: &str| grouped(number, 5);
        assert_eq!(shown("250000"), "250,000");
        assert_eq!(shown("-1234567.25"), "-1,234,567.25");
        assert_eq!(shown("2026"), "2026");
        assert_eq!(shown("1e+21"), "1e+21");
    }

    #[test]
    fn a_count_agrees_with_its_noun() {
        assert_eq!(count(1, "rule", "rules"), "1 rule");
        assert_eq!(count(4812, "decision", "decisions"), "4,812 decisions");
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn rates_are_rounded_and_times_keep_three_digits() {
        assert_eq!(rate(19, 50), "38 %");
        assert_eq!(rate(1, 8), "13 %");
        assert_eq!(rate(0, 0), "0 %");
        assert_eq!(
            [0.0312, 1.234, 12.34, 123.4].map(milliseconds),
            ["0.031", "1.23", "12.3", "123"]
        );
    }
}
