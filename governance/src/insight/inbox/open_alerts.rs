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
    let rows = cx.tenant(permission::READ_ALERTS)?.all(SELECT_ATTENTION, values).await?;
    let first = rows.first().ok_or_else(|| Error::bug("a query without a row"))?;
    let rules = rows.iter().filter_map(|row| rule(row).transpose());
    Ok(Attention {
        critical_alerts: first.try_get_by_index::<i64>(0)?.unsigned_abs(),
        dead_since: first.try_get_by_index::<Option<DateTimeUtc>>(1)?.map(from_column),
        rules: rules.collect::<Result<_>>()?,
    })
}

fn rule(row: &QueryResult) -> Result<Option<RuleAlerts>> {
    let Some(rule_code) = row.try_get_by_index(2)? else { return Ok(None) };
    Ok(Some(RuleAlerts {
        rule_code,
        severity: row.try_get_by_index::<TextEnum<Severity>>(3)?.0,
        open: row.try_get_by_index::<i64>(4)?.unsigned_abs(),
        newest: from_column(row.try_get_by_index::<DateTimeUtc>(5)?),
        name: row.try_get_by_index(6)?,
    }))
}
