//! Reading recorded decisions: for their tenant, and as public receipts.

use contract::{
    decision::DecisionRecord,
    evaluation::EvaluationResult,
    receipt::{Receipt, ReceiptApproval, Redaction},
};
use entity::{
    decision as table, decision_texts::DecisionTexts, outcome as outcomes, public_id::PublicKind,
};
use receipt::{key::PayloadType, statement::RECEIPT_SCHEMA_VERSION, transparency_log::EntryKind};

use super::outcome;
use crate::{
    access::permission,
    authoring::settings,
    base::{prelude::*, public_id},
    proof::transparency_log,
};

/// Returns a recorded decision as the record call returned it, with its outcome if recorded and its anchor
/// once the receipt is in the transparency log.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: DecisionId) -> Result<DecisionRecord> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let row = with_outcome(&tx, id).select_also(outcomes::Entity).one(tx.connection()).await?;
    let (row, outcome) = row.or_not_found(ResourceKind::Decision)?;
    let decision = with_anchor(&tx, &row, outcome.as_ref()).await?;
    tx.finish_read().await?;
    Ok(decision)
}

/// Returns the decisions with these IDs as the record calls returned them, in no particular order. Omits
/// unknown IDs.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `decisions:read`.
pub async fn read_all(cx: &Cx, ids: &[DecisionId]) -> Result<Vec<DecisionRecord>> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let records = tx
        .find::<table::Entity>()
        .select_only()
        .column(table::Column::Texts)
        .filter(table::Column::Id.is_in(ids.iter().map(|id| id.0)));
    let rows = tx.connection().query_all(&records.into_query()).await?;
    tx.finish_read().await?;
    // One after the other, because the texts of a decision can have megabytes.
    let read = |row: QueryResult| {
        let texts: DecisionTexts = row.try_get_by_index(0)?;
        record_of(&texts.record)
    };
    rows.into_iter().map(read).collect()
}

/// Selects a decision, joined with its outcome.
pub(super) fn with_outcome(tx: &TenantTx, id: DecisionId) -> Select<table::Entity> {
    let outcome = related(table::Column::Id, outcomes::Column::DecisionId);
    tx.find_by_id::<table::Entity>(id).join(JoinType::LeftJoin, outcome)
}

/// Converts a decision with its outcome, and adds its anchor once the receipt is in the transparency log.
pub(super) async fn with_anchor(
    tx: &TenantTx,
    row: &table::Model,
    outcome: Option<&outcomes::Model>,
) -> Result<DecisionRecord> {
    let outcome = outcome.map(outcome::to_wire).transpose()?;
    let anchor = anchor(tx, row).await?;
    let mut decision = record_of(&row.texts.record)?;
    decision.result.transparency_anchor = anchor;
    Ok(DecisionRecord { outcome, ..decision })
}

/// Returns the receipt of a decision. Public: requires only the decision ID.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn receipt(cx: &Cx, id: DecisionId) -> Result<Receipt> {
    cx.read(|cx| load_receipt(cx, id)).await
}

async fn load_receipt(cx: Cx, id: DecisionId) -> Result<Receipt> {
    let tenant = owner(&cx, id).await?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = by_id(&tx, id).await?;
    let redaction = settings::load(&tx).await?.public_receipt_redaction;
    let receipt = public_receipt(&tx, &row, redaction).await?;
    tx.finish_read().await?;
    Ok(receipt)
}

/// Returns the digest of the statement, by which the transparency log and chains refer to a receipt. A receipt
/// of version 1 has none.
pub fn receipt_digest(receipt: &Receipt) -> Option<String> {
    let statement = receipt.statement.as_ref()?.to_canonical();
    Some(Digest::compute(statement.as_bytes()).to_string())
}

pub(crate) async fn public_receipt(
    tx: &TenantTx,
    row: &table::Model,
    redaction: Redaction,
) -> Result<Receipt> {
    let approval = approvals(tx, row.snapshot_id).await?;
    let anchor = anchor(tx, row).await?;
    let mut receipt = view(row, redaction)?;
    receipt.result.transparency_anchor.clone_from(&anchor);
    Ok(Receipt { approval, transparency_anchor: anchor, ..receipt })
}

/// Returns the anchor of a receipt once it is in the transparency log.
async fn anchor(tx: &TenantTx, row: &table::Model) -> Result<Option<Value>> {
    let digest = stored_digest::read(&row.receipt_digest).ok();
    transparency_log::anchor(tx.connection(), EntryKind::Receipt, digest).await
}

