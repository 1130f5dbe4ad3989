//! Alerts: the filters in the address, the rows, and how rows are grouped.

use contract::{
    alert::{Alert, AlertFilter, AlertStatus, AlertType},
    id::{AlertId, DecisionId, DeliveryId},
    json::Value,
    rule::Severity,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    people::{Names, known},
    query::parsed,
};
use crate::{
    problem::Problem,
    text::{time, url, words},
};

/// How many alerts a page shows.
pub const PAGE: u32 = 50;

/// The filters of the list as they stand in the address; empty means any, but for the status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AlertQuery {
    /// `acknowledged`; otherwise open ones are shown.
    pub status: String,
    /// A severity.
    pub severity: String,
    /// What alerts are about, in the word of the wire.
    pub kind: String,
    /// A rule, by its code.
    pub rule: String,
    /// The number of the page, from 1.
    pub page: String,
    /// Anything: every row of the page is ticked.
    pub select: String,
}

impl AlertQuery {
    /// Reads the filters by name.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
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

    /// Whether anything is filtered beside the status.
    pub fn filters(&self) -> bool {
        self.narrowing().iter().any(|(_, value)| !value.is_empty())
    }

    /// Whether acknowledged alerts are shown.
    pub fn is_acknowledged(&self) -> bool {
        self.status == AlertStatus::Acknowledged.as_str()
    }

    /// The number of the page, from 1.
    pub fn number(&self) -> u32 {
        self.page.parse().unwrap_or(1).max(1)
    }

    /// The address of `path` under these filters with other pairs instead of its own.
    pub fn address(&self, path: &str, others: &[(&str, &str)]) -> String {
        let [severity, kind, rule] = self.narrowing();
        url::with_other(path, &[("status", &*self.status), severity, kind, rule], others)
    }

    /// What is filtered beside the status, by the names of the address.
    pub fn narrowing(&self) -> [(&'static str, &str); 3] {
        [("severity", &self.severity), ("type", &self.kind), ("rule", &self.rule)]
    }

    /// The filter that the service understands.
    ///
    /// # Errors
    /// What is wrong, in a sentence for the reader.
    pub fn filter(&self) -> Result<AlertFilter, &'static str> {
        let status = match self.status.as_str() {
            "" => AlertStatus::Open,
            word => word.parse().map_err(|()| words::alerts::BAD_FILTER)?,
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

/// The page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AlertsPage {
    /// The alerts, newest first.
    pub rows: Vec<AlertRow>,
    /// How many match the filters.
    pub total: u64,
    /// How many are open in all.
    pub open: u64,
    /// What is wrong with the filters, in a sentence.
    pub fault: Option<String>,
    /// Why nothing was acknowledged a moment ago.
    pub refused: Option<Problem>,
    /// What became of those that were acknowledged a moment ago.
    pub told: Option<Told<AlertRow>>,
    /// Whether the person may acknowledge.
    pub may_act: bool,
    /// The moment of the list, for news of it.
    pub mark: String,
    /// The instant of the list, which ages are counted to.
    pub now: Option<Timestamp>,
    /// When the last alert of all was raised, where none is open.
    pub last: Option<Timestamp>,
}

/// What was chosen on the list, as the address of the next page says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Chosen {
    /// The alerts that were ticked.
    pub ids: Vec<String>,
    /// Anything: all open ones that match the filters.
    pub all: String,
    /// The filters of the list.
    pub query: AlertQuery,
}

/// What one press will acknowledge: exactly these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The alerts.
    pub ids: Vec<AlertId>,
    /// How many stand under each rule.
    pub counts: Vec<(String, usize)>,
    /// How many more match.
    pub more: u64,
    /// How many of the ticked ones were acknowledged before.
    pub before: usize,
    /// What is wrong with the filters, in a sentence.
    pub fault: Option<String>,
}

/// What became of several alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told<T> {
    /// How many the person has acknowledged.
    pub done: usize,
    /// Those that somebody else had acknowledged before.
    pub failed: Vec<T>,
    /// How many are not there.
    pub missing: usize,
}

/// An alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertRow {
    /// The alert.
    pub id: AlertId,
    /// What it is about.
    pub kind: AlertType,
    /// How bad it is.
    pub severity: Severity,
    /// What it says.
    pub message: String,
    /// The rules that were violated.
    pub rules: Vec<String>,
    /// The decision behind it.
    pub decision: Option<DecisionId>,
    /// The delivery that was given up.
    pub delivery: Option<DeliveryId>,
    /// Why it was, in a sentence; only where one alert is shown.
    pub reason: Option<String>,
    /// When it was raised.
    pub at: Timestamp,
    /// By whom and when it was acknowledged.
    pub acknowledged: Option<(Option<String>, Timestamp)>,
}

impl AlertRow {
    /// The row of an alert.
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

    /// What it stands under: its first rule, or what it is about.
    fn group(&self) -> String {
        self.rules.first().cloned().unwrap_or_else(|| words::alerts::kind(self.kind).to_owned())
    }

    /// How long before `now` it was raised.
    pub fn age(&self, now: Timestamp) -> String {
        time::span(now.millis().saturating_sub(self.at.millis()))
    }
}

/// The rows by their rule: the group with the newest row first.
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
    fn rows_stand_under_their_first_rule() {
        let rows = vec![row(&["A", "B"], 4), row(&["B"], 3), row(&["A"], 2), row(&[], 1)];
        let found: Vec<(String, usize)> =
            groups(rows).into_iter().map(|(name, rows)| (name, rows.len())).collect();
        let dead = words::alerts::kind(AlertType::WebhookDead).to_owned();
        assert_eq!(found, [("A".to_owned(), 2), ("B".to_owned(), 1), (dead, 1)]);
    }

    #[test]
    fn open_alerts_are_shown_unless_others_are_asked_for() {
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
