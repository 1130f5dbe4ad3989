//! Alerts: events that need attention until a user acknowledges them.

use crate::{
    error::Problem,
    filter::ListFilter,
    id::{AlertId, DecisionId, PolicyId, TenantId, UserId},
    json::Value,
    read::unique_list,
    rule::Severity,
    time::{DAY_MS, Timestamp},
};

/// The maximum number of alerts that one request acknowledges.
pub const ACKNOWLEDGE_MAX: usize = 500;

/// The longest time in milliseconds for which an alert is snoozed: 30 days.
pub const SNOOZE_MAX_MS: i64 = 30 * DAY_MS;

/// The maximum number of alerts per page (specification, "Limits").
pub const PAGE_MAX: u32 = 100;

string_enum! {
    /// The type of an alert.
    pub enum AlertType {
        /// The verdict of a decision is `DENY` or `REVIEW`.
        PolicyViolation = "policy_violation",
        /// The verdict would be `DENY` or `REVIEW` without the shadow mode of a policy.
        ShadowViolation = "shadow_violation",
        /// A safeguard of the tenant was turned off.
        GovernanceChange = "governance_change",
        /// A webhook delivery failed permanently.
        WebhookDead = "webhook_dead",
    }
}

string_enum! {
    /// The status of an alert.
    pub enum AlertStatus {
        /// The alert is neither acknowledged nor snoozed.
        Open = "open",
        /// The alert is not acknowledged, and the end of its snooze time has not passed.
        Snoozed = "snoozed",
        /// A user or API key acknowledged the alert.
        Acknowledged = "acknowledged",
    }
}

/// An alert.
#[wire]
pub struct Alert {
    /// The ID of the alert.
    pub id: AlertId,
    /// The tenant of the alert.
    pub tenant_id: TenantId,
    /// The type of the alert.
    pub alert_type: AlertType,
    /// The severity; for a decision, the highest severity of its violations.
    pub severity: Severity,
    /// A message for people.
    pub message: String,
    /// The time at which the alert was created.
    pub created_at: Timestamp,
    /// The ID of the decision that caused the alert.
    pub decision_id: Option<DecisionId>,
    /// Details for programs. For a decision: `policy_code`, `rule_codes`, `decision_type` and
    /// `correlation_id`.
    pub data: Value,
    /// The time at which the alert was acknowledged.
    pub acknowledged_at: Option<Timestamp>,
    /// The ID of the user or API key that acknowledged the alert.
    pub acknowledged_by: Option<String>,
    /// The ID of the member who handles the alert.
    pub assigned_to: Option<UserId>,
    /// The time until which the alert is snoozed. After this time, an unacknowledged alert is open again.
    pub snoozed_until: Option<Timestamp>,
}

impl Alert {
    /// Returns the status at `now`.
    pub fn status(&self, now: Timestamp) -> AlertStatus {
        if self.acknowledged_at.is_some() {
            AlertStatus::Acknowledged
        } else if self.snoozed_until.is_some_and(|until| until > now) {
            AlertStatus::Snoozed
        } else {
            AlertStatus::Open
        }
    }
}

/// The limit of counts of alerts and deliveries. A count that reaches it means "this many or more", so that a count
/// never reads a whole history.
pub const COUNT_MAX: u32 = 1_000;

/// A page of alerts, newest first.
#[wire]
pub struct AlertPage {
    /// The alerts of the page.
    pub items: Vec<Alert>,
    /// The number of all alerts that match the filter, at most 1,000. That number means "1,000 or more".
    pub total: u64,
    /// The maximum number of alerts per page.
    pub limit: u32,
    /// The number of alerts before this page.
    pub offset: u32,
}

/// A filter of alerts.
#[derive(Clone, Debug, PartialEq, Eq, ListFilter)]
pub struct AlertFilter {
    /// Only alerts of this severity.
    pub severity: Option<Severity>,
    /// Only alerts with this status.
    pub status: Option<AlertStatus>,
    /// Only alerts of this type.
    #[filter(page = "type")]
    pub alert_type: Option<AlertType>,
    /// Only alerts of decisions that violate this rule.
    #[filter(page = "rule", max = 100)]
    pub rule_code: Option<String>,
    /// Only alerts of decisions that violate a rule of this policy.
    #[filter(page = "policy", page_only)]
    pub policy_id: Option<PolicyId>,
    /// Only alerts assigned to this member.
    #[filter(page = "assignee")]
    pub assigned_to: Option<UserId>,
    /// The maximum number of alerts: 1 to 100.
    #[filter(skip)]
    pub limit: u32,
    /// The number of alerts to skip.
    #[filter(skip)]
    pub offset: u32,
}

impl Default for AlertFilter {
    fn default() -> Self {
        let limit = crate::pagination::LIMIT_DEFAULT;
        Self {
            severity: None,
            status: None,
            alert_type: None,
            rule_code: None,
            policy_id: None,
            assigned_to: None,
            limit,
            offset: 0,
        }
    }
}

/// The body of `POST /v1/alerts/acknowledge`.
#[body(Eq)]
pub struct AcknowledgeRequest {
    /// The IDs of 1 to 500 alerts, each once.
    #[json(with = unique_list(ACKNOWLEDGE_MAX, AlertId::from_json))]
    pub ids: Vec<AlertId>,
}

/// The body of `POST /v1/alerts/{id}/assign`.
#[body(Eq)]
pub struct AssignRequest {
    /// The ID of the member who handles the alert. Absent means no one.
    pub user_id: Option<UserId>,
}

/// The body of `POST /v1/alerts/{id}/snooze`.
#[body(Eq)]
pub struct SnoozeRequest {
    /// The end of the snooze time: in the future, at most 30 days from now. Absent ends the snooze time.
    pub until: Option<Timestamp>,
}

/// The results of an acknowledgement, in the order of the request.
#[wire]
pub struct AcknowledgeResponse {
    /// One result per ID.
    pub items: Vec<AcknowledgeResult>,
}

/// The result for one alert: the alert or an error.
#[wire]
pub struct AcknowledgeResult {
    /// The ID in the request.
    pub id: AlertId,
    /// The acknowledged alert.
    pub alert: Option<Alert>,
    /// The reason why the alert was not acknowledged.
    pub error: Option<Problem>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_follows_from_acknowledgement_and_snooze_time() {
        let at = |ms| Timestamp::from_millis(ms).unwrap();
        let mut alert: Alert = serde_json::from_str(
            r#"{"id": "a0000000-0000-4000-8000-000000000001",
                "tenant_id": "a0000000-0000-4000-8000-000000000001",
                "alert_type": "webhook_dead", "severity": "high", "message": "m",
                "created_at": "2026-11-20T23:04:11.302Z", "data": {}}"#,
        )
        .unwrap();
        assert_eq!(alert.status(at(10)), AlertStatus::Open);
        alert.snoozed_until = Some(at(11));
        assert_eq!(alert.status(at(10)), AlertStatus::Snoozed);
        assert_eq!(alert.status(at(11)), AlertStatus::Open);
        alert.acknowledged_at = Some(at(10));
        assert_eq!(alert.status(at(10)), AlertStatus::Acknowledged);
    }
}
