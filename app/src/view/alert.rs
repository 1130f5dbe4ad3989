//! Alerts: the filters in the address, the rows, and the grouping of rows.

use std::collections::BTreeSet;

use contract::{
    alert::{Alert, AlertFilter, AlertStatus, AlertType},
    decision::DecisionRecord,
    evaluation::Violation,
    id::{AlertId, DecisionId, DeliveryId, PolicyId, UserId},
    json::Value,
    rule::Severity,
    time::{DAY_MS, Timestamp},
};
use serde::{Deserialize, Serialize};

use super::{
    decision,
    names::{Names, known},
    query::{instant, parsed},
};
use crate::{
    problem::Problem,
    text::{messages, time, url},
};

/// The number of alerts per page.
pub const PAGE: u32 = 50;

/// The filters of the list as query parameters. An empty value matches everything, except that an empty
/// status means open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AlertQuery {
    /// `snoozed` or `acknowledged`.
    pub status: String,
    pub severity: String,
    /// The type of the alerts, as on the wire.
    pub kind: String,
    /// The code of a rule.
    pub rule: String,
    /// The ID of a policy.
    pub policy: String,
    /// The ID of the member to whom the alerts are assigned.
    pub assignee: String,
    /// The number of the page, from 1.
    pub page: String,
    /// If not empty, every row of the page is selected.
    pub select: String,
}

impl AlertQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            status: text("status"),
            severity: text("severity"),
            kind: text("type"),
            rule: text("rule"),
            policy: text("policy"),
            assignee: text("assignee"),
            page: text("page"),
            select: text("select"),
        }
    }

    /// Returns whether a filter other than the status is set.
    pub fn has_filters(&self) -> bool {
        self.extra_filters().iter().any(|(_, value)| !value.is_empty())
    }

    /// Returns the status of the shown alerts.
    pub fn tab(&self) -> AlertStatus {
        self.status.parse().unwrap_or(AlertStatus::Open)
    }

    /// Returns the number of the page, from 1.
    pub fn number(&self) -> u32 {
        self.page.parse().unwrap_or(1).max(1)
    }

    /// Returns the address of `path` with these filters; `others` replace parameters of the same name.
    pub fn address(&self, path: &str, others: &[(&str, &str)]) -> String {
        let [severity, kind, rule, policy, assignee] = self.extra_filters();
        let own = [("status", &*self.status), severity, kind, rule, policy, assignee];
        url::with_other(path, &own, others)
    }

    /// Returns the filters other than the status, by parameter name.
    pub fn extra_filters(&self) -> [(&'static str, &str); 5] {
        [
            ("severity", &self.severity),
            ("type", &self.kind),
            ("rule", &self.rule),
            ("policy", &self.policy),
            ("assignee", &self.assignee),
        ]
    }

    /// Returns the status and the filters other than `name`, as hidden fields of its form.
    pub fn others(&self, name: &str) -> Vec<(&'static str, String)> {
        let filters = self.extra_filters().into_iter().filter(|(other, _)| *other != name);
        let filters = std::iter::once(("status", &*self.status)).chain(filters);
        filters.map(|(name, value)| (name, value.to_owned())).collect()
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<AlertFilter, &'static str> {
        let status = match self.status.as_str() {
            "" => AlertStatus::Open,
            word => word.parse().map_err(|()| messages::BAD_FILTER)?,
        };
        let offset = self.number().saturating_sub(1).saturating_mul(PAGE);
        Ok(AlertFilter {
            severity: parsed(&self.severity)?,
            alert_type: parsed(&self.kind)?,
            status: Some(status),
            rule_code: (!self.rule.is_empty()).then(|| self.rule.clone()),
            policy_id: parsed(&self.policy)?,
            assigned_to: parsed(&self.assignee)?,
            limit: PAGE,
            offset,
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AlertsPage {
    /// The alerts, newest first.
    pub rows: Vec<AlertRow>,
    /// The number of alerts that match the filters.
    pub total: u64,
    /// The number of all open alerts.
    pub open: u64,
    /// The number of all snoozed alerts.
    pub snoozed: u64,
    /// The policies to filter by, with their names.
    pub policies: Vec<(PolicyId, String)>,
    /// The members to whom alerts can be assigned, with their names.
    pub people: Vec<(UserId, String)>,
    /// The error in the filters, as a sentence.
    pub error: Option<String>,
    /// Why the last action was rejected.
    pub refused: Option<Problem>,
    /// The result of the last action.
    pub result: Option<ActionSummary<AlertRow>>,
    /// Whether the user can acknowledge, assign and snooze alerts.
    pub may_act: bool,
    /// The position of the list in the event stream, used to count newer events.
    pub mark: String,
    /// The time of the list, which ages are relative to.
    pub now: Option<Timestamp>,
    /// The creation time of the newest alert, if the list is empty.
    pub last: Option<Timestamp>,
}

/// The alerts selected on a page, as fields of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Selection {
    /// The IDs of the selected alerts. An element may contain several IDs, separated by commas.
    pub ids: Vec<String>,
    /// The ID of the alert whose own button was used. It replaces `ids`.
    pub only: String,
    /// If not empty, all alerts that matched the filters at the time of the page are selected.
    pub all: String,
    /// The filters of the list.
    pub query: AlertQuery,
    /// The time of the page.
    pub at: String,
}

impl Selection {
    /// Returns whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.alert_ids().is_empty()
    }

    /// Returns the distinct IDs of the selected alerts.
    pub fn alert_ids(&self) -> Vec<AlertId> {
        let only = std::slice::from_ref(&self.only);
        let values = if self.only.is_empty() { &*self.ids } else { only };
        let ids = values.iter().flat_map(|value| value.split(',')).filter_map(|id| id.parse().ok());
        ids.collect::<BTreeSet<AlertId>>().into_iter().collect()
    }

    /// Returns the hidden fields of a form with this selection: their names and values.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![("selection[at]", self.at.clone())];
        if self.all.is_empty() {
            fields.push(("selection[ids][]", self.ids.join(",")));
            fields.push(("selection[only]", self.only.clone()));
        } else {
            fields.push(("selection[all]", self.all.clone()));
            fields.extend(self.query_fields());
        }
        fields
    }

    /// Returns the hidden fields of the filters.
    pub fn query_fields(&self) -> [(&'static str, String); 6] {
        let query = &self.query;
        [
            ("selection[query][status]", &query.status),
            ("selection[query][severity]", &query.severity),
            ("selection[query][kind]", &query.kind),
            ("selection[query][rule]", &query.rule),
            ("selection[query][policy]", &query.policy),
            ("selection[query][assignee]", &query.assignee),
        ]
        .map(|(name, value)| (name, value.clone()))
    }
}

/// The form that opens a confirmation page, or its form if that was rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SelectionForm {
    pub selection: Selection,
    /// The address of the list.
    pub back: String,
    /// The entered end of a snooze time.
    pub date: String,
}

/// The alerts that one confirmation changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionPreview {
    /// The address of the confirmation page.
    pub page: String,
    /// The form to send.
    pub form: SelectionForm,
    /// The alerts that the action changes, newest first.
    pub rows: Vec<AlertRow>,
    /// The selected alerts that stay as they are: they are acknowledged, or have changed since the selection.
    pub changed: Vec<AlertRow>,
    /// The number of further alerts that match.
    pub more: u64,
    /// The members to whom alerts can be assigned, with their names.
    pub people: Vec<(UserId, String)>,
    /// Why the last attempt was rejected.
    pub problem: Option<Problem>,
    /// The error in the selection, as a sentence.
    pub error: Option<String>,
    /// The time of the page, which ages are relative to.
    pub now: Option<Timestamp>,
}

