//! Activity counts: the number of new items since a console page was rendered.

use std::{fmt, str::FromStr};

use contract::time::Timestamp;

use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::Result,
        tenancy::{TenantTx, timestamp_value},
    },
};

use super::head_gone;

/// The limit of a count. A count that reaches it means "this many or more".
const COUNT_MAX: i64 = 100;

/// A position in a tenant's activity, stored by a page: the last allocated sequence number and the newest
/// alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityMark {
    head: i64,
    alert: i64,
}

impl fmt::Display for ActivityMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.head, self.alert)
    }
}

impl FromStr for ActivityMark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (head, alert) = text.split_once('.').ok_or(())?;
        let number = |text: &str| text.parse().map_err(|_| ());
        Ok(Self { head: number(head)?, alert: number(alert)? })
    }
}

// SQL: reads both numbers at the same time.
const SELECT_MARK: &str = "SELECT audit_seq, coalesce((SELECT max(sequence) FROM alerts \
                           WHERE tenant_id = $1), 0) FROM tenant_heads WHERE tenant_id = $1";

/// Returns the current mark.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions or alerts.
pub(super) async fn mark(cx: &Cx) -> Result<ActivityMark> {
    cx.tenant(permission::READ_DECISIONS)?;
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let row = tx.one(SELECT_MARK, []).await?.ok_or_else(head_gone)?;
    tx.finish_read().await?;
    Ok(ActivityMark { head: row.try_get_by_index(0)?, alert: row.try_get_by_index(1)? })
}

/// The activity counts of a tenant since a mark.
#[derive(Debug)]
pub(super) struct ActivityCounts {
    since: ActivityMark,
    /// The counts that were sent last.
    last_sent: String,
}

// SQL: counts with a limit, for every page of a stream.
const SELECT_COUNTS: &str = "SELECT \
     (SELECT count(*) FROM (SELECT 1 FROM decisions \
         WHERE tenant_id = $1 AND sequence > $2 LIMIT $4) new_decisions), \
     (SELECT count(*) FROM (SELECT 1 FROM alerts \
         WHERE tenant_id = $1 AND sequence > $3 LIMIT $4) new_alerts), \
     (SELECT count(*) FROM alerts WHERE tenant_id = $1 AND acknowledged_at IS NULL \
         AND (snoozed_until IS NULL OR snoozed_until <= $5))";

impl ActivityCounts {
    pub(super) fn since(since: ActivityMark) -> Self {
        Self { since, last_sent: String::new() }
    }

    /// Returns the number of new decisions, new alerts and open alerts if they differ from the counts sent
    /// last.
    pub(super) async fn changed(
        &mut self,
        tx: &TenantTx,
        now: Timestamp,
    ) -> Result<Option<String>> {
        let values = [
            self.since.head.into(),
            self.since.alert.into(),
            COUNT_MAX.into(),
            timestamp_value(now),
        ];
        let row = tx.one(SELECT_COUNTS, values).await?.ok_or_else(head_gone)?;
        let count = |index| row.try_get_by_index::<i64>(index);
        let text = format!("{} {} {}", count(0)?, count(1)?, count(2)?);
        if text == self.last_sent {
            return Ok(None);
        }
        self.last_sent.clone_from(&text);
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activity_mark_round_trips_and_rejects_malformed_text() {
        let mark = ActivityMark { head: 1_024, alert: 7 };
        assert_eq!(mark.to_string().parse(), Ok(mark));
        for bad in ["", "1", "1.", ".1", "1.x", "1.2.3", "99999999999999999999.1"] {
            assert_eq!(bad.parse::<ActivityMark>(), Err(()), "{bad}");
        }
    }
}
