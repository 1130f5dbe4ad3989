//! The eight rule types.

use std::cmp::Ordering;

use contract::{
    evaluation::ReasonCode,
    json::{Object, Value},
    rule::{Rule, RuleType},
};
use engine::Input;
use regex::Regex;

use super::{
    dates,
    gate::{json_list, present, same},
};

/// One rule on one input.
pub(super) struct Check<'a> {
    condition: &'a Value,
    input: &'a Input<'a>,
    pub(super) found: Vec<Found>,
    pub(super) as_of: bool,
}

/// A violation, without what its rule gives it.
pub(super) struct Found {
    pub(super) code: ReasonCode,
    pub(super) field: Option<String>,
    pub(super) actual: Option<Value>,
    pub(super) expected: String,
    pub(super) details: Option<Value>,
    pub(super) reason: String,
}

/// At most 100 characters of a value.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 100 {
        return text;
    }
    text.chars().take(100).chain(['…']).collect()
}

fn detail(name: &str, value: impl Into<Value>) -> Value {
    Value::Object(Object::from([(name, value.into())]))
}

fn counted(count: usize) -> Value {
    Value::from(u32::try_from(count).unwrap())
}

impl<'a> Check<'a> {
    /// Checks one rule that applies.
    pub(super) fn run(rule: &'a Rule, input: &'a Input<'a>) -> Self {
        let mut check = Self { condition: &rule.condition, input, found: Vec::new(), as_of: false };
        check.all(rule.rule_type);
        check
    }

    fn all(&mut self, rule_type: RuleType) {
        match rule_type {
            RuleType::Presence => self.presence(),
            RuleType::Threshold => self.threshold(),
            RuleType::List => self.list(),
            RuleType::Temporal => self.temporal(),
            RuleType::Pattern => self.pattern(),
            RuleType::Comparison => self.comparison(),
            RuleType::Evidence => self.evidence(),
            RuleType::Distinct => self.distinct(),
        }
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.condition.get(name).map(|value| value.as_str().unwrap())
    }

    fn truth(&self, name: &str, default: bool) -> bool {
        self.condition.get(name).map_or(default, |value| value.as_bool().unwrap())
    }

