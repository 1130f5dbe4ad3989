//! Recorded decisions, read again: by their tenant, and as public receipts.

use contract::{
    decision::DecisionRecord,
    evaluation::EvaluationResult,
    id::{DecisionId, TenantId},
    json::{Limits, Value},
    receipt::{Receipt, ReceiptApproval, Redaction},
};
use entity::{decision as table, public_id::PublicKind};
use receipt::{key::PayloadType, log::EntryKind, statement::RECEIPT_SCHEMA_VERSION};
use sea_orm::{ColumnTrait, QueryFilter, Select, SelectExt, prelude::DateTimeUtc};
use uuid::Uuid;

use crate::{
    cx::Cx,
    decision::outcome,
    error::{Error, Noun, Result, not_found},
    log, permission, public_id, settings,
    tenancy::TenantTx,
};

/// One recorded decision, as it was answered when it was recorded, with its outcome if it has one, and
/// with its anchor once the receipt is in the log.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: DecisionId) -> Result<DecisionRecord> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let row = by_id(&tx, id).await?;
    let decision = whole(&tx, &row).await?;
    tx.end().await?;
    Ok(decision)
}

/// A stored decision with its outcome, and with its anchor.
pub(super) async fn whole(tx: &TenantTx, row: &table::Model) -> Result<DecisionRecord> {
    let outcome = outcome::of(tx, row.id.into()).await?;
    let anchor = anchor(tx, row).await?;
    let mut decision = record(&row.record)?;
    decision.result.transparency_anchor = anchor;
    Ok(DecisionRecord { outcome, ..decision })
}

/// The public receipt of a decision: whoever knows the id may read it.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn receipt(cx: &Cx, id: DecisionId) -> Result<Receipt> {
    let tenant = owner(cx, id).await?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = by_id(&tx, id).await?;
    let redaction = settings::of(&tx).await?.public_receipt_redaction;
    let receipt = shown(&tx, &row, redaction).await?;
    tx.end().await?;
    Ok(receipt)
}

/// The receipt of a stored decision, as everybody is shown it.
pub(crate) async fn shown(
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

/// Where a receipt stands in the log.
async fn anchor(tx: &TenantTx, row: &table::Model) -> Result<Option<Value>> {
    log::anchor(tx.connection(), EntryKind::Receipt, &row.receipt_digest).await
}

/// The policies of a snapshot that name an approval, in their order.
// SQL: the policies stand in JSON.
const APPROVALS: &str = "SELECT a.policy_id, a.policy_version_id, a.version, a.digest, a.ratified_at \
     FROM policy_snapshots s \
     CROSS JOIN LATERAL jsonb_array_elements(s.body::jsonb -> 'policies') \
       WITH ORDINALITY AS p (policy, place) \
     JOIN policy_approvals a ON a.tenant_id = $1 AND a.digest = p.policy ->> 'approval_digest' \
     WHERE s.tenant_id = $1 AND s.id = $2 ORDER BY p.place";

/// The approvals behind a decision; none for snapshots from before there were any.
async fn approvals(tx: &TenantTx, snapshot: Uuid) -> Result<Option<Vec<ReceiptApproval>>> {
    let mut approvals = Vec::new();
    for row in tx.all(APPROVALS, [snapshot.into()]).await? {
        let (version, ratified_at): (i32, DateTimeUtc) =
            (row.try_get_by_index(2)?, row.try_get_by_index(4)?);
        approvals.push(ReceiptApproval {
            policy_id: row.try_get_by_index::<Uuid>(0)?.into(),
            policy_version_id: row.try_get_by_index::<Uuid>(1)?.into(),
            version: entity::column::number(version),
            approval_digest: row.try_get_by_index(3)?,
            ratified_at: entity::column::instant(ratified_at),
        });
    }
    Ok((!approvals.is_empty()).then_some(approvals))
}

/// The tenant of a public id.
pub(crate) async fn owner(cx: &Cx, id: DecisionId) -> Result<TenantId> {
    let owner = public_id::owner(cx, PublicKind::Decision, id.0).await?;
    Ok(owner.ok_or_else(|| not_found(Noun::Decision))?)
}

fn view(row: &table::Model, redaction: Redaction) -> Result<Receipt> {
    let record = record(&row.record)?;
    let mut result: EvaluationResult = record.result;
    if redaction == Redaction::Values {
        receipt::view::redact_values(&mut result);
    }
    let signature = result.signature.clone();
    let kid = signature.as_ref().map(|signature| signature.signature_kid.clone());
    // Before version 2 nothing stood around the hash that was signed.
    let is_enveloped = result.receipt_schema_version == RECEIPT_SCHEMA_VERSION;
    let payload_type = kid.as_ref().filter(|_| is_enveloped);
    Ok(Receipt {
        decision_id: record.id,
        tenant_id: record.tenant_id,
        receipt_schema_version: result.receipt_schema_version,
        statement: row.statement.as_deref().map(parse).transpose()?,
        payload_type: payload_type.map(|_| PayloadType::Receipt.as_str().to_owned()),
        signature_algorithm: signature.as_ref().map(|s| s.signature_algorithm.clone()),
        signature: signature.map(|signature| signature.signature),
        signature_kid: kid,
        context_digest: receipt::digest::Digest::of(row.context.as_bytes()).to_string(),
        policy: record.policy,
        chain: record.chain,
        transparency_anchor: None,
        approval: None,
        redaction,
        result,
    })
}

/// The tree of stored bytes.
pub(super) fn parse(text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("stored bytes: {fault:?}")))
}

/// The row of a decision.
///
/// # Errors
/// `NOT_FOUND`.
pub(crate) async fn by_id(tx: &TenantTx, id: DecisionId) -> Result<table::Model> {
    let row = find(tx, id).one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(Noun::Decision))?)
}

fn find(tx: &TenantTx, id: DecisionId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

/// Makes sure that there is such a decision.
///
/// # Errors
/// `NOT_FOUND`.
pub(super) async fn exists(tx: &TenantTx, id: DecisionId) -> Result<()> {
    let exists = find(tx, id).exists(tx.connection()).await?;
    if exists { Ok(()) } else { Err(not_found(Noun::Decision).into()) }
}

/// The record of stored bytes.
pub(crate) fn record(text: &str) -> Result<DecisionRecord> {
    serde_json::from_str(text).map_err(|error| Error::Bug(error.into()))
}
