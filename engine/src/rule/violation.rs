//! Failed checks and the violations built from them.

use contract::{
    evaluation::{ReasonCode, Violation},
    json::{Object, Value},
};

use super::Rule;
use crate::field::Field;

/// Collects the failed checks of one rule as violations.
#[derive(Debug)]
pub(crate) struct ViolationCollector<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) violations: &'r mut Vec<Violation>,
}

impl ViolationCollector<'_> {
    pub(crate) fn add(&mut self, failure: FailedCheck) {
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

    /// Adds a violation for a missing field.
    pub(crate) fn missing(&mut self, name: &str) {
        let reason = format!("{name} is missing");
        let failure = FailedCheck::new(ReasonCode::FieldMissing, "non-empty value", reason);
        self.add(FailedCheck { field: Some(name.to_owned()), ..failure });
    }
}

#[derive(Debug)]
pub(crate) struct FailedCheck {
    reason_code: ReasonCode,
    expected: String,
    reason: String,
    field: Option<String>,
    actual: Option<Value>,
    details: Option<Object>,
}

impl FailedCheck {
    pub(crate) fn new(
        reason_code: ReasonCode,
        expected: impl Into<String>,
        reason: String,
    ) -> Self {
        let expected = expected.into();
        Self { reason_code, expected, reason, field: None, actual: None, details: None }
    }

    pub(crate) fn field(self, field: &Field) -> Self {
        Self { field: Some(field.name.to_string()), ..self }
    }

    pub(crate) fn actual(self, actual: &Value) -> Self {
        Self { actual: Some(actual.clone()), ..self }
    }

    pub(crate) fn details<const N: usize>(self, details: [(&str, Value); N]) -> Self {
        Self { details: Some(Object::from(details)), ..self }
    }
}

/// Returns a count or an index as a value. Saturates at `u32::MAX`, which the limits of a context exclude.
pub(crate) fn count(count: usize) -> Value {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
