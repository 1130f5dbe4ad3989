//! The rows of alerts, and their grouping by rule.

use contract::{
    alert::{Alert, AlertStatus, AlertType},
    evaluation::Verdict,
    id::{AlertId, DecisionId, DeliveryId, UserId},
    json::Value,
    rule::Severity,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::violation::{AlertViolation, GroupName};
use crate::{
    alert::words,
    member::names::{Names, known},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertRow {
    pub id: AlertId,
    pub kind: AlertType,
    pub severity: Severity,
    /// The message of the alert, which names no rule.
    pub message: String,
    /// The codes of all violated rules.
    pub rules: Vec<String>,
    /// The violation that the row shows, of the decision that caused the alert.
    pub violation: Option<AlertViolation>,
    /// The decision that caused it.
    pub decision: Option<DecisionId>,
    /// The verdict of that decision.
    pub verdict: Option<Verdict>,
    /// The dead delivery that caused it.
    pub delivery: Option<DeliveryId>,
    /// Why the delivery is dead, as a sentence; only set on the page of one alert.
    pub reason: Option<String>,
    pub at: Timestamp,
    /// The user who acknowledged it, and the time.
    pub acknowledged: Option<(Option<String>, Timestamp)>,
    /// The member who handles it.
    pub assigned_to: Option<UserId>,
    /// The name of that member.
    pub assignee: Option<String>,
    /// The time until which it is snoozed; absent if the time has passed.
    pub snoozed_until: Option<Timestamp>,
}

impl AlertRow {
    /// Creates the row of `alert` at `now`, without its violation and its verdict.
    pub fn new(alert: Alert, names: &Names, now: Timestamp) -> Self {
        let is_snoozed = alert.status(now) == AlertStatus::Snoozed;
        let rules = alert.data.as_object().and_then(|data| data.get("rule_codes")?.as_array());
        let rules = rules.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let rules = rules.collect();
        let delivery = alert.data.get("delivery_id").and_then(Value::as_str);
        let delivery = delivery.and_then(|id| id.parse().ok());
        let by = known(alert.acknowledged_by, names);
        Self {
            id: alert.id,
            kind: alert.alert_type,
            severity: alert.severity,
            message: alert.message,
            rules,
            violation: None,
            decision: alert.decision_id,
            verdict: None,
            delivery,
            reason: None,
            at: alert.created_at,
            acknowledged: alert.acknowledged_at.map(|at| (by, at)),
            assigned_to: alert.assigned_to,
            assignee: known(alert.assigned_to.map(|id| id.to_string()), names),
            snoozed_until: alert.snoozed_until.filter(|_| is_snoozed),
        }
    }

    /// Returns the text of its link: the reason of its violation, or its message.
    pub fn title(&self) -> &str {
        self.violation.as_ref().map_or(&self.message, |violation| &violation.reason)
    }

    /// Returns the name of its group: its rule, or its type.
    pub fn group(&self) -> GroupName {
        match &self.violation {
            Some(violation) => violation.group(),
            None => GroupName { name: Some(words::kind(self.kind).to_owned()), code: None },
        }
    }

    /// Returns whether both rows are in one group. The name of a rule differs between versions, and two
    /// policies can have rules with the same code.
    fn has_same_group(&self, other: &Self) -> bool {
        match (&self.violation, &other.violation) {
            (Some(own), Some(other)) => (own.policy, &own.rule) == (other.policy, &other.rule),
            (None, None) => self.kind == other.kind,
            _ => false,
        }
    }
}

/// Groups the rows by the rule of their violation, and rows without one by their type. The group with the
/// newest row comes first and is named after it.
pub fn groups(rows: Vec<AlertRow>) -> Vec<(GroupName, Vec<AlertRow>)> {
    let mut groups: Vec<(GroupName, Vec<AlertRow>)> = Vec::new();
    for row in rows {
        let is_own = |(_, rows): &&mut (GroupName, Vec<AlertRow>)| {
            rows.first().is_some_and(|first| first.has_same_group(&row))
        };
        match groups.iter_mut().find(is_own) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((row.group(), vec![row])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "00000000-0000-4000-8000-000000000001";
    const OTHER_POLICY: &str = "00000000-0000-4000-8000-000000000002";

    fn row(rule: Option<(&str, &str)>, second: i64) -> AlertRow {
        let violation = |(policy, rule): (&str, &str)| AlertViolation {
            policy: policy.parse().unwrap(),
            policy_name: "Payments".to_owned(),
            version: Some(1),
            rule: rule.to_owned(),
            rule_name: Some(format!("Name at {second}")),
            reason: "amount is missing".to_owned(),
            field: None,
            value: None,
            expected: None,
            actor: None,
        };
        AlertRow {
            id: "00000000-0000-4000-8000-000000000000".parse().unwrap(),
            kind: AlertType::WebhookDead,
            severity: Severity::High,
            message: String::new(),
            rules: Vec::new(),
            violation: rule.map(violation),
            decision: None,
            verdict: None,
            delivery: None,
            reason: None,
            at: Timestamp::from_millis(second * 1_000).unwrap(),
            acknowledged: None,
            assigned_to: None,
            assignee: None,
            snoozed_until: None,
        }
    }

    #[test]
    fn rows_are_grouped_by_rule_and_policy_or_by_type() {
        let rows = vec![
            row(Some((POLICY, "A")), 5),
            row(Some((POLICY, "B")), 4),
            row(Some((POLICY, "A")), 3),
            row(Some((OTHER_POLICY, "A")), 2),
            row(None, 1),
        ];
        let groups: Vec<_> = groups(rows)
            .into_iter()
            .map(|(group, rows)| (group.name.unwrap(), group.code, rows.len()))
            .collect();
        let named = |second: i64, code: &str, rows: usize| {
            (format!("Name at {second}"), Some(code.to_owned()), rows)
        };
        let dead = words::kind(AlertType::WebhookDead).to_owned();
        let expected = [named(5, "A", 2), named(4, "B", 1), named(2, "A", 1), (dead, None, 1)];
        assert_eq!(groups, expected);
    }
}
