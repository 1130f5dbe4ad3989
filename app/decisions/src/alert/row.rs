//! An alert with the violation that caused it and with names, and the groups of alerts by rule.

use contract::alert::{Alert, AlertFilter, AlertStatus};
use governance::deciding::decision as service;
use islands::explanation::plain;
use page_kit::prelude::*;

use crate::decision::actor;

/// The decisions that caused alerts.
pub(super) type Records = BTreeMap<DecisionId, DecisionRecord>;

/// Returns the decisions that caused the alerts. They are read with one query.
pub(super) async fn records(
    cx: &Cx,
    alerts: impl IntoIterator<Item = &Alert>,
) -> Result<Records, Problem> {
    let ids: BTreeSet<_> = alerts.into_iter().filter_map(|alert| alert.decision_id).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let records = service::read_all(cx, &ids).await?.into_iter();
    Ok(records.map(|record| (record.id, record)).collect())
}

/// Returns the rows of alerts.
pub(super) async fn rows(
    cx: &Cx,
    alerts: Vec<Alert>,
    filter: &AlertFilter,
    names: &Names,
) -> Result<Vec<AlertRow>, Problem> {
    let records = records(cx, &alerts).await?;
    let row = |alert| AlertRow::new(alert, &records, filter, names, cx.now);
    Ok(alerts.into_iter().map(row).collect())
}

/// An alert, and what its row shows of its decision.
pub(super) struct AlertRow {
    pub(super) alert: Alert,
    /// The violation that the row shows, of the decision that caused the alert.
    pub(super) violation: Option<AlertViolation>,
    /// The verdict of that decision.
    pub(super) verdict: Option<Verdict>,
    /// The user who acknowledged it, and the time.
    pub(super) acknowledged: Option<(Option<String>, Timestamp)>,
    /// The name of the member who handles it.
    pub(super) assignee: Option<String>,
    /// The time until which it is snoozed; absent if the time has passed.
    pub(super) snoozed_until: Option<Timestamp>,
}

impl AlertRow {
    /// Creates the row of `alert` at `now`. It shows the worst violation of its decision that matches the rule and the
    /// policy of the filter.
    pub(super) fn new(
        alert: Alert,
        records: &Records,
        filter: &AlertFilter,
        names: &Names,
        now: Timestamp,
    ) -> Self {
        let record = alert.decision_id.and_then(|id| records.get(&id));
        let violation = record.and_then(|record| {
            let all = &record.result.violations;
            let matching = all.iter().filter(|violation| {
                filter.rule_code.as_ref().is_none_or(|rule| violation.rule_code == *rule)
                    && filter.policy_id.is_none_or(|policy| violation.policy_id == policy)
            });
            // A chosen alert need not match the filter.
            let worst =
                service::worst_violation(matching).or_else(|| service::worst_violation(all));
            Some(AlertViolation::new(record, worst?))
        });
        let is_snoozed = alert.status(now) == AlertStatus::Snoozed;
        let by = known(alert.acknowledged_by.clone(), names);
        Self {
            violation,
            verdict: record.map(|record| record.decision),
            acknowledged: alert.acknowledged_at.map(|at| (by, at)),
            assignee: known(alert.assigned_to.map(|id| id.to_string()), names),
            snoozed_until: alert.snoozed_until.filter(|_| is_snoozed),
            alert,
        }
    }

    /// Returns the text of its link: the reason of its violation, or its message, which names no rule.
    pub(super) fn title(&self) -> String {
        let violation = self.violation.as_ref();
        violation.map_or(&self.alert.message, |violation| &violation.reason).clone()
    }

    /// Returns the name of its group: its rule, or its type.
    fn group(&self) -> GroupName {
        match &self.violation {
            Some(violation) => violation.group(),
            None => {
                GroupName { name: Some(super::kind(self.alert.alert_type).to_owned()), code: None }
            }
        }
    }

    /// Returns whether both rows are in one group. The name of a rule differs between versions, and two
    /// policies can have rules with the same code.
    fn has_same_group(&self, other: &Self) -> bool {
        match (&self.violation, &other.violation) {
            (Some(own), Some(other)) => (own.policy, &own.rule) == (other.policy, &other.rule),
            (None, None) => self.alert.alert_type == other.alert.alert_type,
            _ => false,
        }
    }
}