/// The page of one alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertPage {
    pub row: AlertRow,
    /// Whether the user can acknowledge, assign and snooze it.
    pub may_act: bool,
    pub people: Vec<(UserId, String)>,
    /// The time of the page.
    pub now: Timestamp,
    /// Why the last action was rejected, with its input.
    pub rejected: Option<(Problem, SelectionForm)>,
    /// The result of the last action.
    pub result: Option<ActionSummary<AlertRow>>,
}

/// What a user did with alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AlertAction {
    Acknowledged,
    /// Assigned to the person with this name, or to no one.
    Assigned(Option<String>),
    /// Snoozed until this time, or opened again.
    Snoozed(Option<Timestamp>),
    /// Restored as before an assignment or snooze time.
    Undone,
}

impl AlertAction {
    /// Returns the result of the action on `done` alerts, as a sentence.
    fn sentence(&self, done: usize) -> String {
        let alerts = if done == 1 {
            messages::alerts::ONE.to_owned()
        } else {
            messages::alerts::alerts(done)
        };
        match self {
            Self::Acknowledged => format!("{alerts} acknowledged."),
            Self::Assigned(Some(name)) => format!("{alerts} assigned to {name}."),
            Self::Assigned(None) => format!("{alerts} assigned to no one."),
            Self::Snoozed(Some(until)) => {
                format!("{alerts} snoozed until {}.", time::minute(*until))
            }
            Self::Snoozed(None) => format!("{alerts} opened again."),
            Self::Undone => format!("{alerts} restored."),
        }
    }
}

/// The result of an action on several alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionSummary<T> {
    pub action: AlertAction,
    /// The number of alerts to which the action was applied.
    pub done: usize,
    /// The alerts that changed first, so that the action left them as they are.
    pub failed: Vec<T>,
    /// The number of alerts that were not found.
    pub missing: usize,
    /// The time of the action, if it can be undone.
    pub undo: Option<Timestamp>,
}

