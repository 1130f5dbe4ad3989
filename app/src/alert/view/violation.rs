//! The violation of a decision that caused an alert.

use contract::{decision::DecisionRecord, evaluation::Violation, id::PolicyId};
use serde::{Deserialize, Serialize};

use crate::decision::view::{self as decision_view, explain::plain};

/// A violation of the decision that caused an alert, with the policy of the violated rule and the actor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertViolation {
    pub policy: PolicyId,
    pub policy_name: String,
    /// The evaluated version of the policy.
    pub version: Option<u32>,
    pub rule: String,
    pub rule_name: Option<String>,
    /// A sentence for users.
    pub reason: String,
    /// The field that violates the rule; absent if the violation concerns several fields.
    pub field: Option<String>,
    /// The value that violates the rule, as JSON, shortened; absent if it is missing.
    pub value: Option<String>,
    /// The value that the rule requires, as JSON, shortened.
    pub expected: Option<String>,
    pub actor: Option<String>,
}

/// The maximum number of characters of a value.
const VALUE_CHARS_MAX: usize = 100;

impl AlertViolation {
    pub fn new(record: &DecisionRecord, violation: &Violation) -> Self {
        let mut evaluated = record.evaluated_policies.iter();
        let policy = evaluated.find(|policy| policy.policy_id == violation.policy_id);
        let rule = policy
            .and_then(|policy| policy.rules.iter().find(|rule| rule.code == violation.rule_code));
        Self {
            policy: violation.policy_id,
            policy_name: policy.map_or_else(String::new, |policy| policy.policy_name.clone()),
            version: policy.map(|policy| policy.version),
            rule: violation.rule_code.clone(),
            rule_name: rule.and_then(|rule| rule.name.clone()),
            reason: violation.reason.clone(),
            field: violation.field.clone(),
            value: violation.actual_value.as_ref().map(|value| shortened(value.to_canonical())),
            expected: violation.expected_value.as_ref().map(|value| shortened(plain(value))),
            actor: decision_view::actor(record),
        }
    }

    /// Returns the name of its group: the rule.
    pub fn group(&self) -> GroupName {
        GroupName { name: self.rule_name.clone(), code: Some(self.rule.clone()) }
    }

    /// Returns the value, unless the reason contains it.
    pub fn unstated_value(&self) -> Option<&str> {
        let value = self.value.as_deref()?;
        (!self.reason.contains(value)).then_some(value)
    }
}

/// The name of a group of alerts: the name and the code of a rule, or the type of its alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupName {
    pub name: Option<String>,
    pub code: Option<String>,
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(VALUE_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shortened() {
        assert_eq!(shortened("x".repeat(100)).chars().count(), 100);
        assert_eq!(shortened("x".repeat(101)), "x".repeat(100) + "…");
    }
}