/// Selects the time of ratification of a policy version.
// SQL: the approval may belong to an ancestor, and typed queries only cover the tenant's own rows.
const SELECT_RATIFIED_AT: &str = "SELECT ratified_at FROM policy_approvals \
                                  WHERE tenant_id = $1 AND policy_id = $2 AND digest = $3";

/// Selects the policies of a snapshot that have an approval, in the order of the snapshot, each with the
/// time of ratification if the tenant owns the policy.
// SQL: the policies are stored as JSON.
const SELECT_APPROVED: &str = "SELECT (p.policy ->> 'policy_id')::uuid, \
     (p.policy ->> 'policy_version_id')::uuid, (p.policy ->> 'version')::int, \
     p.policy ->> 'approval_digest', (p.policy ->> 'owner_tenant_id')::uuid, a.ratified_at \
     FROM policy_snapshots s \
     CROSS JOIN LATERAL jsonb_array_elements(s.body::jsonb -> 'policies') \
       WITH ORDINALITY AS p (policy, ordinal) \
     LEFT JOIN policy_approvals a ON a.tenant_id = $1 AND a.digest = p.policy ->> 'approval_digest' \
     WHERE s.tenant_id = $1 AND s.id = $2 AND p.policy ->> 'approval_digest' IS NOT NULL \
     ORDER BY p.ordinal";

type ApprovedRow = (Uuid, Uuid, i32, String, Option<Uuid>, Option<DateTimeUtc>);

/// Returns the approvals of a decision, also of inherited policies; `None` for snapshots that predate
/// approvals.
async fn approvals(tx: &TenantTx, snapshot: Uuid) -> Result<Option<Vec<ReceiptApproval>>> {
    let mut approvals = Vec::new();
    for row in tx.tuples(SELECT_APPROVED, [snapshot.into()]).await? {
        let (policy_id, version_id, version, approval_digest, owner, mut ratified_at): ApprovedRow =
            row;
        if let Some(owner) = owner.map(TenantId) {
            let values = [policy_id.into(), approval_digest.as_str().into()];
            let rows = tx.owner_tuples(Some(owner), SELECT_RATIFIED_AT, values).await?;
            ratified_at = rows.into_iter().next();
        }
        let Some(ratified_at) = ratified_at else { continue };
        approvals.push(ReceiptApproval {
            policy_id: policy_id.into(),
            policy_version_id: version_id.into(),
            version: unsigned(version),
            approval_digest,
            ratified_at: from_column(ratified_at),
        });
    }
    Ok((!approvals.is_empty()).then_some(approvals))
}

pub(crate) async fn owner(cx: &Cx, id: DecisionId) -> Result<TenantId> {
    let owner = public_id::owner(cx, PublicKind::Decision, id.0).await?;
    Ok(owner.or_not_found(ResourceKind::Decision)?)
}

fn view(row: &table::Model, redaction: Redaction) -> Result<Receipt> {
    let record = record_of(&row.texts.record)?;
    let mut result: EvaluationResult = record.result;
    if redaction == Redaction::Values {
        receipt::redaction::redact_values(&mut result);
    }
    let signature = result.signature.clone();
    let kid = signature.as_ref().map(|signature| signature.signature_kid.clone());
    let statement = row.texts.statement.as_deref();
    let statement = statement.map(|text| parse_stored("stored bytes", text));
    // Before schema version 2 the signed hash had no envelope.
    let is_enveloped = result.receipt_schema_version == RECEIPT_SCHEMA_VERSION;
    let payload_type = kid.as_ref().filter(|_| is_enveloped);
    Ok(Receipt {
        decision_id: record.id,
        tenant_id: record.tenant_id,
        receipt_schema_version: result.receipt_schema_version,
        statement: statement.transpose()?,
        payload_type: payload_type.map(|_| PayloadType::Receipt.as_str().to_owned()),
        signature_algorithm: signature.as_ref().map(|s| s.signature_algorithm.clone()),
        signature: signature.map(|signature| signature.signature),
        signature_kid: kid,
        context_digest: Digest::compute(row.texts.context.as_bytes()).to_string(),
        policy: record.policy,
        chain: record.chain,
        transparency_anchor: None,
        approval: None,
        redaction,
        result,
    })
}

/// Loads a decision.
pub(crate) async fn by_id(tx: &TenantTx, id: DecisionId) -> Result<table::Model> {
    tx.get::<table::Entity>(id, ResourceKind::Decision).await
}

/// Reads the text of a decision record.
pub(crate) fn record_of(text: &str) -> Result<DecisionRecord> {
    Ok(serde_json::from_str(text)?)
}
