//! Naive checks of the eight rule types.

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
    gate::{json_list, present_value, scalars_equal},
};

/// The check of one rule against one input.
pub(super) struct Check<'a> {
    condition: &'a Value,
    input: &'a Input<'a>,
    pub(super) failures: Vec<Failure>,
    pub(super) as_of: bool,
}

/// A violation without the data of its rule.
pub(super) struct Failure {
    pub(super) code: ReasonCode,
    pub(super) field: Option<String>,
    pub(super) actual: Option<Value>,
    pub(super) expected: String,
    pub(super) details: Option<Value>,
    pub(super) reason: String,
}

/// Returns at most 100 characters of a value.
fn shorten(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 100 {
        return text;
    }
    text.chars().take(100).chain(['…']).collect()
}

fn detail(name: &str, value: impl Into<Value>) -> Value {
    Value::Object(Object::from([(name, value.into())]))
}

fn count_value(count: usize) -> Value {
    Value::from(u32::try_from(count).unwrap())
}

impl<'a> Check<'a> {
    /// Checks one applicable rule.
    pub(super) fn run(rule: &'a Rule, input: &'a Input<'a>) -> Self {
        let mut check =
            Self { condition: &rule.condition, input, failures: Vec::new(), as_of: false };
        check.run_checks(rule.rule_type);
        check
    }

    fn run_checks(&mut self, rule_type: RuleType) {
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

    fn flag(&self, name: &str, default: bool) -> bool {
        self.condition.get(name).map_or(default, |value| value.as_bool().unwrap())
    }

    fn strings(&self, name: &str) -> Vec<&'a str> {
        let list = self.condition.get(name).map_or(&[][..], |value| value.as_array().unwrap());
        list.iter().map(|name| name.as_str().unwrap()).collect()
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        present_value(self.input.fields, name)
    }

    fn missing(&mut self, name: &str) {
        self.failures.push(Failure {
            code: ReasonCode::FieldMissing,
            field: Some(name.to_owned()),
            actual: None,
            expected: "non-empty value".to_owned(),
            details: None,
            reason: format!("{name} is missing"),
        });
    }

    /// Adds a violation of one field.
    fn fail(
        &mut self,
        code: ReasonCode,
        name: &str,
        actual: &Value,
        expected: &str,
        problem: &str,
    ) {
        self.failures.push(Failure {
            code,
            field: Some(name.to_owned()),
            actual: Some(actual.clone()),
            expected: expected.to_owned(),
            details: None,
            reason: format!("{name} {problem}"),
        });
    }

    /// Adds details to the last violation.
    fn add_details(&mut self, details: Value) {
        self.failures.last_mut().unwrap().details = Some(details);
    }

    fn presence(&mut self) {
        let required = self.strings("required_fields");
        for name in &required {
            if self.value(name).is_none() {
                self.missing(name);
            }
        }
        for name in self.strings("forbidden_fields") {
            if let Some(value) = self.value(name) {
                let problem = "is present, but must be absent";
                self.fail(ReasonCode::FieldForbidden, name, value, "no value", problem);
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
                Some(length) if count_value(length).as_f64() >= min.as_f64() => {}
                Some(length) => {
                    let problem = format!("has length {length}, below {min}");
                    self.fail(ReasonCode::FieldTooShort, name, value, &expected, &problem);
                    self.add_details(detail("length", count_value(length)));
                }
                None => {
                    let problem = "has no length: it is neither a string nor a list";
                    self.fail(ReasonCode::FieldTooShort, name, value, &expected, problem);
                }
            }
        }
    }

    fn threshold(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let Value::Number(number) = value else {
            let problem = format!("is {}, not a number", shorten(value));
            return self.fail(ReasonCode::ValueNotNumeric, name, value, "number", &problem);
        };
        if let Some(Value::Number(max)) = self.condition.get("max") {
            if self.flag("exclusive_max", false) {
                if number >= max {
                    let problem = format!("is {value}, not below {max}");
                    let expected = format!("< {max}");
                    return self.fail(ReasonCode::ValueAboveMax, name, value, &expected, &problem);
                }
            } else if number > max {
                let problem = format!("is {value}, above the maximum of {max}");
                let expected = format!("<= {max}");
                return self.fail(ReasonCode::ValueAboveMax, name, value, &expected, &problem);
            }
        }
        if let Some(Value::Number(min)) = self.condition.get("min") {
            if self.flag("exclusive_min", false) {
                if number <= min {
                    let problem = format!("is {value}, not above {min}");
                    let expected = format!("> {min}");
                    self.fail(ReasonCode::ValueBelowMin, name, value, &expected, &problem);
                }
            } else if number < min {
                let problem = format!("is {value}, below the minimum of {min}");
                let expected = format!(">= {min}");
                self.fail(ReasonCode::ValueBelowMin, name, value, &expected, &problem);
            }
        }
    }

