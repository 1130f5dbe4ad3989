//! Editing a draft in place.

use contract::{policy::VersionPatch, read::FieldPatch};

use super::{event, find, review, transition::VersionTransition, wire};
use crate::{
    access::permission,
    authoring::policy::{
        codification,
        lifecycle::{self, Transition, transition_error},
        rule_input::{RuleSet, VersionEdit},
        stored_codification::{self, StoredCodification},
    },
    base::{error::stale_draft, prelude::*},
};

/// Edits a draft in place and increments its revision.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`; `STALE_DRAFT_REVISION`;
/// `CODIFICATION_REFUSED`.
pub async fn edit(cx: &Cx, id: PolicyId, version: u32, edit: VersionEdit) -> Result<PolicyVersion> {
    store(cx, id, version, edit, Transition::Edit).await
}

/// Edits a draft in place, like [`edit`]. A submitted version whose changes were requested by a reviewer is
/// recalled first, in the same transaction.
///
/// # Errors
/// As [`edit`]; `VERSION_NOT_DRAFT` also for a submitted version without requested changes.
pub async fn edit_with_recall(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    edit: VersionEdit,
) -> Result<PolicyVersion> {
    store(cx, id, version, edit, Transition::EditWithRecall).await
}

async fn store(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    edit: VersionEdit,
    requested: Transition,
) -> Result<PolicyVersion> {
    let edit = codify_edit(cx, id, version, edit, requested).await?;
    let permission = match requested {
        Transition::Edit => permission::EDIT_DRAFT,
        // A recall is not an action of an authoring capability.
        _ => permission::WRITE_POLICIES,
    };
    let mut change = VersionTransition::begin(cx, permission, id, version, requested).await?;
    change.expect_revision(edit.patch.expected_revision).await?;
    if change.before.status.0 == VersionStatus::Submitted {
        // Otherwise the version waits for others, who would lose it.
        if review::returned_submission(&change.tx, &change.before).await?.is_none() {
            return Err(transition_error(&change.before, requested, "VERSION_NOT_DRAFT").into());
        }
        // The database rejects new rules of a submitted version, so a statement of its own recalls it.
        change.row.status = Set(TextEnum(VersionStatus::Draft));
        let recalled = change.row.update(change.tx.connection()).await?;
        change.row = recalled.into_active_model();
        change.tx.add_event(event("policy_version.recall", &change.before));
    }
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
async fn codify_edit(
    cx: &Cx,
    id: PolicyId,
    number: u32,
    edit: VersionEdit,
    requested: Transition,
) -> Result<VersionEdit> {
    let VersionEdit { mut patch, rules } = edit;
    let change = std::mem::take(&mut patch.codification);
    if matches!(change, FieldPatch::Keep) && rules.is_none() {
        return Ok(VersionEdit { patch, rules });
    }
    let draft = Draft::load(cx, id, number, &patch, requested).await?;
    let rules = rules.map_or_else(|| RuleSet::stored(&draft.rules), Ok)?;
    let rules = match change {
        FieldPatch::Keep => {
            // New rules of a codified draft are mapped to the stored clauses.
            let block = draft.block.as_deref().map(serde_json::from_str).transpose();
            codification::codify_rules(cx, rules, block.map_err(Error::internal)?).await?
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
    async fn load(
        cx: &Cx,
        id: PolicyId,
        number: u32,
        patch: &VersionPatch,
        requested: Transition,
    ) -> Result<Self> {
        let tx = cx.tenant_of_version(permission::EDIT_DRAFT, id, number)?.begin().await?;
        let row = find(&tx, id, number).one(tx.connection()).await?;
        let row = row.or_not_found(ResourceKind::Version)?;
        lifecycle::check_transition(&row, requested)?;
        if unsigned(row.draft_revision) != patch.expected_revision {
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
