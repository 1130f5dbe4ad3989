//! The events of a tenant's log, newest first.

use std::collections::BTreeMap;

use contract::{
    audit::{AuditActor, AuditFilter, AuditItem, AuditObject},
    id::EventId,
    json::{Limits, Object, Value},
    page::Page,
    time::Timestamp,
};
use entity::{
    audit_event::{self, Column},
    audit_personal, column,
};
use sea_orm::{
    ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, SimpleExpr},
};

use crate::{
    cx::Cx,
    error::Result,
    page::{List, PageRequest},
    permission,
    tenancy::TenantTx,
};

/// The events of the caller's tenant, newest first, in the order of their numbers.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, filter: AuditFilter, page: &PageRequest) -> Result<Page<AuditItem>> {
    let tenant = cx.tenant(permission::READ_AUDIT)?;
    let filter =
        AuditFilter { actor_email: filter.actor_email.map(|email| email.to_lowercase()), ..filter };
    let list = List {
        governance: &cx.governance,
        name: "audit-log",
        tenant: tenant.id(),
        filter: format!("{filter:?}"),
    };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let few = of_a_short_time(&tx, &filter).await?;
    let mut query = filtered(&tx, filter);
    if let Some(few) = few {
        query = query.filter(Column::Seq.is_in(few));
    }
    let rows = query
        .filter(Column::Seq.lt(below))
        .order_by_desc(Column::Seq)
        .limit(u64::from(page.limit) + 1)
        .all(tx.connection())
        .await?;
    let rows = list.page(rows, page.limit, |row| row.seq);
    let mut people = people(&tx, &rows.items).await?;
    tx.end().await?;
    Ok(rows.map(|row| {
        let personal = people.remove(&row.seq);
        item(row, personal)
    }))
}

/// How many events a short time holds at the most.
const SHORT: usize = 5_000;

/// The events of a time that has few of them, when nothing but the time is asked for. The store
/// would look for them from the end of the log on, however long ago that time was: it goes by
/// numbers, and does not know that time goes with them.
async fn of_a_short_time(tx: &TenantTx, filter: &AuditFilter) -> Result<Option<Vec<i64>>> {
    let AuditFilter { from, to, .. } = *filter;
    if *filter != (AuditFilter { from, to, ..AuditFilter::default() }) || from.or(to).is_none() {
        return Ok(None);
    }
    let seqs = within(tx.find(), from, to)
        .select_only()
        .column(Column::Seq)
        .limit(SHORT as u64 + 1)
        .into_tuple::<i64>()
        .all(tx.connection())
        .await?;
    Ok(Some(seqs).filter(|seqs| seqs.len() <= SHORT))
}

fn within(
    query: Select<audit_event::Entity>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> Select<audit_event::Entity> {
    query
        .apply_if(from, |query, from| query.filter(Column::OccurredAt.gte(column::at(from))))
        .apply_if(to, |query, to| query.filter(Column::OccurredAt.lte(column::at(to))))
}

fn filtered(tx: &TenantTx, filter: AuditFilter) -> Select<audit_event::Entity> {
    // Said once more as it stands in the condition of an index, so that the index can serve.
    let rest = [
        ("action <> 'decision.record'", filter.action.as_deref(), "decision.record"),
        ("object_type <> 'decision'", filter.object_type.as_deref(), "decision"),
    ];
    let mut query = within(tx.find(), filter.from, filter.to);
    for (condition, asked, usual) in rest {
        if asked.is_some_and(|asked| asked != usual) {
            query = query.filter(Expr::cust(condition));
        }
    }
    let texts = [
        (Column::Action, filter.action),
        (Column::ActorId, filter.actor_id),
        (Column::ObjectType, filter.object_type),
        (Column::ObjectId, filter.object_id),
    ];
    for (column, text) in texts {
        query = query.apply_if(text, |query, text| query.filter(column.eq(text)));
    }
    query.apply_if(filter.actor_email, |query, email| query.filter(of_person(tx, &email)))
}

/// The events of whoever has an address. An erased one finds nothing.
fn of_person(tx: &TenantTx, email: &str) -> SimpleExpr {
    let rows = tx
        .find::<audit_personal::Entity>()
        .filter(audit_personal::Column::Email.eq(email))
        .select_only()
        .column(audit_personal::Column::Seq);
    Column::Seq.in_subquery(rows.into_query())
}

/// What stands beside these events, by their numbers.
async fn people(tx: &TenantTx, events: &[audit_event::Model]) -> Result<BTreeMap<i64, String>> {
    let seqs = events.iter().map(|event| event.seq);
    let rows = tx
        .find::<audit_personal::Entity>()
        .filter(audit_personal::Column::Seq.is_in(seqs))
        .all(tx.connection())
        .await?;
    Ok(rows.into_iter().map(|row| (row.seq, row.personal)).collect())
}

/// The wire's form of a row. A log that was tampered with can be listed too: what its check finds is
/// to be seen here.
fn item(row: audit_event::Model, personal: Option<String>) -> AuditItem {
    let event = read(row.event);
    let personal = personal.map(read);
    let named = |name: &str| {
        let named = personal.as_ref()?.get("data")?.get(name)?;
        named.as_str().map(str::to_owned)
    };
    let email = named("email");
    AuditItem {
        seq: row.seq,
        event_id: EventId(row.event_id),
        occurred_at: column::instant(row.occurred_at),
        action: row.action,
        actor: AuditActor {
            kind: row.actor_type,
            id: row.actor_id,
            email: email.clone(),
            key_name: named("key_name"),
        },
        actor_email: email,
        object: AuditObject { kind: row.object_type, id: row.object_id },
        details: event.get("details").cloned().unwrap_or_else(|| Object::new().into()),
        hash: row.hash,
        prev_hash: Some(row.prev).filter(|prev| !prev.is_empty()),
        event,
        personal,
    }
}

fn read(text: String) -> Value {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER).unwrap_or(Value::String(text))
}
