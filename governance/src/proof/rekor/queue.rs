//! Selects the next checkpoint to submit, and schedules retries.

use entity::log_rekor::{self as table, Column};
use sea_orm::UpdateMany;

use super::{Dialect, Entry, LogKey, RekorTransport, SubmissionError, submit};
use crate::base::prelude::*;

/// The interval between two submitted checkpoints in milliseconds. A public instance is a shared resource,
/// and each checkpoint covers all previous ones.
const INTERVAL_MS: i64 = 10 * 60 * 1_000;

/// The lease of an attempt in milliseconds, after which its process is considered dead.
const LEASE_MS: i64 = 2 * 60 * 1_000;

/// The delay between the first two attempts in milliseconds. Each further delay is twice as long.
const BACKOFF_MS: i64 = 30 * 1_000;

/// The maximum number of doublings, for a delay of up to 64 minutes.
const DOUBLINGS_MAX: u32 = 7;

/// A Rekor instance and how to use it.
#[derive(Debug)]
pub struct Rekor {
    pub transport: Box<dyn RekorTransport>,
    pub dialect: Dialect,
    /// The key that verifies its checkpoints. Without it, a proof only shows that the instance is
    /// consistent with itself.
    pub log_key: Option<LogKey>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionResult {
    /// Nothing is due.
    Idle,
    /// The checkpoint with this number of entries was submitted.
    Recorded(i64),
    /// The submission failed and will be retried.
    Failed(SubmissionError),
}

// SQL: one statement selects and inserts, so that processes never submit the same checkpoint twice.
//
// Inserts nothing while a submission is pending, if the last one is too recent, or if the log has not
// grown.
const INSERT_DUE: &str = "INSERT INTO log_rekor (tree, size, dialect, begun_at, due_at) \
     SELECT c.tree, c.size, $1, $2, $2 FROM (SELECT tree, size FROM log_checkpoints \
         WHERE size > 0 ORDER BY tree DESC, size DESC LIMIT 1) c \
     WHERE NOT EXISTS (SELECT FROM log_rekor WHERE proof IS NULL OR begun_at > $3) \
     ON CONFLICT DO NOTHING";

const CLAIM_DUE: &str = "UPDATE log_rekor r SET attempts = attempts + 1, due_at = $2, dialect = $3 \
     FROM log_checkpoints c WHERE c.tree = r.tree AND c.size = r.size \
     AND r.proof IS NULL AND r.due_at <= $1 \
     RETURNING r.tree, r.size, r.attempts, c.note";

impl Rekor {
    /// Submits the newest checkpoint of the log if one is due at `now`. Several processes may run it; one
    /// of them submits.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable. A failure of Rekor is not an error.
    pub async fn run_once(
        &self,
        governance: &Governance,
        now: Timestamp,
    ) -> Result<SubmissionResult> {
        let Some(key) = governance.rekor_key() else { return Ok(SubmissionResult::Idle) };
        let db = governance.database();
        let dialect = self.dialect.as_str();
        let values =
            [dialect.into(), timestamp_value(now), timestamp_value(now.plus_millis(-INTERVAL_MS))];
        db.execute_raw(statement(INSERT_DUE, values)).await?;
        let values =
            [timestamp_value(now), timestamp_value(now.plus_millis(LEASE_MS)), dialect.into()];
        let Some(row) = db.query_one_raw(statement(CLAIM_DUE, values)).await? else {
            return Ok(SubmissionResult::Idle);
        };
        let pending = PendingSubmission::from_query_result(&row, "")?;
        let entry = Entry::new(self.dialect, key, &pending.note);
        match submit(self.transport.as_ref(), &entry, self.log_key.as_ref()).await {
            Ok(proof) => {
                let update = table::ActiveModel {
                    proof: Set(Some(proof.to_stored(&pending.note))),
                    recorded_at: Set(Some(to_column(governance.clock().now()))),
                    failure: Set(None),
                    ..Default::default()
                };
                pending.update().set(update).exec(db).await?;
                Ok(SubmissionResult::Recorded(pending.size))
            }
            Err(failure) => {
                let next_attempt =
                    governance.clock().now().plus_millis(retry_delay_ms(pending.attempts));
                let update = table::ActiveModel {
                    failure: Set(Some(failure.to_string())),
                    due_at: Set(to_column(next_attempt)),
                    ..Default::default()
                };
                let same_attempt = Column::Attempts.eq(pending.attempts);
                pending.update().set(update).filter(same_attempt).exec(db).await?;
                Ok(SubmissionResult::Failed(failure))
            }
        }
    }
}

/// A checkpoint that is being submitted.
#[derive(Debug, FromQueryResult)]
struct PendingSubmission {
    tree: i16,
    size: i64,
    attempts: i32,
    note: String,
}

impl PendingSubmission {
    /// Returns an update of its row, unless it was submitted in the meantime.
    fn update(&self) -> UpdateMany<table::Entity> {
        update_untenanted::<table::Entity>()
            .filter(Column::Tree.eq(self.tree))
            .filter(Column::Size.eq(self.size))
            .filter(Column::Proof.is_null())
    }
}

/// Returns the delay after `attempts` attempts in milliseconds.
fn retry_delay_ms(attempts: i32) -> i64 {
    let doublings = u32::try_from(attempts).unwrap_or(1).saturating_sub(1).min(DOUBLINGS_MAX);
    BACKOFF_MS << doublings
}

/// A checkpoint that a Rekor instance recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RekorRecord {
    /// The tree size of the checkpoint.
    pub size: u64,
    /// The time at which the instance recorded it, according to this service.
    pub recorded_at: Option<Timestamp>,
    /// The index of the entry in the tree of the instance.
    pub log_index: Option<String>,
}

/// Returns the most recent checkpoint that was recorded.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn latest_record(governance: &Governance) -> Result<Option<RekorRecord>> {
    let newest = newest_proof().one(governance.database()).await?;
    Ok(newest.map(|row| {
        let proof = row.proof.and_then(|proof| parse_stored("a Rekor proof", &proof).ok());
        let log_index = proof.as_ref().and_then(|proof| proof.get("log_index"));
        RekorRecord {
            size: u64::try_from(row.size).unwrap_or_default(),
            recorded_at: row.recorded_at.map(from_column),
            log_index: log_index
                .map(|index| index.as_str().map_or_else(|| index.to_canonical(), str::to_owned)),
        }
    }))
}

fn newest_proof() -> Select<table::Entity> {
    untenanted::<table::Entity>()
        .filter(Column::Proof.is_not_null())
        .order_by_desc(Column::Tree)
        .order_by_desc(Column::Size)
}

/// Returns the most recent proof as it is stored: one JSON object, `govern-rekor-proof/v1`.
///
/// # Errors
/// `NOT_FOUND` if no checkpoint was ever submitted.
pub async fn latest_proof(governance: &Governance) -> Result<String> {
    let newest = newest_proof().one(governance.database()).await?;
    let proof = newest.and_then(|newest| newest.proof);
    Ok(proof.or_not_found(ResourceKind::Resource)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_delay_doubles_up_to_about_an_hour() {
        let delays: Vec<i64> = [1, 2, 3, 8, 9, i32::MAX].map(retry_delay_ms).to_vec();
        assert_eq!(delays, [30_000, 60_000, 120_000, 3_840_000, 3_840_000, 3_840_000]);
    }
}
