//! Failed checks and the violations built from them.

use contract::{
    evaluation::{ReasonCode, Violation},
    json::{Object, Value},
};

use super::Rule;
use crate::{
    byte_budget::{ByteBudget, ResultTooLarge},
    field::Field,
};

/// Collects the failed checks of one rule as violations.
#[derive(Debug)]
pub(crate) struct ViolationCollector<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) violations: &'r mut Vec<Violation>,
    pub(crate) budget: &'r mut ByteBudget,
}

impl ViolationCollector<'_> {
    /// Adds a violation, unless it exceeds the limit of the result.
    pub(crate) fn add(&mut self, failure: FailedCheck<'_>) -> Result<(), ResultTooLarge> {
        let name_bytes = failure.field.as_ref().map_or(0, String::len);
        let text_bytes = [self.rule.code.len(), failure.reason.len(), failure.detail_bytes];
        let text_bytes = text_bytes.into_iter().fold(name_bytes, usize::saturating_add);
        self.budget.spend_violation(text_bytes, failure.actual)?;
        self.violations.push(Violation {
            rule_code: self.rule.code.to_string(),
            severity: self.rule.severity,
            reason: failure.reason,
            reason_code: failure.reason_code,
            field: failure.field,
            actual_value: failure.actual.cloned(),
            expected_value: Some(failure.expected.into()),
            details: failure.details.map(Value::Object),
            policy_id: self.rule.policy_id,
            is_shadow: self.rule.is_shadow,
        });
        Ok(())
    }

    /// Adds a violation for a missing field.
    pub(crate) fn missing(&mut self, name: &str) -> Result<(), ResultTooLarge> {
        let reason = format!("{name} is missing");
        let failure = FailedCheck::new(ReasonCode::FieldMissing, "non-empty value", reason);
        self.add(FailedCheck { field: Some(name.to_owned()), ..failure })
    }
}

/// A failed check. Values of the context are cloned only if the result has room for them.
#[derive(Debug)]
pub(crate) struct FailedCheck<'v> {
    reason_code: ReasonCode,
    expected: String,
    reason: String,
    field: Option<String>,
    actual: Option<&'v Value>,
    details: Option<Object>,
    /// The size of details and of texts that repeat the context.
    detail_bytes: usize,
}

impl<'v> FailedCheck<'v> {
    pub(crate) fn new(
        reason_code: ReasonCode,
        expected: impl Into<String>,
        reason: String,
    ) -> Self {
        let expected = expected.into();
        Self {
            reason_code,
            expected,
            reason,
            field: None,
            actual: None,
            details: None,
            detail_bytes: 0,
        }
    }

    pub(crate) fn field(self, field: &Field) -> Self {
        Self { field: Some(field.name.to_string()), ..self }
    }

    pub(crate) fn actual(self, actual: &'v Value) -> Self {
        Self { actual: Some(actual), ..self }
    }

    /// Counts bytes that the violation repeats of the context, in addition to `actual`.
    pub(crate) fn repeats(self, bytes: usize) -> Self {
        Self { detail_bytes: bytes, ..self }
    }

    pub(crate) fn details<const N: usize>(self, details: [(&str, Value); N]) -> Self {
        Self { details: Some(Object::from(details)), ..self }
    }
}

/// Returns a count or an index as a value. Saturates at `u32::MAX`, which the limits of a context exclude.
pub(crate) fn count(count: usize) -> Value {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
