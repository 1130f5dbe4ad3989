//! Recorded decisions, read again: by their tenant, and as public receipts.

use contract::{
    decision::{DecisionFilter, DecisionRecord},
    evaluation::EvaluationResult,
    id::{DecisionId, TenantId},
    json::{Limits, Value},
    page::Page,
    receipt::{Receipt, Redaction},
};
use entity::decision as table;
use receipt::key::PayloadType;
use sea_orm::{
    ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    cx::Cx,
    error::{Error, Noun, Result, not_found},
    page::{List, PageRequest},
    permission, settings,
    tenancy::{TenantTx, statement},
};

/// One recorded decision, as the text that was answered when it was recorded.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: DecisionId) -> Result<DecisionRecord> {
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
    let row = by_id(&tx, id).await?;
    tx.end().await?;
    record(&row.record)
}

/// The recorded decisions, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(
    cx: &Cx,
    filter: DecisionFilter,
    page: &PageRequest,
) -> Result<Page<DecisionRecord>> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let list = List {
        governance: &cx.governance,
        name: "decisions",
        tenant: tenant.id(),
        filter: format!("{filter:?}"),
    };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let query = tx.find::<table::Entity>().filter(table::Column::Sequence.lt(below));
    let rows = filtered(query, filter)
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(page.limit) + 1)
        .select_only()
        .column(table::Column::Sequence)
        .column(table::Column::Record)
        .into_tuple::<(i64, String)>()
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let rows = list.page(rows, page.limit, |(sequence, _)| *sequence);
    let items = rows.items.iter().map(|(_, text)| record(text)).collect::<Result<_>>()?;
    Ok(Page { items, next_cursor: rows.next_cursor })
}

fn filtered(mut query: Select<table::Entity>, filter: DecisionFilter) -> Select<table::Entity> {
    use table::Column;
    if let Some(decision_type) = filter.decision_type {
        query = query.filter(Column::DecisionType.eq(decision_type));
    }
    if let Some(decision) = filter.decision {
        query = query.filter(Column::Decision.eq(decision.as_str()));
    }
    if let Some(correlation_id) = filter.correlation_id {
        query = query.filter(Column::CorrelationId.eq(correlation_id));
    }
    if let Some(idempotency_key) = filter.idempotency_key {
        query = query.filter(Column::IdempotencyKey.eq(idempotency_key));
    }
    if let Some(policy_id) = filter.policy_id {
        query = query.filter(Expr::cust_with_values("policy_ids @> $1", [vec![policy_id.0]]));
    }
    if let Some(rule_code) = filter.rule_code {
        query = query.filter(Expr::cust_with_values("rule_codes @> $1", [vec![rule_code]]));
    }
    if let Some(actor_id) = filter.actor_id {
        query = query.filter(Column::ActorId.eq(actor_id));
    }
    if let Some(from) = filter.recorded_from {
        query = query.filter(Column::RecordedAt.gte(entity::column::at(from)));
    }
    if let Some(to) = filter.recorded_to {
        query = query.filter(Column::RecordedAt.lte(entity::column::at(to)));
    }
    query
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
    tx.end().await?;
    view(&row, redaction)
}

const OWNER: &str = "SELECT tenant_id FROM public_ids WHERE id = $1 AND kind = 'decision'";

/// The tenant of a public id.
async fn owner(cx: &Cx, id: DecisionId) -> Result<TenantId> {
    let row = cx.governance.database().query_one_raw(statement(OWNER, [id.0.into()])).await?;
    let row = row.ok_or_else(|| not_found(Noun::Decision))?;
    Ok(TenantId(row.try_get_by_index::<Uuid>(0)?))
}

fn view(row: &table::Model, redaction: Redaction) -> Result<Receipt> {
    let record = record(&row.record)?;
    let mut result: EvaluationResult = record.result;
    if redaction == Redaction::Values {
        receipt::view::redact_values(&mut result);
    }
    let signature = result.signature.clone();
    let kid = signature.as_ref().map(|signature| signature.signature_kid.clone());
    Ok(Receipt {
        decision_id: record.id,
        tenant_id: record.tenant_id,
        receipt_schema_version: result.receipt_schema_version,
        statement: parse(&row.statement)?,
        payload_type: kid.as_ref().map(|_| PayloadType::Receipt.as_str().to_owned()),
        signature_algorithm: signature.as_ref().map(|s| s.signature_algorithm.clone()),
        signature: signature.map(|signature| signature.signature),
        signature_kid: kid,
        context_digest: receipt::digest::Digest::of(row.context.as_bytes()).to_string(),
        policy: record.policy,
        transparency_anchor: None,
        redaction,
        result,
    })
}

fn parse(text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("stored bytes: {fault:?}")))
}

async fn by_id(tx: &TenantTx, id: DecisionId) -> Result<table::Model> {
    let row =
        tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0)).one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(Noun::Decision))?)
}

fn record(text: &str) -> Result<DecisionRecord> {
    serde_json::from_str(text).map_err(|error| Error::Bug(error.into()))
}
