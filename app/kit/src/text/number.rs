//! Formats numbers and counts.

use contract::{alert::COUNT_MAX, json::Value};

/// Formats a count with its noun, for example "1 rule" or "16 rules".
pub fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(&number.to_string(), 4))
}

/// Formats an integer, for example "84,112".
pub fn whole(number: i64) -> String {
    grouped(&number.to_string(), 4)
}

/// Formats an unsigned count, for example "84,112".
pub fn counted(number: u64) -> String {
    grouped(&number.to_string(), 4)
}

/// Formats a count of alerts or deliveries, which ends at [`COUNT_MAX`]: "84", or "1,000+".
pub fn limited(number: u64) -> String {
    let plus = if number < u64::from(COUNT_MAX) { "" } else { "+" };
    format!("{}{plus}", counted(number))
}

/// Formats `part` of `whole` as a rounded percentage, for example "38 %".
pub fn rate(part: i64, whole: i64) -> String {
    let whole = whole.max(1);
    format!("{} %", part.saturating_mul(200).saturating_add(whole) / (2 * whole))
}

/// Formats `part` of `whole` as a percentage with one decimal, for example "6.4 %".
pub fn exact_rate(part: i64, whole: i64) -> String {
    let tenths = tenths(part, whole);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Returns `part` of `whole` in tenths of a percent, rounded.
pub fn tenths(part: i64, whole: i64) -> i64 {
    let whole = whole.max(1);
    part.saturating_mul(2_000).saturating_add(whole) / (2 * whole)
}

/// Formats a round number for an axis, for example "2,000", "20k" or "5M".
pub fn compact(number: i64) -> String {
    match number {
        ..10_000 => whole(number),
        10_000..10_000_000 => format!("{}k", whole(number / 1_000)),
        _ => format!("{}M", whole(number / 1_000_000)),
    }
}

/// Formats milliseconds with about three digits, for example "0.031" or "12.5".
pub fn milliseconds(ms: f64) -> String {
    match ms {
        ..1.0 => format!("{ms:.3}"),
        ..10.0 => format!("{ms:.2}"),
        ..100.0 => format!("{ms:.1}"),
        _ => format!("{ms:.0}"),
    }
}

/// Formats a JSON value for the sentence of a rule: numbers with grouped digits, texts in quotes.
pub fn value(value: &Value) -> String {
    match value {
        Value::Number(_) => grouped(&value.to_canonical(), 5),
        other => other.to_canonical(),
    }
}

/// Groups the integer digits of `number` by commas if there are at least `from` digits. A number of four
/// digits may be a year.
fn grouped(number: &str, from: usize) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, rest) =
        digits.split_at(digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
    if whole.len() < from || rest.contains('e') {
        return number.to_owned();
    }
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
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
    fn numbers_are_grouped_from_five_digits() {
        let format_value = |number: &str| grouped(number, 5);
        assert_eq!(format_value("250000"), "250,000");
        assert_eq!(format_value("-1234567.25"), "-1,234,567.25");
        assert_eq!(format_value("2026"), "2026");
        assert_eq!(format_value("1e+21"), "1e+21");
    }

    #[test]
    fn a_count_agrees_with_its_noun() {
        assert_eq!(count(1, "rule", "rules"), "1 rule");
        assert_eq!(count(4812, "decision", "decisions"), "4,812 decisions");
        assert_eq!([999, 1_000].map(limited), ["999", "1,000+"]);
    }

    #[test]
    fn rates_are_rounded_and_milliseconds_have_three_digits() {
        assert_eq!(rate(19, 50), "38 %");
        assert_eq!(rate(1, 8), "13 %");
        assert_eq!(rate(0, 0), "0 %");
        assert_eq!(
            [(5_855, 91_146), (1, 1), (0, 0)].map(|(part, all)| exact_rate(part, all)),
            ["6.4 %", "100.0 %", "0.0 %"]
        );
        assert_eq!(
            [0, 2_000, 20_000, 5_000_000, 20_000_000].map(compact),
            ["0", "2,000", "20k", "5,000k", "20M"]
        );
        assert_eq!(
            [0.0312, 1.234, 12.34, 123.4].map(milliseconds),
            ["0.031", "1.23", "12.3", "123"]
        );
    }
}