    fn list(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let case_sensitive = self.flag("case_sensitive", false);
        let (list, is_allow_list) = match self.condition.get("allowed") {
            Some(list) => (list.as_array().unwrap(), true),
            None => (self.condition.get("forbidden").unwrap().as_array().unwrap(), false),
        };
        let is_satisfied = |element: &Value| {
            let scalar = !matches!(element, Value::Null | Value::Array(_) | Value::Object(_));
            scalar
                && is_allow_list
                    == list.iter().any(|entry| scalars_equal(element, entry, case_sensitive))
        };
        let (code, adjective, expected) = if is_allow_list {
            (ReasonCode::ValueNotAllowed, "not allowed", format!("one of {}", json_list(list)))
        } else {
            (ReasonCode::ValueForbidden, "forbidden", format!("none of {}", json_list(list)))
        };
        match value {
            Value::Array(elements) => {
                let failing = elements.iter().position(|element| !is_satisfied(element));
                if let Some(index) = failing {
                    let problem =
                        format!("has {}, which is {adjective}", shorten(&elements[index]));
                    self.fail(code, name, &elements[index], &expected, &problem);
                    self.add_details(detail("index", count_value(index)));
                }
            }
            _ if is_satisfied(value) => {}
            _ => {
                let problem = format!("is {}, which is {adjective}", shorten(value));
                self.fail(code, name, value, &expected, &problem);
            }
        }
    }

