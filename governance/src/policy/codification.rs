//! Rules held against the clauses that they come from: codified and linted before any transaction
//! begins, kept in the transaction that stores the rules.

mod answer;
pub mod answerer;
mod store;

use contract::{
    codification::{Codification, Lint},
    id::PolicyId,
    json::Value,
    policy::VersionPatch,
    read::Change,
};

pub use self::answerer::Answerer;
pub(crate) use self::store::{Kept, attach, keep, latest};
use crate::{
    cx::Cx,
    error::{Error, Noun, Result, codification_refused, not_found, stale_draft},
    permission,
    policy::{
        authored::{Edit, Rules},
        lifecycle::{self, Move},
        version,
    },
};

/// Rules as `block` makes them: each with the source of its clause, and linted afresh. Without a
/// block, the rules as they are. Asks the answerer, so no transaction may be open.
///
/// # Errors
/// `CODIFICATION_REFUSED` with all that does not fit.
pub(crate) async fn codified(cx: &Cx, rules: Rules, block: Option<Codification>) -> Result<Rules> {
    let Some(block) = block else { return Ok(rules) };
    let codified = codify::codify(&block, &rules.values()?)
        .map_err(|refusals| Error::from(codification_refused(&refusals)))?;
    let lint = lint(cx, &block, &codified.rules).await;
    let sent = text(&block)?;
    let record = text(&codified.record(block, lint))?;
    let kept = Kept { block: Some(sent), record: Some(record) };
    Ok(Rules { kept: Some(kept), ..Rules::from(codified.rules) })
}

async fn lint(cx: &Cx, block: &Codification, rules: &[Value]) -> Lint {
    let clock = cx.governance.clock();
    let begun = clock.now().millis();
    let elapsed = || u32::try_from(clock.now().millis().saturating_sub(begun)).unwrap_or(0);
    match cx.governance.answerer() {
        Some(answerer) => answer::ask(answerer, block, rules).await.lint(block, elapsed()),
        None => Lint { elapsed_ms: elapsed(), ..codify::lint::builtin(block, rules, 0) },
    }
}

fn text(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Bug(error.into()))
}

/// An edit with the rules that its codification makes, or that the draft's own codification makes of
/// new rules. Asks the answerer, so no transaction may be open.
///
/// # Errors
/// `CODIFICATION_REFUSED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`;
/// `STALE_DRAFT_REVISION`.
pub(crate) async fn edited(cx: &Cx, id: PolicyId, number: u32, edit: Edit) -> Result<Edit> {
    let Edit { mut patch, rules } = edit;
    let change = std::mem::take(&mut patch.codification);
    if matches!(change, Change::Keep) && rules.is_none() {
        return Ok(Edit { patch, rules });
    }
    let draft = Draft::read(cx, id, number, &patch).await?;
    let rules = match change {
        Change::Keep => {
            // New rules of a codified draft come from the same clauses.
            let rules = rules.map_or_else(|| Rules::stored(&draft.rules), Ok)?;
            let block = draft.block.as_deref().map(serde_json::from_str).transpose();
            codified(cx, rules, block.map_err(|error| Error::Bug(error.into()))?).await?
        }
        Change::Clear => {
            let rules = rules.map_or_else(|| Rules::stored(&draft.rules), Ok)?;
            Rules { kept: draft.block.map(|_| Kept::default()), ..rules }
        }
        Change::Set(block) => {
            let rules = rules.map_or_else(|| Rules::stored(&draft.rules), Ok)?;
            codified(cx, rules, Some(block)).await?
        }
    };
    Ok(Edit { patch, rules: Some(rules) })
}

/// What an edit starts from.
struct Draft {
    rules: String,
    block: Option<String>,
}

impl Draft {
    /// The draft as it stands. The edit names the revision that it was made on, and rules and block
    /// change only with it: what is read here is what the edit replaces, or the edit is refused.
    async fn read(cx: &Cx, id: PolicyId, number: u32, patch: &VersionPatch) -> Result<Self> {
        let tx = cx.tenant_of_version(permission::EDIT_DRAFT, id, number)?.begin().await?;
        let row = version::find(&tx, id, number).one(tx.connection()).await?;
        let row = row.ok_or_else(|| not_found(Noun::Version))?;
        lifecycle::allow(&row, Move::Edit)?;
        if entity::column::number(row.draft_revision) != patch.expected_revision {
            let mut current = version::wire(row)?;
            attach(&tx, &mut current).await?;
            return Err(stale_draft(&current).into());
        }
        let block = store::latest(&tx, id, number).await?.and_then(|kept| kept.block);
        tx.end().await?;
        Ok(Self { rules: row.rules, block })
    }
}
