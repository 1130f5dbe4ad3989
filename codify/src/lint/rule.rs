//! Summaries of rules for the lint.

use std::collections::BTreeSet;

use contract::{json::Value, rule::Severity};

use super::{number, token::Tokens};

/// The parts of a rule that the lint uses.
#[derive(Debug)]
pub(super) struct RuleSummary<'r> {
    pub(super) code: &'r str,
    pub(super) severity: Severity,
    pub(super) is_active: bool,
    /// All numbers of the condition and the gate in ascending order, including those in strings and field
    /// names.
    numbers: Vec<f64>,
    /// All dates of the condition and the gate, as `YYYY-MM-DD`.
    days: BTreeSet<String>,
}

impl<'r> RuleSummary<'r> {
    pub(super) fn from_rule(rule: &'r Value) -> Option<Self> {
        let text = |name| rule.get(name).and_then(Value::as_str);
        let mut summary = Self {
            code: text("code")?,
            severity: text("severity")?.parse().ok()?,
            is_active: rule.get("is_active").and_then(Value::as_bool).unwrap_or(true),
            numbers: Vec::new(),
            days: BTreeSet::new(),
        };
        for part in ["condition", "when"] {
            summary.collect(rule.get(part).unwrap_or(&Value::Null));
        }
        summary.numbers.sort_by(f64::total_cmp);
        summary.numbers.dedup_by(|a, b| a.total_cmp(b).is_eq());
        Some(summary)
    }

    /// Returns whether the rule contains a number in `low..=high`.
    pub(super) fn contains_range(&self, low: f64, high: f64) -> bool {
        let first = self.numbers.partition_point(|number| *number < low);
        self.numbers.get(first).is_some_and(|number| *number <= high)
    }

    /// Returns whether the rule contains the date `day`, as `YYYY-MM-DD`.
    pub(super) fn mentions_date(&self, day: &str) -> bool {
        self.days.contains(day)
    }

    fn collect(&mut self, value: &'r Value) {
        match value {
            Value::Number(number) => self.numbers.push(number.get()),
            Value::String(text) => self.collect_text(text),
            Value::Array(elements) => {
                // The length of a list is a number too: "two different persons" can be a list of two fields.
                self.numbers.extend(u32::try_from(elements.len()).ok().map(f64::from));
                for element in elements {
                    self.collect(element);
                }
            }
            Value::Object(members) => {
                for (name, value) in members {
                    self.collect_text(name);
                    self.collect(value);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Collects the numbers and dates in a text or a field name, such as `over_10000` or
    /// `eighteenth_birthday`.
    fn collect_text(&mut self, text: &str) {
        let spaced = text.replace(['_', '.', '[', ']', '"', '/'], " ");
        for form in [text, &spaced] {
            let tokens = Tokens::new(form);
            self.numbers.extend(tokens.iter().filter_map(|(_, token)| {
                number::parse_digits(&token.text).or_else(|| number::number_word(&token.lower))
            }));
        }
        let bytes = text.as_bytes();
        let days = bytes.windows(10).filter(|window| is_day(window));
        self.days.extend(days.map(|day| String::from_utf8_lossy(day).into_owned()));
    }
}

/// Returns whether these ten bytes have the form `YYYY-MM-DD`.
fn is_day(bytes: &[u8]) -> bool {
    let fits = |(byte, pattern): (&u8, u8)| match pattern {
        b'0' => byte.is_ascii_digit(),
        dash => *byte == dash,
    };
    bytes.iter().zip(*b"0000-00-00").all(fits)
}
