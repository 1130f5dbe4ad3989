//! How much is new since a page was made: counts, for those who look at one.

use std::{fmt, str::FromStr};

use crate::{cx::Cx, error::Result, permission, tenancy::TenantTx};

use super::head_gone;

/// How far a count goes: beyond, it says no more than that there are many.
const MOST: i64 = 100;

/// A moment of a tenant, as a page keeps it: the last place that was given out, and the newest alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    head: i64,
    alert: i64,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.head, self.alert)
    }
}

impl FromStr for Mark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (head, alert) = text.split_once('.').ok_or(())?;
        let number = |text: &str| text.parse().map_err(|_| ());
        Ok(Self { head: number(head)?, alert: number(alert)? })
    }
}

// SQL: both numbers as they are at one moment.
const MARK: &str = "SELECT audit_seq, coalesce((SELECT max(sequence) FROM alerts \
                    WHERE tenant_id = $1), 0) FROM tenant_heads WHERE tenant_id = $1";

/// The moment of now. A page takes it before it reads its rows: what comes in between counts as new, and
/// nothing is missed.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that may not read both decisions and alerts.
pub async fn mark(cx: &Cx) -> Result<Mark> {
    cx.tenant(permission::READ_DECISIONS)?;
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let row = tx.one(MARK, []).await?.ok_or_else(head_gone)?;
    tx.end().await?;
    Ok(Mark { head: row.try_get_by_index(0)?, alert: row.try_get_by_index(1)? })
}

/// What is told of a tenant since a moment.
#[derive(Debug)]
pub(super) struct News {
    since: Mark,
    /// What was told last.
    told: String,
}

// SQL: counts that stop at a limit, for every page of a stream.
const COUNTS: &str = "SELECT \
     (SELECT count(*) FROM (SELECT 1 FROM decisions \
         WHERE tenant_id = $1 AND sequence > $2 LIMIT $4) new_decisions), \
     (SELECT count(*) FROM (SELECT 1 FROM alerts \
         WHERE tenant_id = $1 AND sequence > $3 LIMIT $4) new_alerts), \
     (SELECT count(*) FROM alerts WHERE tenant_id = $1 AND acknowledged_at IS NULL)";

impl News {
    pub(super) fn since(since: Mark) -> Self {
        Self { since, told: String::new() }
    }

    /// New decisions, new alerts, and open alerts, when that is not what was told last.
    pub(super) async fn changed(&mut self, tx: &TenantTx) -> Result<Option<String>> {
        let values = [self.since.head.into(), self.since.alert.into(), MOST.into()];
        let row = tx.one(COUNTS, values).await?.ok_or_else(head_gone)?;
        let count = |index| row.try_get_by_index::<i64>(index);
        let text = format!("{} {} {}", count(0)?, count(1)?, count(2)?);
        if text == self.told {
            return Ok(None);
        }
        self.told.clone_from(&text);
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_comes_back_as_it_went() {
        let mark = Mark { head: 1_024, alert: 7 };
        assert_eq!(mark.to_string().parse(), Ok(mark));
        for bad in ["", "1", "1.", ".1", "1.x", "1.2.3", "99999999999999999999.1"] {
            assert_eq!(bad.parse::<Mark>(), Err(()), "{bad}");
        }
    }
}
