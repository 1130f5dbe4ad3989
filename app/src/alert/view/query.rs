//! The filters of the list of alerts, and selections of its alerts.

use std::collections::BTreeSet;

use contract::{
    alert::{AlertFilter, AlertStatus},
    id::AlertId,
};
use serde::{Deserialize, Serialize};

use crate::text::{messages, query::parsed, url};

/// The number of alerts per page.
pub const PAGE: u32 = 50;

/// The value of the order that groups no alerts.
pub const BY_TIME: &str = "time";

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
    /// `time` for one list, newest first; otherwise the alerts are grouped by rule.
    pub order: String,
    /// The ID of the alert that is shown next to the list.
    pub alert: String,
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
            order: text("order"),
            alert: text("alert"),
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
        let order = ("order", &*self.order);
        let own = [("status", &*self.status), severity, kind, rule, policy, assignee, order];
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

    /// Returns whether the alerts are one list instead of groups.
    pub fn is_by_time(&self) -> bool {
        self.order == BY_TIME
    }

    /// Returns the status, the order and the filters other than `name`, as hidden fields of its form.
    pub fn others(&self, name: &str) -> Vec<(&'static str, String)> {
        let filters = self.extra_filters().into_iter().filter(|(other, _)| *other != name);
        let filters =
            [("status", &*self.status), ("order", &*self.order)].into_iter().chain(filters);
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let by_time = AlertQuery { order: BY_TIME.into(), ..query("", "") };
        let order = ("order", BY_TIME.to_owned());
        assert!(by_time.is_by_time() && by_time.others("severity").contains(&order));
        assert_eq!(by_time.address("/a", &[("alert", "x")]), "/a?severity=high&order=time&alert=x");
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