    fn temporal(&mut self) {
        let name = self.text("field").unwrap();
        let Some(value) = self.value(name) else { return self.missing(name) };
        let Some((start, end)) = value.as_str().and_then(dates::read) else {
            let problem = format!("is {}, not a date or date-time", shorten(value));
            return self.fail(ReasonCode::DateInvalid, name, value, "date or date-time", &problem);
        };
        let as_of = self.input.as_of.millis();
        let (fails, code, expected, problem) = if let Some(check) = self.text("check") {
            self.as_of = true;
            let evaluation_time = dates::write(as_of);
            if check == "not_expired" {
                (
                    end < as_of,
                    ReasonCode::DateExpired,
                    format!(">= {evaluation_time}"),
                    format!("before the evaluation time {evaluation_time}"),
                )
            } else {
                (
                    start > as_of,
                    ReasonCode::DateNotYetValid,
                    format!("<= {evaluation_time}"),
                    format!("after the evaluation time {evaluation_time}"),
                )
            }
        } else if let Some(days) = self.condition.get("max_age_days") {
            self.as_of = true;
            #[expect(clippy::cast_possible_truncation, reason = "a whole number of days")]
            let oldest = as_of - days.as_f64().unwrap() as i64 * 24 * 3_600 * 1_000;
            let evaluation_time = dates::write(as_of);
            let problem =
                format!("more than {days} days before the evaluation time {evaluation_time}");
            // An `oldest` that cannot be formatted is before every valid date.
            let expected = if start < oldest { dates::write(oldest) } else { String::new() };
            (start < oldest, ReasonCode::DateExpired, format!(">= {expected}"), problem)
        } else if let Some(limit) = self.text("not_before") {
            let fails = start < dates::read(limit).unwrap().0;
            let problem = format!("before {limit}");
            (fails, ReasonCode::DateNotYetValid, format!(">= {limit}"), problem)
        } else {
            let limit = self.text("not_after").unwrap();
            let fails = end > dates::read(limit).unwrap().1;
            (fails, ReasonCode::DateExpired, format!("<= {limit}"), format!("after {limit}"))
        };
        if fails {
            self.fail(code, name, value, &expected, &format!("is {}, {problem}", shorten(value)));
            if self.as_of {
                self.add_details(detail("as_of", dates::write(as_of)));
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
            let problem = format!("is {}, not a string", shorten(value));
            return self.fail(ReasonCode::PatternMismatch, name, value, &expected, &problem);
        };
        // The generated patterns use no other classes.
        let ascii = pattern.replace(r"\s", r"[\t\n\f\r\x20]").replace(r"\w", "[0-9A-Za-z_]");
        let is_match = Regex::new(&ascii).unwrap().is_match(text);
        if is_match != matches {
            let (code, problem) = if matches {
                (ReasonCode::PatternMismatch, "which does not match the pattern")
            } else {
                (ReasonCode::PatternForbidden, "which matches a forbidden pattern")
            };
            self.fail(code, name, value, &expected, &format!("is {}, {problem}", shorten(value)));
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
        let (sign, description, accepted): (_, _, &[Ordering]) = match operator {
            "eq" => ("==", "equal to", &[Ordering::Equal]),
            "ne" => ("!=", "different from", &[Ordering::Less, Ordering::Greater]),
            "lt" => ("<", "less than", &[Ordering::Less]),
            "lte" => ("<=", "at most", &[Ordering::Less, Ordering::Equal]),
            "gt" => (">", "greater than", &[Ordering::Greater]),
            _ => (">=", "at least", &[Ordering::Greater, Ordering::Equal]),
        };
        if ordering.is_some_and(|ordering| accepted.contains(&ordering)) {
            return;
        }
        let other = match right_name {
            Some(name) => format!("{name} ({})", shorten(right)),
            None => shorten(right),
        };
        let problem = match ordering {
            Some(_) => format!("is {}, not {description} {other}", shorten(left)),
            None => format!("is {}, which cannot be compared with {other}", shorten(left)),
        };
        let expected = format!("{sign} {right}");
        self.fail(ReasonCode::ComparisonFailed, name, left, &expected, &problem);
        if let Some(name) = right_name {
            self.add_details(detail("right", name));
        }
    }

    fn evidence(&mut self) {
        for kind in self.strings("required_kinds") {
            if self.input.evidence.iter().any(|item| item.kind == Some(kind)) {
                continue;
            }
            let expected = format!("evidence of kind {}", Value::from(kind));
            self.failures.push(Failure {
                code: ReasonCode::EvidenceMissing,
                field: None,
                actual: None,
                reason: format!("{expected} is missing"),
                expected,
                details: Some(detail("kind", kind)),
            });
        }
        if !self.flag("verify_hash", true) {
            return;
        }
        for (index, item) in self.input.evidence.iter().enumerate() {
            let (Some(hash), Some(digest)) = (item.hash, item.data_digest) else { continue };
            let accepted = [digest.to_owned(), format!("sha256:{digest}")];
            let (prefix, hex) = hash.split_at(hash.find(':').map_or(0, |colon| colon + 1));
            if accepted.contains(&format!("{prefix}{}", hex.to_ascii_lowercase())) {
                continue;
            }
            let item_name = match item.kind {
                Some(kind) => format!("evidence {index} ({})", shorten(&kind.into())),
                None => format!("evidence {index}"),
            };
            self.failures.push(Failure {
                code: ReasonCode::EvidenceHashMismatch,
                field: None,
                actual: Some(hash.into()),
                expected: digest.to_owned(),
                details: Some(detail("index", count_value(index))),
                reason: format!("the hash of {item_name} is not the digest of its data"),
            });
        }
    }

    fn distinct(&mut self) {
        let mut values: Vec<(&str, Value)> = Vec::new();
        for name in self.strings("fields") {
            match self.value(name) {
                Some(value) => values.push((name, value.clone())),
                None => self.missing(name),
            }
        }
        if self.flag("include_actor", false) {
            match self.input.actor_id.filter(|id| !id.trim().is_empty()) {
                Some(id) => values.push(("actor.id", id.into())),
                None => self.missing("actor.id"),
            }
        }
        for i in 0..values.len() {
            for j in i + 1..values.len() {
                let ((a, value), (b, other)) = (&values[i], &values[j]);
                if value == other {
                    self.failures.push(Failure {
                        code: ReasonCode::ValuesNotDistinct,
                        field: None,
                        actual: Some(value.clone()),
                        expected: "different values".to_owned(),
                        details: Some(detail("fields", vec![Value::from(*a), Value::from(*b)])),
                        reason: format!("{a} and {b} are both {}", shorten(value)),
                    });
                }
            }
        }
    }
}
