//! The statement of the overview.

use contract::alert::COUNT_MAX;

use super::{CHANGES_MAX, RULES_MAX, Span};
use crate::base::prelude::*;

const SELECT_OVERVIEW: &str = include_str!("statement.sql");

/// Runs the statement and returns its only row.
pub(super) async fn load(
    tenant: &Tenant<'_>,
    span: Span,
    policy: Option<PolicyId>,
) -> Result<QueryResult> {
    let values = [
        timestamp_value(span.from),
        timestamp_value(span.to),
        (span.step_ms / 1_000).into(),
        timestamp_value(span.previous_start()),
        policy.map(|policy| policy.0).into(),
        RULES_MAX.into(),
        CHANGES_MAX.into(),
        i64::from(COUNT_MAX).into(),
    ];
    let tx = tenant.begin().await?;
    let row = tx.one(SELECT_OVERVIEW, values).await?;
    tx.finish_read().await?;
    row.ok_or_else(|| Error::bug("a query without a row"))
}
