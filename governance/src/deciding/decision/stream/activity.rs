//! Activity counts: the number of new items since a console page was rendered.

use std::{fmt, str::FromStr, sync::LazyLock};

use contract::alert::COUNT_MAX as OPEN_MAX;

use crate::{access::permission, base::prelude::*};

/// The limit of a count of new items. A count that reaches it means "this many or more".
const COUNT_MAX: i64 = 100;

/// A position in a tenant's activity, stored by a page: the last allocated sequence number, the newest alert and the
/// newest delivery. A page reads it before its rows, so that everything recorded in between counts as new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActivityMark {
    head: i64,
    alert: i64,
    delivery: i64,
}

impl fmt::Display for ActivityMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.head, self.alert, self.delivery)
    }
}

impl FromStr for ActivityMark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut numbers = text.splitn(3, '.').map(|number| number.parse().map_err(|_| ()));
        let mut number = || numbers.next().ok_or(())?;
        Ok(Self { head: number()?, alert: number()?, delivery: number()? })
    }
}

impl ActivityMark {
    /// Reads a column that a statement wrote with [`MARK`].
    pub(crate) fn from_column(mark: &str) -> Result<Self> {
        mark.parse().map_err(|()| Error::bug("a mark that cannot be parsed"))
    }
}

/// The expression of a mark, which statements of pages contain. All its numbers are of the same time.
pub(crate) const MARK: &str = "(SELECT concat_ws('.', audit_seq, \
     coalesce((SELECT max(sequence) FROM alerts WHERE tenant_id = $1), 0), \
     coalesce((SELECT max(sequence) FROM webhook_deliveries WHERE tenant_id = $1), 0)) \
     FROM tenant_heads WHERE tenant_id = $1)";

static SELECT_MARK: LazyLock<String> = LazyLock::new(|| format!("SELECT {MARK}"));

/// Returns the current mark.
async fn mark(cx: &Cx) -> Result<ActivityMark> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let mark: String = tx.only(&SELECT_MARK, []).await?;
    tx.finish_read().await?;
    ActivityMark::from_column(&mark)
}

/// Returns the number of new decisions, new alerts, open alerts and new deliveries since a mark (default: now) as text,
/// for a client that cannot open a stream of them.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions or alerts.
pub async fn activity(cx: &Cx, since: Option<ActivityMark>) -> Result<String> {
    let counts = ActivityCounts::since(cx, since).await?;
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let text = counts.read(&tx, cx).await?;
    tx.finish_read().await?;
    Ok(text)
}

/// The activity counts of a tenant since a mark.
#[derive(Debug)]
pub(super) struct ActivityCounts {
    since: ActivityMark,
    /// The counts that were sent last.
    last_sent: String,
}

const SELECT_COUNTS: &str = include_str!("activity.sql");

impl ActivityCounts {
    /// Returns the counts since a mark, or since now.
    pub(super) async fn since(cx: &Cx, since: Option<ActivityMark>) -> Result<Self> {
        cx.tenant(permission::READ_ALERTS)?;
        let since = match since {
            Some(since) => since,
            None => mark(cx).await?,
        };
        Ok(Self { since, last_sent: String::new() })
    }

    /// Returns the counts if they differ from those sent last.
    pub(super) async fn changed(&mut self, tx: &TenantTx, cx: &Cx) -> Result<Option<String>> {
        let text = self.read(tx, cx).await?;
        if text == self.last_sent {
            return Ok(None);
        }
        self.last_sent.clone_from(&text);
        Ok(Some(text))
    }

    /// Returns the number of new decisions, new alerts, open alerts and new deliveries. The last is 0 for users who
    /// cannot read deliveries.
    async fn read(&self, tx: &TenantTx, cx: &Cx) -> Result<String> {
        let values = [
            self.since.head.into(),
            self.since.alert.into(),
            COUNT_MAX.into(),
            timestamp_value(cx.now),
            self.since.delivery.into(),
            cx.tenant(permission::READ_DELIVERIES).is_ok().into(),
            i64::from(OPEN_MAX).into(),
        ];
        let counts: (i64, i64, i64, i64) = tx.only(SELECT_COUNTS, values).await?;
        Ok(<[i64; 4]>::from(counts).map(|count| count.to_string()).join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activity_mark_round_trips_and_refuses_malformed_text() {
        let mark = ActivityMark { head: 1_024, alert: 7, delivery: 9 };
        assert_eq!(mark.to_string().parse(), Ok(mark));
        for bad in ["", "1", "1.2", "1.2.", ".1.2", "1.x.2", "1.2.3.4", "99999999999999999999.1.2"]
        {
            assert_eq!(bad.parse::<ActivityMark>(), Err(()), "{bad}");
        }
    }
}
