//! Which checkpoint is to be put on record next, and when it is tried again.

use contract::time::Timestamp;
use entity::{
    column::at,
    log_rekor::{self as table, Column},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder,
    UpdateMany,
};

use super::{Courier, Dialect, Entry, Failure, LogKey, submit};
use crate::{
    Governance,
    database::{untenanted, update_untenanted},
    error::{Noun, Result, not_found},
    tenancy::{instant, statement},
};

/// How long lies between two checkpoints that are put on record, in milliseconds. A public instance is
/// a shared good: it need not know each of them, for each covers all before it.
const EVERY_MS: i64 = 10 * 60 * 1_000;

/// After how long an attempt counts as given up, should its process have died, in milliseconds.
const LEASE_MS: i64 = 2 * 60 * 1_000;

/// How long lies between the first two attempts, in milliseconds; each further pause is twice as long.
const BACK_OFF_MS: i64 = 30 * 1_000;

/// How often the pause is doubled: up to 64 minutes.
const DOUBLINGS_MAX: u32 = 7;

/// An instance of Rekor, and how it is spoken to.
#[derive(Debug)]
pub struct Rekor {
    /// The way to it.
    pub courier: Box<dyn Courier>,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// The key that its checkpoints are checked with. Without it a proof shows only that the instance
    /// agrees with itself.
    pub log_key: Option<LogKey>,
}

/// What a turn came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// There is nothing to do yet.
    Idle,
    /// The checkpoint of this many entries is on record.
    Recorded(i64),
    /// It is not, and is tried again.
    Failed(Failure),
}

// SQL: one statement decides and takes, and so several processes never take the same checkpoint.
//
// Nothing while one is under way, when the last one is too young, or when the log has not grown.
const BEGIN: &str = "INSERT INTO log_rekor (tree, size, dialect, begun_at, due_at) \
     SELECT c.tree, c.size, $1, $2, $2 FROM (SELECT tree, size FROM log_checkpoints \
         WHERE size > 0 ORDER BY tree DESC, size DESC LIMIT 1) c \
     WHERE NOT EXISTS (SELECT FROM log_rekor WHERE proof IS NULL OR begun_at > $3) \
     ON CONFLICT DO NOTHING";

const CLAIM: &str = "UPDATE log_rekor r SET attempts = attempts + 1, due_at = $2, dialect = $3 \
     FROM log_checkpoints c WHERE c.tree = r.tree AND c.size = r.size \
     AND r.proof IS NULL AND r.due_at <= $1 \
     RETURNING r.tree, r.size, r.attempts, c.note";

impl Rekor {
    /// Puts the newest checkpoint of the log on record, when one is due at `now`. Several processes may
    /// try; one of them does.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when our own store is away. What Rekor does is no error.
    pub async fn turn(&self, governance: &Governance, now: Timestamp) -> Result<Turn> {
        let Some(key) = governance.rekor_key() else { return Ok(Turn::Idle) };
        let db = governance.database();
        let dialect = self.dialect.as_str();
        let values = [dialect.into(), instant(now), instant(now.plus_millis(-EVERY_MS))];
        db.execute_raw(statement(BEGIN, values)).await?;
        let values = [instant(now), instant(now.plus_millis(LEASE_MS)), dialect.into()];
        let Some(row) = db.query_one_raw(statement(CLAIM, values)).await? else {
            return Ok(Turn::Idle);
        };
        let due = Due::from_query_result(&row, "")?;
        let entry = Entry::new(self.dialect, key, &due.note);
        match submit(self.courier.as_ref(), &entry, self.log_key.as_ref()).await {
            Ok(proof) => {
                let recorded = table::ActiveModel {
                    proof: Set(Some(proof.kept(&due.note))),
                    recorded_at: Set(Some(at(governance.clock().now()))),
                    failure: Set(None),
                    ..Default::default()
                };
                due.update().set(recorded).exec(db).await?;
                Ok(Turn::Recorded(due.size))
            }
            Err(failure) => {
                let again = governance.clock().now().plus_millis(pause(due.attempts));
                let failed = table::ActiveModel {
                    failure: Set(Some(failure.to_string())),
                    due_at: Set(at(again)),
                    ..Default::default()
                };
                let same_attempt = Column::Attempts.eq(due.attempts);
                due.update().set(failed).filter(same_attempt).exec(db).await?;
                Ok(Turn::Failed(failure))
            }
        }
    }
}

/// A checkpoint that is being put on record.
#[derive(Debug, FromQueryResult)]
struct Due {
    tree: i16,
    size: i64,
    attempts: i32,
    note: String,
}

impl Due {
    /// An update of its row, for as long as it is not on record.
    fn update(&self) -> UpdateMany<table::Entity> {
        update_untenanted::<table::Entity>()
            .filter(Column::Tree.eq(self.tree))
            .filter(Column::Size.eq(self.size))
            .filter(Column::Proof.is_null())
    }
}

/// How long to wait after so many attempts, in milliseconds.
fn pause(attempts: i32) -> i64 {
    let doublings = u32::try_from(attempts).unwrap_or(1).saturating_sub(1).min(DOUBLINGS_MAX);
    BACK_OFF_MS << doublings
}

/// The proof that was made last, as it is kept: one JSON object, `govern-rekor-proof/v1`.
///
/// # Errors
/// `NOT_FOUND` when nothing was ever put on record.
pub async fn last(governance: &Governance) -> Result<String> {
    let last = untenanted::<table::Entity>()
        .filter(Column::Proof.is_not_null())
        .order_by_desc(Column::Tree)
        .order_by_desc(Column::Size);
    let proof = last.one(governance.database()).await?.and_then(|last| last.proof);
    Ok(proof.ok_or_else(|| not_found(Noun::Thing))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_doubles_up_to_an_hour_or_so() {
        let pauses: Vec<i64> = [1, 2, 3, 8, 9, i32::MAX].map(pause).to_vec();
        assert_eq!(pauses, [30_000, 60_000, 120_000, 3_840_000, 3_840_000, 3_840_000]);
    }
}