impl<T> ActionSummary<T> {
    /// Creates the result of an action on no alerts.
    pub fn new(action: AlertAction) -> Self {
        Self { action, done: 0, failed: Vec::new(), missing: 0, undo: None }
    }

    /// Returns the action and the number of its alerts, as a sentence.
    pub fn sentence(&self) -> String {
        self.action.sentence(self.done)
    }
}

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
            actor: decision::actor(record),
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

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(VALUE_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The name of a group of alerts: the name and the code of a rule, or the type of its alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupName {
    pub name: Option<String>,
    pub code: Option<String>,
}

impl AlertRow {
    /// Creates the row of `alert` at `now`, without its violation.
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
            None => {
                GroupName { name: Some(messages::alerts::kind(self.kind).to_owned()), code: None }
            }
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

/// Returns the end of a snooze time: the date of the form, or else a choice of the form. `None` opens the
/// alert again.
///
/// # Errors
/// Returns an error message for the user.
pub fn snooze_until(
    choice: &str,
    date: &str,
    now: Timestamp,
) -> Result<Option<Timestamp>, &'static str> {
    const HOUR_MS: i64 = 3_600_000;
    let date = instant(date).map_err(|()| messages::alerts::BAD_DATE)?;
    if date.is_some() {
        return Ok(date);
    }
    match choice {
        "1h" => Ok(Some(now.plus_millis(HOUR_MS))),
        "4h" => Ok(Some(now.plus_millis(4 * HOUR_MS))),
        "tomorrow" => {
            let since_midnight = now.millis().rem_euclid(DAY_MS);
            Ok(Some(now.plus_millis(DAY_MS + 9 * HOUR_MS - since_midnight)))
        }
        "open" => Ok(None),
        _ => Err(messages::alerts::NO_TIME),
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
        let dead = messages::alerts::kind(AlertType::WebhookDead).to_owned();
        let expected = [named(5, "A", 2), named(4, "B", 1), named(2, "A", 1), (dead, None, 1)];
        assert_eq!(groups, expected);
    }

    #[test]
    fn a_snooze_time_ends_after_hours_tomorrow_at_nine_or_at_a_date() {
        let now: Timestamp = "2026-11-20T23:04:11.302Z".parse().unwrap();
        let until = |choice, date| {
            snooze_until(choice, date, now).map(|until| until.map(|until| until.to_string()))
        };
        let time = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(until("1h", ""), time("2026-11-21T00:04:11.302Z"));
        assert_eq!(until("4h", ""), time("2026-11-21T03:04:11.302Z"));
        assert_eq!(until("tomorrow", ""), time("2026-11-21T09:00:00.000Z"));
        assert_eq!(until("open", ""), Ok(None));
        assert_eq!(until("1h", "2026-12-01T08:00"), time("2026-12-01T08:00:00.000Z"));
        assert!(until("1h", "soon").is_err() && until("", "").is_err());
    }

    #[test]
    fn long_values_are_shortened() {
        assert_eq!(shortened("x".repeat(100)).chars().count(), 100);
        assert_eq!(shortened("x".repeat(101)), "x".repeat(100) + "…");
    }

    #[test]
    fn the_status_filter_defaults_to_open() {
        let query = |status: &str, page: &str| AlertQuery {
            status: status.into(),
            page: page.into(),
            severity: "high".into(),
            ..AlertQuery::default()
        };
        let filter = query("", "3").filter().unwrap();
        assert_eq!((filter.status, filter.offset), (Some(AlertStatus::Open), 100));
        assert_eq!(query("snoozed", "").tab(), AlertStatus::Snoozed);
        assert!(query("gone", "").filter().is_err());
        assert_eq!(query("", "3").address("/a", &[("page", "4")]), "/a?severity=high&page=4");
    }

    #[test]
    fn a_selection_is_posted_as_ids_or_as_the_filter_with_the_time_of_the_page() {
        let id = "00000000-0000-4000-8000-000000000001";
        let query = AlertQuery { rule: "A".into(), ..AlertQuery::default() };
        let at = "2026-11-20T23:04:11.302Z".to_owned();
        let ids = vec![format!("{id},x"), id.to_owned()];
        let selection = Selection { ids, query, at: at.clone(), ..Selection::default() };
        assert_eq!(selection.alert_ids(), [id.parse().unwrap()]);
        let set = |selection: &Selection| -> Vec<_> {
            let fields = selection.fields().into_iter();
            fields.filter(|(_, value)| !value.is_empty()).collect()
        };
        let time = ("selection[at]", at);
        let ids = ("selection[ids][]", format!("{id},x,{id}"));
        assert_eq!(set(&selection), [time.clone(), ids]);
        let all = Selection { all: "1".into(), ..selection };
        let rule = ("selection[query][rule]", "A".to_owned());
        assert_eq!(set(&all), [time, ("selection[all]", "1".to_owned()), rule]);
        assert!(Selection::default().is_empty() && !all.is_empty());
    }
}
