//! Replay: re-evaluates a recorded decision from its stored context and snapshot, and compares the results.

mod difference;

use contract::{
    decision::{DecisionContext, DecisionRecord},
    evaluation::EvaluationResult,
    replay::{Replay, ReplaySide},
};
use entity::decision as table;
use receipt::statement::RECEIPT_SCHEMA_VERSION;

use self::difference::differences;
use crate::{
    access::permission,
    base::prelude::*,
    deciding::{
        decision::{
            by_id,
            evaluate::{EvaluationInput, evaluate_on_snapshot},
            record_of,
        },
        snapshot::{self, PolicySelection},
    },
};

/// Re-evaluates the stored context on the stored snapshot as of the recorded time and compares the results.
/// Current policies are not used, and nothing is written.
///
/// Receipts of schema version 1 use a hash format that is no longer produced. Their hash is returned but
/// not compared.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn replay(cx: &Cx, id: DecisionId) -> Result<Replay> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let row = by_id(&tx, id).await?;
    let stored = snapshot::by_id(&tx, SnapshotId(row.snapshot_id)).await?;
    tx.finish_read().await?;
    // No transaction is open while the rules are compiled and evaluated.
    let snapshot = snapshot::compile_stored(cx, &stored).await?;
    let recorded = record_of(&row.texts.record)?;
    let context = hashed_context(&row)?;
    let input = EvaluationInput {
        context: &context,
        actor: recorded.actor.as_ref(),
        action: None,
        narrowing: PolicySelection::recorded(recorded.result.narrowing.as_ref()),
        explain: false,
    };
    let replayed = evaluate_on_snapshot(cx, snapshot, &input, recorded.result.timestamp).await?;
    compare(&recorded, replayed.result)
}

/// Returns the hashed context, which contains everything that rules can read.
fn hashed_context(row: &table::Model) -> Result<DecisionContext> {
    let preimage = parse_stored("stored bytes", &row.texts.context)?;
    let context = preimage.get("context").cloned();
    context.map(DecisionContext::from_stored).or_bug("a preimage without its context")
}

fn compare(recorded: &DecisionRecord, replayed: EvaluationResult) -> Result<Replay> {
    let is_current = recorded.result.receipt_schema_version == RECEIPT_SCHEMA_VERSION;
    let original = to_side(recorded.result.clone());
    let replay = to_side(replayed);
    let mut differences = differences(&to_json(&original)?, &to_json(&replay)?);
    differences.retain(|difference| is_current || difference.path != "/integrity_hash");
    Ok(Replay { matches: differences.is_empty(), original, replay, differences })
}

fn to_side(result: EvaluationResult) -> ReplaySide {
    ReplaySide {
        decision: result.decision,
        violations: result.violations,
        integrity_hash: result.integrity_hash,
    }
}
