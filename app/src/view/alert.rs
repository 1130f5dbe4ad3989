//! Alerts: the filters in the address, the rows, and the grouping of rows.

use contract::{
    alert::{Alert, AlertFilter, AlertStatus, AlertType},
    id::{AlertId, DecisionId, DeliveryId},
    json::Value,
    rule::Severity,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    names::{Names, known},
    query::parsed,
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
    /// `acknowledged`; any other value shows open alerts.
    pub status: String,
    pub severity: String,
    /// The type of the alerts, as on the wire.
    pub kind: String,
    /// The code of a rule.
    pub rule: String,
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
            page: text("page"),
            select: text("select"),
        }
    }

    /// Returns whether a filter other than the status is set.
    pub fn has_filters(&self) -> bool {
        self.extra_filters().iter().any(|(_, value)| !value.is_empty())
    }

    /// Returns whether acknowledged alerts are shown.
    pub fn is_acknowledged(&self) -> bool {
        self.status == AlertStatus::Acknowledged.as_str()
    }

    /// Returns the number of the page, from 1.
    pub fn number(&self) -> u32 {
        self.page.parse().unwrap_or(1).max(1)
    }

    /// Returns the address of `path` with these filters; `others` replace parameters of the same name.
    pub fn address(&self, path: &str, others: &[(&str, &str)]) -> String {
        let [severity, kind, rule] = self.extra_filters();
        url::with_other(path, &[("status", &*self.status), severity, kind, rule], others)
    }

    /// Returns the filters other than the status, by parameter name.
    pub fn extra_filters(&self) -> [(&'static str, &str); 3] {
        [("severity", &self.severity), ("type", &self.kind), ("rule", &self.rule)]
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<AlertFilter, &'static str> {
        let status = match self.status.as_str() {
            "" => AlertStatus::Open,
            word => word.parse().map_err(|()| messages::alerts::BAD_FILTER)?,
        };
        let offset = self.number().saturating_sub(1).saturating_mul(PAGE);
        Ok(AlertFilter {
            severity: parsed(&self.severity)?,
            alert_type: parsed(&self.kind)?,
            status: Some(status),
            rule_code: (!self.rule.is_empty()).then(|| self.rule.clone()),
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
    /// The error in the filters, as a sentence.
    pub fault: Option<String>,
    /// Why the last acknowledgement was rejected.
    pub refused: Option<Problem>,
    /// The result of the last acknowledgement.
    pub result: Option<AcknowledgeSummary<AlertRow>>,
    /// Whether the user can acknowledge alerts.
    pub may_act: bool,
    /// The position of the list in the event stream, used to count newer events.
    pub mark: String,
    /// The time of the list, which ages are relative to.
    pub now: Option<Timestamp>,
    /// The creation time of the newest alert, if no alert is open.
    pub last: Option<Timestamp>,
}

/// The alerts selected on the list, as query parameters of the next page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Selection {
    /// The ids of the selected alerts.
    pub ids: Vec<String>,
    /// If not empty, all open alerts that match the filters are selected.
    pub all: String,
    /// The filters of the list.
    pub query: AlertQuery,
}

/// The alerts that one confirmation acknowledges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcknowledgePreview {
    pub ids: Vec<AlertId>,
    /// The number of alerts per rule.
    pub counts: Vec<(String, usize)>,
    /// The number of further alerts that match.
    pub more: u64,
    /// The number of selected alerts that were already acknowledged.
    pub before: usize,
    /// The error in the filters, as a sentence.
    pub fault: Option<String>,
}

/// The result of acknowledging several alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcknowledgeSummary<T> {
    /// The number of alerts that the user has acknowledged.
    pub done: usize,
    /// The alerts that another user acknowledged first.
    pub failed: Vec<T>,
    /// The number of alerts that were not found.
    pub missing: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertRow {
    pub id: AlertId,
    pub kind: AlertType,
    pub severity: Severity,
    pub message: String,
    pub rules: Vec<String>,
    /// The decision that caused it.
    pub decision: Option<DecisionId>,
    /// The dead delivery that caused it.
    pub delivery: Option<DeliveryId>,
    /// Why the delivery is dead, as a sentence; only set on the page of one alert.
    pub reason: Option<String>,
    pub at: Timestamp,
    /// The user who acknowledged it, and the time.
    pub acknowledged: Option<(Option<String>, Timestamp)>,
}

impl AlertRow {
    pub fn new(alert: Alert, names: &Names) -> Self {
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
            decision: alert.decision_id,
            delivery,
            reason: None,
            at: alert.created_at,
            acknowledged: alert.acknowledged_at.map(|at| (by, at)),
        }
    }

    /// Returns the name of its group: its first rule, or its type.
    fn group(&self) -> String {
        self.rules.first().cloned().unwrap_or_else(|| messages::alerts::kind(self.kind).to_owned())
    }

    /// Returns its age at `now`, as text.
    pub fn age(&self, now: Timestamp) -> String {
        time::span(now.millis().saturating_sub(self.at.millis()))
    }
}

/// Groups the rows by rule. The group with the newest row comes first.
pub fn groups(rows: Vec<AlertRow>) -> Vec<(String, Vec<AlertRow>)> {
    let mut groups: Vec<(String, Vec<AlertRow>)> = Vec::new();
    for row in rows {
        let name = row.group();
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((name, vec![row])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rules: &[&str], second: i64) -> AlertRow {
        AlertRow {
            id: "00000000-0000-4000-8000-000000000000".parse().unwrap(),
            kind: AlertType::WebhookDead,
            severity: Severity::High,
            message: String::new(),
            rules: rules.iter().map(|rule| (*rule).to_owned()).collect(),
            decision: None,
            delivery: None,
            reason: None,
            at: Timestamp::from_millis(second * 1_000).unwrap(),
            acknowledged: None,
        }
    }

    #[test]
    fn rows_are_grouped_by_their_first_rule() {
        let rows = vec![row(&["A", "B"], 4), row(&["B"], 3), row(&["A"], 2), row(&[], 1)];
        let groups: Vec<(String, usize)> =
            groups(rows).into_iter().map(|(name, rows)| (name, rows.len())).collect();
        let dead = messages::alerts::kind(AlertType::WebhookDead).to_owned();
        assert_eq!(groups, [("A".to_owned(), 2), ("B".to_owned(), 1), (dead, 1)]);
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
        assert!(query("acknowledged", "").is_acknowledged());
        assert!(query("gone", "").filter().is_err());
        assert_eq!(query("", "3").address("/a", &[("page", "4")]), "/a?severity=high&page=4");
    }
}
