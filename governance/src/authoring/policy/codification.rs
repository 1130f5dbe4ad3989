//! Codification: maps clauses to rules and lints them. Runs before a transaction begins; the result is
//! stored with the rules.

pub mod lint_provider;
mod lint_request;
mod store;

use contract::{
    codification::{Codification, Lint},
    id::PolicyId,
    json::Value,
    policy::VersionPatch,
    read::FieldPatch,
};

pub use self::lint_provider::LintProvider;
pub(crate) use self::store::{StoredCodification, attach, insert, latest};
use crate::{
    access::permission,
    authoring::policy::{
        lifecycle::{self, Transition},
        rule_input::{RuleSet, VersionEdit},
        version,
    },
    base::{
        cx::Cx,
        error::{Error, ResourceKind, Result, codification_refused, not_found, stale_draft},
    },
};

/// Returns the rules that `block` produces, each with the source of its clause, and lints them. Without
/// a block, returns the rules unchanged. Calls the lint provider, so no transaction may be open.
///
/// # Errors
/// `CODIFICATION_REFUSED` with all mismatches.
pub(crate) async fn codify_rules(
    cx: &Cx,
    rules: RuleSet,
    block: Option<Codification>,
) -> Result<RuleSet> {
    let Some(block) = block else { return Ok(rules) };
    let codified = codify::codify(&block, &rules.values()?)
        .map_err(|refusals| Error::from(codification_refused(&refusals)))?;
    let lint = lint(cx, &block, &codified.rules).await;
    let block_json = to_json(&block)?;
    let record = to_json(&codified.record(block, lint))?;
    let codification = StoredCodification { block: Some(block_json), record: Some(record) };
    Ok(RuleSet { codification: Some(codification), ..RuleSet::from(codified.rules) })
}

async fn lint(cx: &Cx, block: &Codification, rules: &[Value]) -> Lint {
    let clock = cx.governance.clock();
    let started_ms = clock.now().millis();
    let elapsed_ms = || u32::try_from(clock.now().millis().saturating_sub(started_ms)).unwrap_or(0);
    match cx.governance.lint_provider() {
        Some(provider) => {
            lint_request::request_lint(provider, block, rules).await.lint(block, elapsed_ms())
        }
        None => Lint { elapsed_ms: elapsed_ms(), ..codify::lint::builtin(block, rules, 0) },
    }
}

fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Bug(error.into()))
}

/// Returns the edit with the rules that its codification produces. Without a codification in the edit,
/// new rules are mapped by the draft's stored codification. Calls the lint provider, so no transaction
/// may be open.
///
/// # Errors
/// `CODIFICATION_REFUSED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`;
/// `STALE_DRAFT_REVISION`.
pub(crate) async fn codify_edit(
    cx: &Cx,
    id: PolicyId,
    number: u32,
    edit: VersionEdit,
) -> Result<VersionEdit> {
    let VersionEdit { mut patch, rules } = edit;
    let change = std::mem::take(&mut patch.codification);
    if matches!(change, FieldPatch::Keep) && rules.is_none() {
        return Ok(VersionEdit { patch, rules });
    }
    let draft = Draft::load(cx, id, number, &patch).await?;
    let rules = match change {
        FieldPatch::Keep => {
            // New rules of a codified draft are mapped to the stored clauses.
            let rules = rules.map_or_else(|| RuleSet::stored(&draft.rules), Ok)?;
            let block = draft.block.as_deref().map(serde_json::from_str).transpose();
            codify_rules(cx, rules, block.map_err(|error| Error::Bug(error.into()))?).await?
        }
        FieldPatch::Clear => {
            let rules = rules.map_or_else(|| RuleSet::stored(&draft.rules), Ok)?;
            RuleSet { codification: draft.block.map(|_| StoredCodification::default()), ..rules }
        }
        FieldPatch::Set(block) => {
            let rules = rules.map_or_else(|| RuleSet::stored(&draft.rules), Ok)?;
            codify_rules(cx, rules, Some(block)).await?
        }
    };
    Ok(VersionEdit { patch, rules: Some(rules) })
}

/// The stored rules and codification that an edit starts from.
struct Draft {
    rules: String,
    block: Option<String>,
}

impl Draft {
    /// Loads the draft at the revision that the edit names. Rules and codification only change with the
    /// revision, so the edit either replaces what is read here or is rejected.
    async fn load(cx: &Cx, id: PolicyId, number: u32, patch: &VersionPatch) -> Result<Self> {
        let tx = cx.tenant_of_version(permission::EDIT_DRAFT, id, number)?.begin().await?;
        let row = version::find(&tx, id, number).one(tx.connection()).await?;
        let row = row.ok_or_else(|| not_found(ResourceKind::Version))?;
        lifecycle::check_transition(&row, Transition::Edit)?;
        if entity::column::unsigned(row.draft_revision) != patch.expected_revision {
            let mut current = version::wire(row)?;
            attach(&tx, &mut current).await?;
            return Err(stale_draft(&current).into());
        }
        let block = store::latest(&tx, id, number).await?.and_then(|stored| stored.block);
        tx.finish_read().await?;
        Ok(Self { rules: row.rules, block })
    }
}
