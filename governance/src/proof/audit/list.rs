//! The list of a tenant's audit events, newest first.

use contract::{
    audit::{AuditActor, AuditFilter, AuditItem, AuditObject},
    email::fold_email,
    json::Limits,
};
use entity::{
    audit_event::{self, Column},
    audit_personal, column, decision,
};
use sea_orm::sea_query::{ExprTrait, SimpleExpr};

use crate::{access::permission, base::prelude::*};

/// Returns a page of the tenant's audit events, newest first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, filter: AuditFilter, page: &PageRequest) -> Result<Page<AuditItem>> {
    let tenant = cx.tenant(permission::READ_AUDIT)?;
    let filter =
        AuditFilter { actor_email: filter.actor_email.map(|email| fold_email(&email)), ..filter };
    let list = Cursor::new(&tenant, "audit-log", format!("{filter:?}"));
    let tx = tenant.begin().await?;
    let seqs = in_time_range(&tx, &filter).await?;
    let of_object = match filter.object_id.clone() {
        Some(id) => Some(of_object(&tx, id).await?),
        None => None,
    };
    let mut query = filtered(&tx, filter).apply_if(of_object, QueryFilter::filter);
    if let Some(seqs) = seqs {
        query = query.filter(Column::Seq.is_in(seqs));
    }
    let personal = related(Column::Seq, audit_personal::Column::Seq);
    let query = list.newest(query, Column::Seq, page)?;
    let query = query.join(JoinType::LeftJoin, personal).select_also(audit_personal::Entity);
    let rows = query.all(tx.connection()).await?;
    tx.finish_read().await?;
    let rows = list.page(rows, page.limit, |(row, _)| row.seq);
    Ok(rows.map(|(row, personal)| item(row, personal.map(|personal| personal.personal))))
}

const SELECT_NAMES: &str = include_str!("list.sql");

/// Returns the names of the policies, groups, forms, webhooks and identity providers that events refer to, by their
/// IDs. Deleted objects have no name.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn object_names(cx: &Cx, items: &[AuditItem]) -> Result<BTreeMap<String, String>> {
    let detail = |item: &AuditItem, name: &str| Some(item.details.get(name)?.as_str()?.to_owned());
    let ids: BTreeSet<String> = items
        .iter()
        .flat_map(|item| {
            let details = ["policy_id", "form_id"].map(|name| detail(item, name));
            details.into_iter().flatten().chain([item.object.id.clone()])
        })
        .filter(|id| id.parse::<EventId>().is_ok())
        .collect();
    let ids: Vec<String> = ids.into_iter().collect();
    let names = cx.tenant(permission::READ_AUDIT)?.tuples(SELECT_NAMES, [ids.into()]).await?;
    Ok(names.into_iter().collect())
}

/// The maximum number of events in a time range for [`in_time_range`].
const SHORT_RANGE_EVENTS_MAX: usize = 5_000;

/// Returns the sequence numbers of the events in a short time range if the filter contains nothing else.
/// Without this, the database would scan the audit log from its end, because it is ordered by number and the
/// planner cannot use that time increases with the number.
async fn in_time_range(tx: &TenantTx, filter: &AuditFilter) -> Result<Option<Vec<i64>>> {
    let AuditFilter { from, to, .. } = *filter;
    if *filter != (AuditFilter { from, to, ..AuditFilter::default() }) || from.or(to).is_none() {
        return Ok(None);
    }
    let seqs = in_range(tx.find(), from, to)
        .select_only()
        .column(Column::Seq)
        .limit(SHORT_RANGE_EVENTS_MAX as u64 + 1)
        .into_tuple::<i64>()
        .all(tx.connection())
        .await?;
    Ok(Some(seqs).filter(|seqs| seqs.len() <= SHORT_RANGE_EVENTS_MAX))
}

fn in_range(
    query: Select<audit_event::Entity>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> Select<audit_event::Entity> {
    query
        .apply_if(from, |query, from| query.filter(Column::OccurredAt.gte(column::to_column(from))))
        .apply_if(to, |query, to| query.filter(Column::OccurredAt.lte(column::to_column(to))))
}

fn filtered(tx: &TenantTx, filter: AuditFilter) -> Select<audit_event::Entity> {
    // Repeats the condition of a partial index, so that the index can be used.
    let index_conditions = [
        ("action <> 'decision.record'", filter.action.as_deref(), "decision.record"),
        ("object_type <> 'decision'", filter.object_type.as_deref(), "decision"),
    ];
    let mut query = in_range(tx.find(), filter.from, filter.to);
    for (condition, requested, excluded) in index_conditions {
        if requested.is_some_and(|requested| requested != excluded) {
            query = query.filter(Expr::cust(condition));
        }
    }
    let texts = [
        (Column::Action, filter.action),
        (Column::ActorId, filter.actor_id),
        (Column::ObjectType, filter.object_type),
    ];
    for (column, text) in texts {
        query = query.apply_if(text, |query, text| query.filter(column.eq(text)));
    }
    query.apply_if(filter.actor_email, |query, email| query.filter(by_email(tx, &email)))
}

/// Matches the events of an object. The index of objects omits the events that record decisions; these have the
/// sequence numbers of their decisions.
async fn of_object(tx: &TenantTx, id: String) -> Result<SimpleExpr> {
    let sequence = match id.parse::<DecisionId>() {
        Ok(id) => {
            let decision = tx.find_by_id::<decision::Entity>(id).select_only();
            let decision = decision.column(decision::Column::Sequence).into_tuple::<i64>();
            decision.one(tx.connection()).await?
        }
        Err(_) => None,
    };
    let others = Column::ObjectId.eq(id).and(Column::Action.ne("decision.record"));
    Ok(match sequence {
        Some(sequence) => others.or(Column::Seq.eq(sequence)),
        None => others,
    })
}

/// Matches the events of the user with an email address. An erased address matches nothing.
fn by_email(tx: &TenantTx, email: &str) -> SimpleExpr {
    let rows = tx
        .find::<audit_personal::Entity>()
        .filter(audit_personal::Column::Email.eq(email))
        .select_only()
        .column(audit_personal::Column::Seq);
    Column::Seq.in_subquery(rows.into_query())
}

/// Converts a row to its wire form. Rows that were tampered with are listed too, so that findings of the
/// verification can be inspected.
fn item(row: audit_event::Model, personal: Option<String>) -> AuditItem {
    let event = parse_or_string(row.event);
    let personal = personal.map(parse_or_string);
    let personal_text = |name: &str| {
        let personal_text = personal.as_ref()?.get("data")?.get(name)?;
        personal_text.as_str().map(str::to_owned)
    };
    let email = personal_text("email");
    AuditItem {
        seq: row.seq,
        event_id: EventId(row.event_id),
        occurred_at: column::from_column(row.occurred_at),
        action: row.action,
        actor: AuditActor {
            kind: row.actor_type,
            id: row.actor_id,
            email: email.clone(),
            key_name: personal_text("key_name"),
        },
        actor_email: email,
        object: AuditObject { kind: row.object_type, id: row.object_id },
        details: event.get("details").cloned().unwrap_or_else(|| Object::new().into()),
        hash: hex::encode(row.hash),
        prev_hash: Some(row.prev).filter(|prev| !prev.is_empty()).map(hex::encode),
        event,
        personal,
    }
}

fn parse_or_string(text: String) -> Value {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).unwrap_or(Value::String(text))
}
