//! The reference evaluator: the contract, sections 3 and 9, read aloud. It walks the JSON of the
//! rules, knows no slots and no index, and shares no code with the engine. Slow and plain.

use std::cmp::Ordering;

use contract::{
    evaluation::{NaRule, Outcome, ReasonCode, RuleOutcome, Verdict, Violation},
    json::{Object, Value},
    rule::{Rule, RuleType, Severity},
};
use engine::{Input, PolicyRules};
use regex::{Regex, escape};

use crate::given::Said;

mod dates;

/// What the contract says of a snapshot and an input.
pub(crate) fn evaluate(policies: &[PolicyRules<'_>], input: &Input<'_>) -> Said {
    let mut said = Said {
        decision: Verdict::Allow,
        violations: Vec::new(),
        rules_evaluated: 0,
        rules_na: 0,
        is_shadow: !policies.is_empty() && policies.iter().all(|policy| policy.shadow_mode),
        shadow_converted: false,
        original_decision: None,
        as_of_consulted: false,
        na_rules: Vec::new(),
        rules: Vec::new(),
    };
    let mut strictest = Verdict::Allow;
    for policy in policies {
        let first = said.violations.len();
        for rule in policy.rules.iter().filter(|rule| rule.is_active != Some(false)) {
            let outcome = one_rule(policy, rule, input, &mut said);
            let (rule_code, policy_id) = (rule.code.clone(), policy.policy_id);
            said.rules.push(RuleOutcome { rule_code, policy_id, outcome });
        }
        let verdict = verdict(&said.violations[first..]);
        strictest = strictest.max(verdict);
        let contributed = match (policy.shadow_mode, verdict) {
            (true, Verdict::Deny | Verdict::Review) => Verdict::Alert,
            _ => verdict,
        };
        said.decision = said.decision.max(contributed);
    }
    if said.decision < strictest {
        said.shadow_converted = true;
        said.original_decision = Some(strictest);
    }
    said
}

fn verdict(violations: &[Violation]) -> Verdict {
    let any = |severities: &[Severity]| violations.iter().any(|v| severities.contains(&v.severity));
    if any(&[Severity::Critical, Severity::High]) {
        Verdict::Deny
    } else if any(&[Severity::Medium]) {
        Verdict::Review
    } else {
        Verdict::Allow
    }
}

fn one_rule(policy: &PolicyRules<'_>, rule: &Rule, input: &Input<'_>, said: &mut Said) -> Outcome {
    if let Some(when) = &rule.when
        && let Err(reason) = gate(when, input.fields)
    {
        said.rules_na += 1;
        said.na_rules.push(NaRule {
            rule_code: rule.code.clone(),
            policy_id: policy.policy_id,
            when: when.clone(),
            reason,
        });
        return Outcome::NotApplicable;
    }
    said.rules_evaluated += 1;
    let mut check = Check { condition: &rule.condition, input, found: Vec::new(), as_of: false };
    check.run(rule.rule_type);
    said.as_of_consulted |= check.as_of;
    let outcome = if check.found.is_empty() { Outcome::Pass } else { Outcome::Violation };
    said.violations.extend(check.found.into_iter().map(|found| Violation {
        rule_code: rule.code.clone(),
        severity: rule.severity,
        reason: found.reason,
        reason_code: found.code,
        field: found.field,
        actual_value: found.actual,
        expected_value: Some(Value::String(found.expected)),
        details: found.details,
        policy_id: policy.policy_id,
        is_shadow: policy.shadow_mode,
    }));
    outcome
}

// --- fields, texts, gates -----------------------------------------------------------------------

fn member<'c>(fields: &'c Object, name: &str) -> Option<&'c Value> {
    if let Some(value) = fields.get(name) {
        return Some(value);
    }
    let mut steps = name.split('.');
    let mut at = fields.get(steps.next()?)?;
    for step in steps {
        at = match at {
            Value::Object(members) => members.get(step)?,
            Value::Array(elements) => {
                let place = (0..elements.len()).find(|index| index.to_string() == step)?;
                &elements[place]
            }
            _ => return None,
        };
    }
    Some(at)
}

fn present<'c>(fields: &'c Object, name: &str) -> Option<&'c Value> {
    member(fields, name).filter(|value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    })
}

/// Equal under simple case folding: what a case-insensitive literal pattern matches.
fn same_folded(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    Regex::new(&format!(r"(?i)\A(?:{})\z", escape(a))).unwrap().is_match(b)
}

fn same(a: &Value, b: &Value, case_sensitive: bool) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) if !case_sensitive => same_folded(a, b),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    }
}

fn json_list(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", shown.join(", "))
}

fn gate(when: &Value, fields: &Object) -> Result<(), String> {
    if let Some(members) = when.get("all") {
        return members.as_array().unwrap().iter().try_for_each(|member| gate(member, fields));
    }
    if let Some(members) = when.get("any") {
        let mut reasons = Vec::new();
        for member in members.as_array().unwrap() {
            match gate(member, fields) {
                Ok(()) => return Ok(()),
                Err(reason) => reasons.push(reason),
            }
        }
        return Err(reasons.join("; "));
    }
    let field = when.get("field").unwrap().as_str().unwrap();
    let actual = member(fields, field);
    if let Some(exists) = when.get("exists") {
        return match (exists.as_bool().unwrap(), actual) {
            (true, None) => Err(format!("{field} is missing")),
            (false, Some(_)) => Err(format!("{field} is present")),
            _ => Ok(()),
        };
    }
    let Some(actual) = actual else { return Err(format!("{field} is missing")) };
    let case_sensitive = when.get("case_sensitive").is_none_or(|v| v.as_bool().unwrap());
    if let Some(expected) = when.get("equals") {
        if same(actual, expected, case_sensitive) {
            return Ok(());
        }
        return Err(format!("{field} is {actual}, not {expected}"));
    }
    let list = when.get("in").unwrap().as_array().unwrap();
    if list.iter().any(|expected| same(actual, expected, case_sensitive)) {
        return Ok(());
    }
    Err(format!("{field} is {actual}, not one of {}", json_list(list)))
}

// --- the eight types ----------------------------------------------------------------------------

struct Check<'a> {
    condition: &'a Value,
    input: &'a Input<'a>,
    found: Vec<Found>,
    as_of: bool,
}

struct Found {
    code: ReasonCode,
    field: Option<String>,
    actual: Option<Value>,
    expected: String,
    details: Option<Value>,
    reason: String,
}

/// At most 100 characters of a value.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 100 {
        return text;
    }
    text.chars().take(100).chain(['…']).collect()
}

fn detail(name: &str, value: impl Into<Value>) -> Option<Value> {
    Some(Value::Object(Object::from([(name, value.into())])))
}

fn counted(count: usize) -> Value {
    Value::from(u32::try_from(count).unwrap())
}

impl<'a> Check<'a> {
    fn run(&mut self, rule_type: RuleType) {
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

    fn with(&mut self, details: Option<Value>) {
        self.found.last_mut().unwrap().details = details;
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
                details: detail("kind", kind),
            });
        }
        if !self.truth("verify_hash", true) {
            return;
        }
        for (index, item) in self.input.evidence.iter().enumerate() {
            let (Some(hash), Some(digest)) = (item.hash, item.data_digest) else { continue };
            let bare = if hash.starts_with("sha256:") { &hash[7..] } else { hash };
            if bare.to_ascii_lowercase() == digest {
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
                details: detail("index", counted(index)),
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
                        details: detail("fields", vec![Value::from(*a), Value::from(*b)]),
                        reason: format!("{a} and {b} are both {}", brief(value)),
                    });
                }
            }
        }
    }
}
