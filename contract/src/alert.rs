//! Alerts: what people should look at, until somebody says that they did.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    error::Problem,
    id::{AlertId, DecisionId, TenantId},
    json::Value,
    read::{At, Errors, Members, Read, distinct, id},
    rule::Severity,
    time::Timestamp,
};

/// How many alerts one call acknowledges at the most.
pub const ACKNOWLEDGE_MAX: usize = 500;

/// How many alerts a page has at the most (specification, "Limits").
pub const PAGE_MAX: u32 = 100;

/// What an alert is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlertType {
    /// A decision was denied, or is to be reviewed.
    PolicyViolation,
    /// A decision would have been, by a policy in shadow mode.
    ShadowViolation,
    /// A safeguard of the tenant was switched off.
    GovernanceChange,
    /// A delivery to a webhook was given up.
    WebhookDead,
}

impl AlertType {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::PolicyViolation, Self::ShadowViolation, Self::GovernanceChange, Self::WebhookDead];

    /// The words of the wire.
    pub const WORDS: [&'static str; 4] =
        ["policy_violation", "shadow_violation", "governance_change", "webhook_dead"];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PolicyViolation => "policy_violation",
            Self::ShadowViolation => "shadow_violation",
            Self::GovernanceChange => "governance_change",
            Self::WebhookDead => "webhook_dead",
        }
    }
}

impl fmt::Display for AlertType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for AlertType {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(())
    }
}

/// Whether somebody has looked at an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertStatus {
    /// Nobody has.
    Open,
    /// Somebody has.
    Acknowledged,
}

impl AlertStatus {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Acknowledged => "acknowledged",
        }
    }
}

impl FromStr for AlertStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Open, Self::Acknowledged].into_iter().find(|known| known.as_str() == text).ok_or(())
    }
}

/// An alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Alert {
    /// The id.
    pub id: AlertId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// What it is about.
    pub alert_type: AlertType,
    /// How bad it is; of a decision, its worst violation.
    pub severity: Severity,
    /// A sentence for people.
    pub message: String,
    /// When it was raised.
    pub created_at: Timestamp,
    /// The decision that raised it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decision_id: Option<DecisionId>,
    /// Facts for programs. Of a decision `policy_code`, `rule_codes`, `decision_type` and
    /// `correlation_id`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub data: Value,
    /// When somebody acknowledged it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub acknowledged_at: Option<Timestamp>,
    /// Who did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub acknowledged_by: Option<String>,
}

/// One page of the alerts, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AlertPage {
    /// The alerts.
    pub items: Vec<Alert>,
    /// How many there are under the same filter.
    pub total: u64,
    /// How many a page has at the most.
    pub limit: u32,
    /// How many come before this page.
    pub offset: u32,
}

/// Which alerts a list shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertFilter {
    /// Of exactly this severity.
    pub severity: Option<Severity>,
    /// Open or acknowledged.
    pub status: Option<AlertStatus>,
    /// About this.
    pub alert_type: Option<AlertType>,
    /// Of a decision that violates this rule.
    pub rule_code: Option<String>,
    /// How many: 1 to 100.
    pub limit: u32,
    /// How many to pass over.
    pub offset: u32,
}

impl Default for AlertFilter {
    fn default() -> Self {
        let limit = crate::page::LIMIT_DEFAULT;
        Self { severity: None, status: None, alert_type: None, rule_code: None, limit, offset: 0 }
    }
}

/// The body of `POST /v1/alerts/acknowledge`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Acknowledgement {
    /// 1 to 500 alerts, each once.
    pub ids: Vec<AlertId>,
}

impl Read for Acknowledgement {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let ids = members.required("ids", ids);
        members.finish()?;
        Some(Self { ids: ids? })
    }
}

fn ids(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<AlertId>> {
    distinct(ACKNOWLEDGE_MAX, id)(value, at, errors)
}

/// What became of each alert that was to be acknowledged, in the order of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Acknowledged {
    /// One for each id.
    pub items: Vec<AcknowledgedItem>,
}

/// What became of one: an alert, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcknowledgedItem {
    /// The id of the request.
    pub id: AlertId,
    /// The alert, which is acknowledged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alert: Option<Alert>,
    /// Why it could not be.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Problem>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_comes_back_as_it_went() {
        for (kind, word) in AlertType::ALL.into_iter().zip(AlertType::WORDS) {
            assert_eq!((kind.as_str(), word.parse()), (word, Ok(kind)));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{word}\""));
        }
    }
}
