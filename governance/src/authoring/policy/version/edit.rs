//! Editing a draft in place.

use contract::{
    id::PolicyId,
    policy::{PolicyVersion, VersionPatch},
    read::FieldPatch,
};
use sea_orm::ActiveValue::Set;

use super::{find, transition::VersionTransition, wire};
use crate::{
    access::permission,
    authoring::policy::{
        codification,
        lifecycle::{self, Transition},
        rule_input::{RuleSet, VersionEdit},
        stored_codification::{self, StoredCodification},
    },
    base::{
        cx::Cx,
        error::{Error, ResourceKind, Result, not_found, stale_draft},
    },
};

/// Edits a draft in place and increments its revision.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`; `STALE_DRAFT_REVISION`;
/// `CODIFICATION_REFUSED`.
pub async fn edit(cx: &Cx, id: PolicyId, version: u32, edit: VersionEdit) -> Result<PolicyVersion> {
    let edit = codify_edit(cx, id, version, edit).await?;
    let mut change =
        VersionTransition::begin(cx, permission::EDIT_DRAFT, id, version, Transition::Edit).await?;
    change.expect_revision(edit.patch.expected_revision).await?;
    let row = &mut change.row;
    row.draft_revision = Set(change.before.draft_revision.saturating_add(1));
    if let Some(rules) = edit.rules {
        row.rules = Set(rules.text);
        row.rules_digest = Set(rules.digest);
        change.codification = rules.codification;
    }
    match edit.patch.change_reason {
        FieldPatch::Keep => {}
        FieldPatch::Clear => change.row.change_reason = Set(None),
        FieldPatch::Set(reason) => change.row.change_reason = Set(Some(reason)),
    }
    change.add_maker(cx);
    change.commit(cx, "policy_version.edit").await
}

/// Returns the edit with the rules that its codification produces. Without a codification in the edit,
/// new rules are mapped by the draft's stored codification. Calls the lint provider, so no transaction
/// may be open.
///
/// # Errors
/// `CODIFICATION_REFUSED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`;
/// `STALE_DRAFT_REVISION`.
async fn codify_edit(cx: &Cx, id: PolicyId, number: u32, edit: VersionEdit) -> Result<VersionEdit> {
    let VersionEdit { mut patch, rules } = edit;
    let change = std::mem::take(&mut patch.codification);
    if matches!(change, FieldPatch::Keep) && rules.is_none() {
        return Ok(VersionEdit { patch, rules });
    }
    let draft = Draft::load(cx, id, number, &patch).await?;
    let rules = rules.map_or_else(|| RuleSet::stored(&draft.rules), Ok)?;
    let rules = match change {
        FieldPatch::Keep => {
            // New rules of a codified draft are mapped to the stored clauses.
            let block = draft.block.as_deref().map(serde_json::from_str).transpose();
            codification::codify_rules(cx, rules, block.map_err(|error| Error::Bug(error.into()))?)
                .await?
        }
        FieldPatch::Clear => {
            RuleSet { codification: draft.block.map(|_| StoredCodification::default()), ..rules }
        }
        FieldPatch::Set(block) => codification::codify_rules(cx, rules, Some(block)).await?,
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
        let row = find(&tx, id, number).one(tx.connection()).await?;
        let row = row.ok_or_else(|| not_found(ResourceKind::Version))?;
        lifecycle::check_transition(&row, Transition::Edit)?;
        if entity::column::unsigned(row.draft_revision) != patch.expected_revision {
            let mut current = wire(row)?;
            stored_codification::attach(&tx, &mut current).await?;
            return Err(stale_draft(&current).into());
        }
        let block =
            stored_codification::latest(&tx, id, number).await?.and_then(|stored| stored.block);
        tx.finish_read().await?;
        Ok(Self { rules: row.rules, block })
    }
}
