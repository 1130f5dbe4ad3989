//! The open alerts of the tenant by rule, and the oldest dead delivery.

use contract::alert::COUNT_MAX;

use crate::{access::permission, base::prelude::*};

/// What needs attention in a tenant, apart from its versions. Alerts are counted among the newest [`COUNT_MAX`] that
/// are open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// The number of open alerts that are critical.
    pub critical_alerts: u64,
    /// The time of the oldest last attempt of a dead delivery.
    pub dead_since: Option<Timestamp>,
    /// The rules with the most severe open alerts.
    pub rules: Vec<RuleAlerts>,
}

/// The open alerts about decisions that violate one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleAlerts {
    pub rule_code: String,
    /// The highest severity of the alerts.
    pub severity: Severity,
    pub open: u64,
    /// The creation time of the newest alert.
    pub newest: Timestamp,
    /// The name of the rule in the decision that caused the newest alert.
    pub name: Option<String>,
}

/// The maximum number of rules.
const RULES_MAX: i64 = 5;

const SELECT_ATTENTION: &str = include_str!("open_alerts.sql");

/// Returns the open alerts by rule, and the oldest dead delivery.
///
/// # Errors
/// `FORBIDDEN` for a role that cannot read deliveries.
pub async fn attention(cx: &Cx) -> Result<Attention> {
    cx.tenant(permission::READ_DELIVERIES)?;
    cx.tenant(permission::READ_DECISIONS)?;
    let values = [timestamp_value(cx.now), RULES_MAX.into(), i64::from(COUNT_MAX).into()];
    let tenant = cx.tenant(permission::READ_ALERTS)?;
    let rows: Vec<Row> = tenant.tuples(SELECT_ATTENTION, values).await?;
    let (critical, dead_since, ..) = rows.first().or_bug("a query without a row")?;
    Ok(Attention {
        critical_alerts: critical.unsigned_abs(),
        dead_since: dead_since.map(from_column),
        rules: rows.into_iter().filter_map(rule).collect(),
    })
}

/// The critical alerts and the time of the oldest dead delivery, which all rows repeat, and a rule, if one has open alerts.
type Row = (
    i64,
    Option<DateTimeUtc>,
    Option<String>,
    Option<TextEnum<Severity>>,
    Option<i64>,
    Option<DateTimeUtc>,
    Option<String>,
);

fn rule((_, _, rule_code, severity, open, newest, name): Row) -> Option<RuleAlerts> {
    Some(RuleAlerts {
        rule_code: rule_code?,
        severity: severity?.0,
        open: open?.unsigned_abs(),
        newest: from_column(newest?),
        name,
    })
}
