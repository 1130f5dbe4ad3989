//! What a rule says when it fails.

use contract::{
    evaluation::{ReasonCode, Violation},
    json::{Object, Value},
};

use crate::{field::Field, rule::Rule};

/// Takes the failures of one rule and makes violations of them.
#[derive(Debug)]
pub(crate) struct Report<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) violations: &'r mut Vec<Violation>,
}

impl Report<'_> {
    /// Notes a failure.
    pub(crate) fn add(&mut self, failure: Failure) {
        self.violations.push(Violation {
            rule_code: self.rule.code.to_string(),
            severity: self.rule.severity,
            reason: failure.reason,
            reason_code: failure.reason_code,
            field: failure.field,
            actual_value: failure.actual,
            expected_value: Some(failure.expected.into()),
            details: failure.details.map(Value::Object),
            policy_id: self.rule.policy_id,
            is_shadow: self.rule.is_shadow,
        });
    }

    /// Notes that a field is missing.
    pub(crate) fn missing(&mut self, name: &str) {
        let reason = format!("{name} is missing");
        let failure = Failure::new(ReasonCode::FieldMissing, "non-empty value", reason);
        self.add(Failure { field: Some(name.to_owned()), ..failure });
    }
}

/// One failing check.
#[derive(Debug)]
pub(crate) struct Failure {
    reason_code: ReasonCode,
    expected: String,
    reason: String,
    field: Option<String>,
    actual: Option<Value>,
    details: Option<Object>,
}

impl Failure {
    /// A failure that is about no single field.
    pub(crate) fn new(
        reason_code: ReasonCode,
        expected: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        let (expected, reason) = (expected.into(), reason.into());
        Self { reason_code, expected, reason, field: None, actual: None, details: None }
    }

    /// Names the field.
    pub(crate) fn field(self, field: &Field) -> Self {
        Self { field: Some(field.name.to_string()), ..self }
    }

    /// Says what the context had.
    pub(crate) fn actual(self, actual: &Value) -> Self {
        Self { actual: Some(actual.clone()), ..self }
    }

    /// Adds further facts.
    pub(crate) fn details<const N: usize>(self, details: [(&str, Value); N]) -> Self {
        Self { details: Some(Object::from(details)), ..self }
    }
}

/// A count or an index as a value. Contexts are far too small for one beyond `u32`.
pub(crate) fn count(count: usize) -> Value {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
