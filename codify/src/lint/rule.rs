//! What the lint needs to know of a rule.

use std::collections::BTreeSet;

use contract::{json::Value, rule::Severity};

use super::{number, word::Words};

/// A rule as the lint sees it.
#[derive(Debug)]
pub(super) struct Facts<'r> {
    pub(super) code: &'r str,
    pub(super) severity: Severity,
    pub(super) is_active: bool,
    /// Every number that condition and gate hold, also within texts and names of fields; ascending.
    numbers: Vec<f64>,
    /// Every day that they hold, as `YYYY-MM-DD`.
    days: BTreeSet<String>,
}

impl<'r> Facts<'r> {
    pub(super) fn of(rule: &'r Value) -> Option<Self> {
        let text = |name| rule.get(name).and_then(Value::as_str);
        let mut facts = Self {
            code: text("code")?,
            severity: text("severity")?.parse().ok()?,
            is_active: rule.get("is_active").and_then(Value::as_bool).unwrap_or(true),
            numbers: Vec::new(),
            days: BTreeSet::new(),
        };
        for part in ["condition", "when"] {
            facts.gather(rule.get(part).unwrap_or(&Value::Null));
        }
        facts.numbers.sort_by(f64::total_cmp);
        facts.numbers.dedup_by(|a, b| a.total_cmp(b).is_eq());
        Some(facts)
    }

    /// Whether one of its numbers lies from `low` to `high`.
    pub(super) fn holds(&self, low: f64, high: f64) -> bool {
        let first = self.numbers.partition_point(|number| *number < low);
        self.numbers.get(first).is_some_and(|number| *number <= high)
    }

    /// Whether it names the day, `YYYY-MM-DD`.
    pub(super) fn names(&self, day: &str) -> bool {
        self.days.contains(day)
    }

    fn gather(&mut self, value: &'r Value) {
        match value {
            Value::Number(number) => self.numbers.push(number.get()),
            Value::String(text) => self.gather_name(text),
            Value::Array(elements) => {
                // "Two different persons" may be a list of two fields.
                self.numbers.extend(u32::try_from(elements.len()).ok().map(f64::from));
                for element in elements {
                    self.gather(element);
                }
            }
            Value::Object(members) => {
                for (name, value) in members {
                    self.gather_name(name);
                    self.gather(value);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The numbers in a text: `over_10000`, `eighteenth_birthday`.
    fn gather_name(&mut self, name: &str) {
        let spaced = name.replace(['_', '.'], " ");
        for text in [name, &spaced] {
            let words = Words::of(text);
            self.numbers.extend(words.iter().filter_map(|(_, word)| {
                number::figures(&word.text).or_else(|| number::named(&word.lower))
            }));
        }
        let bytes = name.as_bytes();
        let days = bytes.windows(10).filter(|window| is_day(window));
        self.days.extend(days.map(|day| String::from_utf8_lossy(day).into_owned()));
    }
}

/// Whether these ten bytes are `YYYY-MM-DD`.
fn is_day(bytes: &[u8]) -> bool {
    let fits = |(byte, form): (&u8, u8)| match form {
        b'0' => byte.is_ascii_digit(),
        dash => *byte == dash,
    };
    bytes.iter().zip(*b"0000-00-00").all(fits)
}