/// A violation of the decision that caused an alert, with the policy of the violated rule and the actor.
pub(super) struct AlertViolation {
    pub(super) policy: PolicyId,
    policy_name: String,
    /// The evaluated version of the policy.
    pub(super) version: Option<u32>,
    rule: String,
    rule_name: Option<String>,
    /// A sentence for users.
    reason: String,
    /// The field that violates the rule; absent if the violation concerns several fields.
    field: Option<String>,
    /// The value that violates the rule, as JSON, shortened; absent if it is missing.
    value: Option<String>,
    /// The value that the rule requires, as JSON, shortened.
    pub(super) expected: Option<String>,
    pub(super) actor: Option<String>,
}

impl AlertViolation {
    fn new(record: &DecisionRecord, violation: &Violation) -> Self {
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
            actor: actor(record),
        }
    }

    /// Returns the name of its group: the rule.
    pub(super) fn group(&self) -> GroupName {
        GroupName { name: self.rule_name.clone(), code: Some(self.rule.clone()) }
    }

    /// Renders the name and the evaluated version of the policy.
    pub(super) fn policy_name(&self) -> AnyView {
        let version = self.version.map(|version| format!(" v{version}"));
        any_view! {
            <bdi>{self.policy_name.clone()}</bdi>
            {version}
        }
    }

    /// Renders the field and its value, if there is one.
    pub(super) fn value(&self) -> Option<AnyView> {
        let value = self.value.clone()?;
        let field = self.field.clone().map(|field| {
            view! {
                <bdi>{field}</bdi>
                ": "
            }
        });
        Some(any_view! { <code class="breaks">{field} <bdi>{value}</bdi></code> })
    }

    /// Renders the policy, and the value if the reason does not contain it.
    pub(super) fn details(&self) -> AnyView {
        let is_stated = self.value.as_ref().is_none_or(|value| self.reason.contains(value));
        let value = (!is_stated).then(|| {
            view! {
                " · "
                {self.value()}
            }
        });
        any_view! { <span class="text-xs text-muted">{self.policy_name()} {value}</span> }
    }
}

fn shortened(mut text: String) -> String {
    /// The maximum number of characters of a value.
    const VALUE_CHARS_MAX: usize = 100;
    if let Some((end, _)) = text.char_indices().nth(VALUE_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The name of a group of alerts: the name and the code of a rule, or the type of its alerts.
pub(super) struct GroupName {
    name: Option<String>,
    pub(super) code: Option<String>,
}

impl GroupName {
    /// Renders the name of the rule, if it has one, and the code of the rule, or the type of the alerts.
    pub(super) fn view(&self) -> AnyView {
        let name = self.name.clone().map(|name| {
            view! {
                <bdi>{name}</bdi>
                " "
            }
        });
        let code = self.code.clone().map(|code| view! { <bdi class="font-mono">{code}</bdi> });
        any_view! {
            {name}
            {code}
        }
    }
}

/// Groups the rows by the rule of their violation, and rows without one by their type. The group with the
/// newest row comes first and is named after it.
pub(super) fn groups(rows: Vec<AlertRow>) -> Vec<(GroupName, Vec<AlertRow>)> {
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
    use contract::{alert::AlertType, json::Value, rule::Severity};

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
        let alert = Alert {
            id: uuid::Uuid::nil().into(),
            tenant_id: uuid::Uuid::nil().into(),
            alert_type: AlertType::WebhookDead,
            severity: Severity::High,
            message: String::new(),
            created_at: Timestamp::from_millis(second * 1_000).unwrap(),
            decision_id: None,
            data: Value::Null,
            acknowledged_at: None,
            acknowledged_by: None,
            assigned_to: None,
            snoozed_until: None,
        };
        AlertRow {
            alert,
            violation: rule.map(violation),
            verdict: None,
            acknowledged: None,
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
        let dead = "Dead webhook".to_owned();
        let expected = [named(5, "A", 2), named(4, "B", 1), named(2, "A", 1), (dead, None, 1)];
        assert_eq!(groups, expected);
    }

    #[test]
    fn long_values_are_shortened() {
        assert_eq!(shortened("x".repeat(100)).chars().count(), 100);
        assert_eq!(shortened("x".repeat(101)), "x".repeat(100) + "…");
    }
}