    fn texts(&self, name: &str) -> Vec<&'a str> {
        let list = self.condition.get(name).map_or(&[][..], |value| value.as_array().unwrap());
        list.iter().map(|name| name.as_str().unwrap()).collect()
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        present(self.input.fields, name)
    }

    fn missing(&mut self, name: &str) {
        self.found.push(Found {
            code: ReasonCode::FieldMissing,
            field: Some(name.to_owned()),
            actual: None,
            expected: "non-empty value".to_owned(),
            details: None,
            reason: format!("{name} is missing"),
        });
    }

    /// A violation of one field.
    fn fail(&mut self, code: ReasonCode, name: &str, actual: &Value, expected: &str, told: &str) {
        self.found.push(Found {
            code,
            field: Some(name.to_owned()),
            actual: Some(actual.clone()),
            expected: expected.to_owned(),
            details: None,
            reason: format!("{name} {told}"),
        });
    }

    /// Adds details to the last violation.
    fn with(&mut self, details: Value) {
        self.found.last_mut().unwrap().details = Some(details);
    }

    fn presence(&mut self) {
        let required = self.texts("required_fields");
        for name in &required {
            if self.value(name).is_none() {
                self.missing(name);
            }
        }
        for name in self.texts("forbidden_fields") {
            if let Some(value) = self.value(name) {
                let told = "is given, but must not be";
                self.fail(ReasonCode::FieldForbidden, name, value, "no value", told);
            }
        }
        let Some(lengths) = self.condition.get("min_length") else { return };
        for (name, min) in lengths.as_object().unwrap() {
            let Some(value) = self.value(name) else {
                if !required.contains(&name) {
                    self.missing(name);
                }
                continue;
            };
            let length = match value {
                Value::String(text) => Some(text.trim().chars().count()),
                Value::Array(elements) => Some(elements.len()),
                _ => None,
            };
            let expected = format!("length >= {min}");
            match length {
                Some(length) if counted(length).as_f64() >= min.as_f64() => {}
                Some(length) => {
                    let told = format!("has length {length}, below {min}");
                    self.fail(ReasonCode::FieldTooShort, name, value, &expected, &told);
                    self.with(detail("length", counted(length)));
                }
                None => {
                    let told = "has no length: it is neither a text nor a list";
                    self.fail(ReasonCode::FieldTooShort, name, value, &expected, told);
                }
            }
        }
    }

    fn threshold(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let Value::Number(number) = value else {
            let told = format!("is {}, not a number", brief(value));
            return self.fail(ReasonCode::ValueNotNumeric, name, value, "number", &told);
        };
        if let Some(Value::Number(max)) = self.condition.get("max") {
            if self.truth("exclusive_max", false) {
                if number >= max {
                    let told = format!("is {value}, not below {max}");
                    let expected = format!("< {max}");
                    return self.fail(ReasonCode::ValueAboveMax, name, value, &expected, &told);
                }
            } else if number > max {
                let told = format!("is {value}, above the maximum of {max}");
                let expected = format!("<= {max}");
                return self.fail(ReasonCode::ValueAboveMax, name, value, &expected, &told);
            }
        }
        if let Some(Value::Number(min)) = self.condition.get("min") {
            if self.truth("exclusive_min", false) {
                if number <= min {
                    let told = format!("is {value}, not above {min}");
                    let expected = format!("> {min}");
                    self.fail(ReasonCode::ValueBelowMin, name, value, &expected, &told);
                }
            } else if number < min {
                let told = format!("is {value}, below the minimum of {min}");
                let expected = format!(">= {min}");
                self.fail(ReasonCode::ValueBelowMin, name, value, &expected, &told);
            }
        }
    }

    fn list(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let case_sensitive = self.truth("case_sensitive", false);
        let (list, allows) = match self.condition.get("allowed") {
            Some(list) => (list.as_array().unwrap(), true),
            None => (self.condition.get("forbidden").unwrap().as_array().unwrap(), false),
        };
        let holds = |element: &Value| {
            let scalar = !matches!(element, Value::Null | Value::Array(_) | Value::Object(_));
            scalar && allows == list.iter().any(|entry| same(element, entry, case_sensitive))
        };
        let (code, word, expected) = if allows {
            (ReasonCode::ValueNotAllowed, "not allowed", format!("one of {}", json_list(list)))
        } else {
            (ReasonCode::ValueForbidden, "forbidden", format!("none of {}", json_list(list)))
        };
        match value {
            Value::Array(elements) => {
                let failing = elements.iter().position(|element| !holds(element));
                if let Some(index) = failing {
                    let told = format!("has {}, which is {word}", brief(&elements[index]));
                    self.fail(code, name, &elements[index], &expected, &told);
                    self.with(detail("index", counted(index)));
                }
            }
            _ if holds(value) => {}
            _ => {
                let told = format!("is {}, which is {word}", brief(value));
                self.fail(code, name, value, &expected, &told);
            }
        }
    }

    fn temporal(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let Some((start, end)) = value.as_str().and_then(dates::read) else {
            let told = format!("is {}, not a date or date-time", brief(value));
            return self.fail(ReasonCode::DateInvalid, name, value, "date or date-time", &told);
        };
        let as_of = self.input.as_of.millis();
        let (fails, code, expected, told) = if let Some(check) = self.text("check") {
            self.as_of = true;
            let instant = dates::write(as_of);
            if check == "not_expired" {
                (
                    end < as_of,
                    ReasonCode::DateExpired,
                    format!(">= {instant}"),
                    format!("before the decision's instant {instant}"),
                )
            } else {
                (
                    start > as_of,
                    ReasonCode::DateNotYetValid,
                    format!("<= {instant}"),
                    format!("after the decision's instant {instant}"),
                )
            }
        } else if let Some(days) = self.condition.get("max_age_days") {
            self.as_of = true;
            #[expect(clippy::cast_possible_truncation, reason = "a whole number of days")]
            let oldest = as_of - days.as_f64().unwrap() as i64 * 24 * 3_600 * 1_000;
            let instant = dates::write(as_of);
            let told = format!("more than {days} days before the decision's instant {instant}");
            // Where `oldest` cannot be written, it is before every date that can.
            let expected = if start < oldest { dates::write(oldest) } else { String::new() };
            (start < oldest, ReasonCode::DateExpired, format!(">= {expected}"), told)
        } else if let Some(limit) = self.text("not_before") {
            let fails = start < dates::read(limit).unwrap().0;
            let told = format!("before {limit}");
            (fails, ReasonCode::DateNotYetValid, format!(">= {limit}"), told)
        } else {
            let limit = self.text("not_after").unwrap();
            let fails = end > dates::read(limit).unwrap().1;
            (fails, ReasonCode::DateExpired, format!("<= {limit}"), format!("after {limit}"))
        };
        if fails {
            self.fail(code, name, value, &expected, &format!("is {}, {told}", brief(value)));
            if self.as_of {
                self.with(detail("as_of", dates::write(as_of)));
            }
        }
    }

    fn pattern(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let (pattern, matches) = match self.text("matches") {
            Some(pattern) => (pattern, true),
            None => (self.text("forbids").unwrap(), false),
        };
        let expected = format!("{} {pattern}", if matches { "matches" } else { "does not match" });
        let Value::String(text) = value else {
            let told = format!("is {}, not a text", brief(value));
            return self.fail(ReasonCode::PatternMismatch, name, value, &expected, &told);
        };
        let found = Regex::new(pattern).unwrap().is_match(text);
        if found != matches {
            let (code, told) = if matches {
                (ReasonCode::PatternMismatch, "which does not match the pattern")
            } else {
                (ReasonCode::PatternForbidden, "which matches a forbidden pattern")
            };
            self.fail(code, name, value, &expected, &format!("is {}, {told}", brief(value)));
        }
    }

    fn comparison(&mut self) {
        let name = self.text("left").unwrap();
        let left = self.value(name);
        if left.is_none() {
            self.missing(name);
        }
        let right_name = self.text("right");
        let right = match right_name {
            Some(right) => self.value(right),
            None => self.condition.get("right_value"),
        };
        if let (Some(name), None) = (right_name, right) {
            self.missing(name);
        }
        let (Some(left), Some(right)) = (left, right) else { return };
        let operator = self.text("operator").unwrap();
        let ordering = match (left, right) {
            (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
            (Value::Bool(a), Value::Bool(b)) if ["eq", "ne"].contains(&operator) => Some(a.cmp(b)),
            (Value::String(a), Value::String(b)) => Some(match (dates::read(a), dates::read(b)) {
                (Some((a, _)), Some((b, _))) => a.cmp(&b),
                _ => a.chars().cmp(b.chars()),
            }),
            _ => None,
        };
        let (sign, words, good): (_, _, &[Ordering]) = match operator {
            "eq" => ("==", "equal to", &[Ordering::Equal]),
            "ne" => ("!=", "different from", &[Ordering::Less, Ordering::Greater]),
            "lt" => ("<", "less than", &[Ordering::Less]),
            "lte" => ("<=", "at most", &[Ordering::Less, Ordering::Equal]),
            "gt" => (">", "greater than", &[Ordering::Greater]),
            _ => (">=", "at least", &[Ordering::Greater, Ordering::Equal]),
        };
        if ordering.is_some_and(|ordering| good.contains(&ordering)) {
            return;
        }
        let other = match right_name {
            Some(name) => format!("{name} ({})", brief(right)),
            None => brief(right),
        };
        let told = match ordering {
            Some(_) => format!("is {}, not {words} {other}", brief(left)),
            None => format!("is {}, which cannot be compared with {other}", brief(left)),
        };
        let expected = format!("{sign} {right}");
        self.fail(ReasonCode::ComparisonFailed, name, left, &expected, &told);
        if let Some(name) = right_name {
            self.with(detail("right", name));
        }
    }

    fn evidence(&mut self) {
        for kind in self.texts("required_kinds") {
            if self.input.evidence.iter().any(|item| item.kind == Some(kind)) {
                continue;
            }
            let expected = format!("evidence of kind {}", Value::from(kind));
            self.found.push(Found {
                code: ReasonCode::EvidenceMissing,
                field: None,
                actual: None,
                reason: format!("{expected} is missing"),
                expected,
                details: Some(detail("kind", kind)),
            });
        }
        if !self.truth("verify_hash", true) {
            return;
        }
        for (index, item) in self.input.evidence.iter().enumerate() {
            let (Some(hash), Some(digest)) = (item.hash, item.data_digest) else { continue };
            let fits = [digest.to_owned(), format!("sha256:{digest}")];
            let (prefix, hex) = hash.split_at(hash.find(':').map_or(0, |colon| colon + 1));
            if fits.contains(&format!("{prefix}{}", hex.to_ascii_lowercase())) {
                continue;
            }
            let told = match item.kind {
                Some(kind) => format!("evidence {index} ({})", brief(&kind.into())),
                None => format!("evidence {index}"),
            };
            self.found.push(Found {
                code: ReasonCode::EvidenceHashMismatch,
                field: None,
                actual: Some(hash.into()),
                expected: digest.to_owned(),
                details: Some(detail("index", counted(index))),
                reason: format!("the hash of {told} is not the digest of its data"),
            });
        }
    }

    fn distinct(&mut self) {
        let mut values: Vec<(&str, Value)> = Vec::new();
        for name in self.texts("fields") {
            match self.value(name) {
                Some(value) => values.push((name, value.clone())),
                None => self.missing(name),
            }
        }
        if self.truth("include_actor", false) {
            match self.input.actor_id.filter(|id| !id.trim().is_empty()) {
                Some(id) => values.push(("actor.id", id.into())),
                None => self.missing("actor.id"),
            }
        }
        for i in 0..values.len() {
            for j in i + 1..values.len() {
                let ((a, value), (b, other)) = (&values[i], &values[j]);
                if value == other {
                    self.found.push(Found {
                        code: ReasonCode::ValuesNotDistinct,
                        field: None,
                        actual: Some(value.clone()),
                        expected: "different values".to_owned(),
                        details: Some(detail("fields", vec![Value::from(*a), Value::from(*b)])),
                        reason: format!("{a} and {b} are both {}", brief(value)),
                    });
                }
            }
        }
    }
}
