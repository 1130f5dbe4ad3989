//! Replays: a recorded decision made again of what was stored, to see that it still comes out so.

mod difference;

use contract::{
    decision::{DecisionContext, DecisionRecord},
    evaluation::EvaluationResult,
    id::{DecisionId, SnapshotId},
    json::Value,
    replay::{Replay, Replayed},
};
use entity::decision as table;
use receipt::statement::RECEIPT_SCHEMA_VERSION;

use self::difference::differences;
use crate::{
    cx::Cx,
    decision::{
        evaluate::{Question, judge},
        read::{by_id, parse, record},
    },
    error::{Error, Result},
    permission,
    snapshot::{self, Narrowing},
};

/// Decides the stored context on the stored snapshot as of the recorded instant, and compares. The
/// policies of today have no part in it, and nothing is written.
///
/// The hash of a receipt of schema version 1 is of a format that is not made any more: it is shown,
/// and not compared.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn replay(cx: &Cx, id: DecisionId) -> Result<Replay> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let row = by_id(&tx, id).await?;
    let snapshot = snapshot::stored(&tx, SnapshotId(row.snapshot_id)).await?;
    tx.end().await?;
    let recorded = record(&row.record)?;
    let context = kept(&row)?;
    let question = Question {
        context: &context,
        actor: recorded.actor.as_ref(),
        action: None,
        narrowing: Narrowing::recorded(recorded.result.narrowing.as_ref()),
        explain: false,
    };
    let again = judge(cx, snapshot, &question, recorded.result.timestamp)?;
    compared(&recorded, again.result)
}

/// The context as it was hashed: all that rules may read of it.
fn kept(row: &table::Model) -> Result<DecisionContext> {
    let preimage = parse(&row.context)?;
    let context = preimage.get("context").cloned();
    context.map(DecisionContext::kept).ok_or_else(|| Error::bug("a preimage without its context"))
}

fn compared(recorded: &DecisionRecord, again: EvaluationResult) -> Result<Replay> {
    let is_current = recorded.result.receipt_schema_version == RECEIPT_SCHEMA_VERSION;
    let original = said(recorded.result.clone());
    let replay = said(again);
    let mut differences = differences(&tree(&original)?, &tree(&replay)?);
    differences.retain(|difference| is_current || difference.path != "/integrity_hash");
    Ok(Replay { matches: differences.is_empty(), original, replay, differences })
}

fn said(result: EvaluationResult) -> Replayed {
    Replayed {
        decision: result.decision,
        violations: result.violations,
        integrity_hash: result.integrity_hash,
    }
}

fn tree(said: &Replayed) -> Result<Value> {
    let value = serde_json::to_value(said).and_then(serde_json::from_value);
    value.map_err(|error| Error::Bug(error.into()))
}
