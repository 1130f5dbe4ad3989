//! Alerts: events that need attention until a user acknowledges them.

use serde::{Deserialize, Serialize};

use crate::{
    error::Problem,
    id::{AlertId, DecisionId, TenantId},
    json::Value,
    read::{FromJson, unique_list},
    rule::Severity,
    time::Timestamp,
};

/// The maximum number of alerts that one request acknowledges.
pub const ACKNOWLEDGE_MAX: usize = 500;

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
    /// The acknowledgement status of an alert.
    pub enum AlertStatus {
        /// The alert was not acknowledged.
        Open = "open",
        /// A user or API key acknowledged the alert.
        Acknowledged = "acknowledged",
    }
}

/// An alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decision_id: Option<DecisionId>,
    /// Details for programs. For a decision: `policy_code`, `rule_codes`, `decision_type` and
    /// `correlation_id`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub data: Value,
    /// The time at which the alert was acknowledged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub acknowledged_at: Option<Timestamp>,
    /// The ID of the user or API key that acknowledged the alert.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub acknowledged_by: Option<String>,
}

/// A page of alerts, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AlertPage {
    /// The alerts of the page.
    pub items: Vec<Alert>,
    /// The number of all alerts that match the filter.
    pub total: u64,
    /// The maximum number of alerts per page.
    pub limit: u32,
    /// The number of alerts before this page.
    pub offset: u32,
}

/// A filter of alerts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertFilter {
    /// Alerts with exactly this severity.
    pub severity: Option<Severity>,
    /// Open or acknowledged alerts.
    pub status: Option<AlertStatus>,
    /// Alerts of this type.
    pub alert_type: Option<AlertType>,
    /// Alerts about decisions that violate this rule.
    pub rule_code: Option<String>,
    /// The maximum number of alerts: 1 to 100.
    pub limit: u32,
    /// The number of alerts to skip.
    pub offset: u32,
}

impl Default for AlertFilter {
    fn default() -> Self {
        let limit = crate::pagination::LIMIT_DEFAULT;
        Self { severity: None, status: None, alert_type: None, rule_code: None, limit, offset: 0 }
    }
}

/// The body of `POST /v1/alerts/acknowledge`.
#[derive(Clone, Debug, PartialEq, Eq, FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcknowledgeRequest {
    /// The IDs of 1 to 500 alerts, each once.
    #[json(with = unique_list(ACKNOWLEDGE_MAX, AlertId::from_json))]
    pub ids: Vec<AlertId>,
}

/// The results of an acknowledgement, in the order of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcknowledgeResponse {
    /// One result per ID.
    pub items: Vec<AcknowledgeResult>,
}

/// The result for one alert: the alert or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcknowledgeResult {
    /// The ID in the request.
    pub id: AlertId,
    /// The acknowledged alert.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alert: Option<Alert>,
    /// The reason why the alert was not acknowledged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Problem>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alert_type_round_trips() {
        for (kind, name) in AlertType::ALL.into_iter().zip(AlertType::NAMES) {
            assert_eq!((kind.as_str(), name.parse()), (name, Ok(kind)));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{name}\""));
        }
    }
}
