//! Asking what a version would decide, before it decides anything.

use contract::{
    decision::{DecisionContext, Evaluated},
    evaluation::EvaluationResult,
    id::PolicyId,
};
use entity::policy as policies;
use sea_orm::{ColumnTrait, QueryFilter};

use super::find;
use crate::{
    cx::Cx,
    decision::{Question, judge},
    error::{Noun, Result, not_found},
    permission,
    policy::authored::Rules,
    snapshot::{self, Narrowing},
};

/// What a version alone would decide on `context`, with `rules` in place of its own when they are
/// given. Nothing is written: the snapshot that the answer names is stored nowhere, and no decision
/// is counted.
///
/// # Errors
/// `NOT_FOUND`; `FORBIDDEN` for who may not evaluate.
pub async fn try_out(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    rules: Option<Rules>,
    context: &DecisionContext,
) -> Result<Evaluated> {
    cx.tenant(permission::EVALUATE)?;
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let policy = tx.find::<policies::Entity>().filter(policies::Column::Id.eq(id.0));
    let policy = policy.one(tx.connection()).await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    tx.end().await?;
    let policy = policy.ok_or_else(|| not_found(Noun::Policy))?;
    let row = row.ok_or_else(|| not_found(Noun::Version))?;
    let authored = rules.map_or_else(|| row.rules.clone(), |rules| rules.text);
    let snapshot = snapshot::alone(policy, &row, &authored)?;
    let question = Question {
        context,
        actor: None,
        action: None,
        narrowing: Narrowing::default(),
        explain: true,
    };
    let decided = judge(cx, snapshot, &question, cx.now)?;
    Ok(Evaluated {
        result: EvaluationResult { dry_run: true, ..decided.result },
        evaluated_policies: decided.snapshot.policies.clone(),
    })
}
