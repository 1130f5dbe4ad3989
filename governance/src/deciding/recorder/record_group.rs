//! The statement that writes a group by calling the SQL function `record_group`.

use std::{collections::HashMap, sync::LazyLock};

use contract::id::{DecisionId, TenantId};
use sea_orm::{ConnectionTrait, QueryResult, Value, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Link, Record, StoredRecord};
use crate::base::{
    audit_event::{ChainedEvent, Head},
    error::{Error, Result},
    tenancy::statement,
};

/// The SQL types of the record columns.
const COLUMNS: [&str; 27] = [
    "uuid",
    "text",
    "text",
    "text",
    "text",
    "text",
    "uuid",
    "int",
    "uuid",
    "text",
    "text",
    "text",
    "timestamptz",
    "text",
    "text",
    "text",
    "text",
    "text",
    "text",
    "text",
    "uuid",
    "text",
    "text",
    "text",
    "text",
    "text",
    "text",
];

/// Calls the function for each tenant with its part of every column.
// SQL, like the next statement: it runs for every recorded decision.
static CALL: LazyLock<String> = LazyLock::new(|| call_with(""));

/// Like [`CALL`], for a single record in a chain. The chain parameters follow all columns.
static CALL_CHAINED: LazyLock<String> =
    LazyLock::new(|| call_with(", $35::uuid, $36::int, $37::uuid"));

fn call_with(link_params: &str) -> String {
    let part = |(number, sql_type): (usize, &&str)| {
        format!(", (${number}::{sql_type}[])[p.since:p.until]")
    };
    let parts: String = (8..).zip(&COLUMNS).map(part).collect();
    format!(
        "SELECT p.tenant, r.head_seq, r.head_hash, r.head_counter, r.existing_key, r.existing_id, \
         r.existing_request, r.existing_record \
         FROM unnest($2::uuid[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::bigint[]) \
         AS p(tenant, since, until, seq, hash, counter) CROSS JOIN LATERAL \
         record_group($1, p.tenant, p.seq, p.hash, p.counter{parts}{link_params}) r"
    )
}

/// The records of one tenant, linked to the head that they follow.
pub(super) struct TenantPart<'a> {
    pub(super) tenant: TenantId,
    pub(super) head: &'a Head,
    pub(super) linked: Vec<(&'a Record, ChainedEvent)>,
}

/// The reason why nothing was written for a tenant.
#[derive(Debug)]
pub(super) enum NotWritten {
    /// Another transaction has locked the head.
    HeadLocked,
    /// The head differs and is returned, or these idempotency keys were used before.
    Conflict { head: Head, known: HashMap<String, StoredRecord> },
}

/// The tenants whose records were not written. For all other tenants, every record was written.
pub(super) type GroupResult = HashMap<TenantId, NotWritten>;

/// Writes `parts`, which are ordered by tenant id. With `waits`, waits for heads that other transactions
/// have locked.
pub(super) async fn call(
    db: &impl ConnectionTrait,
    waits: bool,
    parts: &[TenantPart<'_>],
) -> Result<GroupResult> {
    let values = std::iter::once(waits.into()).chain(of_tenants(parts)).chain(of_records(parts));
    let rows = match link(parts) {
        None => db.query_all_raw(statement(CALL.as_str(), values)).await?,
        Some(link) => {
            let values = values.chain(link_values(link)?);
            db.query_all_raw(statement(CALL_CHAINED.as_str(), values)).await?
        }
    };
    let mut known: HashMap<TenantId, HashMap<String, StoredRecord>> = HashMap::new();
    let mut result = GroupResult::new();
    // The known keys of a tenant come before its head.
    for row in rows {
        let tenant = TenantId(row.try_get_by_index(0)?);
        if let Some((key, stored)) = read_stored(&row)? {
            known.entry(tenant).or_default().insert(key, stored);
        } else {
            let known = known.remove(&tenant).unwrap_or_default();
            result.insert(tenant, not_written(&row, known)?);
        }
    }
    Ok(result)
}

/// Writes the part of one tenant in a transaction that has locked the tenant head.
///
/// # Errors
/// Database errors.
pub(super) async fn call_with_head_locked(
    db: &impl ConnectionTrait,
    part: TenantPart<'_>,
) -> Result<std::result::Result<(), NotWritten>> {
    let tenant = part.tenant;
    let mut result = call(db, true, &[part]).await?;
    Ok(result.remove(&tenant).map_or(Ok(()), Err))
}

fn read_stored(row: &QueryResult) -> Result<Option<(String, StoredRecord)>> {
    let Some(key) = row.try_get_by_index::<Option<String>>(4)? else { return Ok(None) };
    let stored = StoredRecord {
        id: DecisionId(row.try_get_by_index(5)?),
        request_digest: row.try_get_by_index(6)?,
        record: row.try_get_by_index(7)?,
    };
    Ok(Some((key, stored)))
}

fn not_written(row: &QueryResult, known: HashMap<String, StoredRecord>) -> Result<NotWritten> {
    let Some(seq) = row.try_get_by_index::<Option<i64>>(1)? else {
        return Ok(NotWritten::HeadLocked);
    };
    let head = Head { seq, hash: row.try_get_by_index(2)?, activations: row.try_get_by_index(3)? };
    Ok(NotWritten::Conflict { head, known })
}

/// Returns the link if the group consists of a single record.
fn link<'a>(parts: &'a [TenantPart<'_>]) -> Option<&'a Link> {
    let [TenantPart { linked, .. }] = parts else { return None };
    let [(record, _)] = linked.as_slice() else { return None };
    record.link.as_ref()
}

fn link_values(link: &Link) -> Result<[Value; 3]> {
    let step = i32::try_from(link.stated.step).map_err(|error| Error::Bug(error.into()))?;
    let parent = link.stated.parent_decision_id.map(|id| id.0);
    Ok([link.stated.chain_id.0.into(), step.into(), parent.into()])
}

fn of_tenants(parts: &[TenantPart<'_>]) -> [Value; 6] {
    fn column<'p, T>(parts: &'p [TenantPart<'p>], of: impl Fn(&'p TenantPart<'p>) -> T) -> Value
    where
        Vec<T>: Into<Value>,
    {
        parts.iter().map(of).collect::<Vec<_>>().into()
    }
    let mut since = Vec::with_capacity(parts.len());
    let mut until = Vec::with_capacity(parts.len());
    let mut last = 0_i32;
    for part in parts {
        since.push(last + 1);
        // A group is small, so the conversion does not saturate.
        last += i32::try_from(part.linked.len()).unwrap_or(i32::MAX);
        until.push(last);
    }
    [
        column(parts, |part| part.tenant.0),
        since.into(),
        until.into(),
        column(parts, |part| part.head.seq),
        column(parts, |part| part.head.hash.clone()),
        column(parts, |part| part.head.activations),
    ]
}

type Row<'a> = &'a (&'a Record, ChainedEvent);

fn of_records<'a>(parts: &'a [TenantPart<'a>]) -> [Value; COLUMNS.len()] {
    fn column<'a, T>(rows: &[Row<'a>], of: impl Fn(Row<'a>) -> T) -> Value
    where
        Vec<T>: Into<Value>,
    {
        rows.iter().copied().map(of).collect::<Vec<_>>().into()
    }
    fn text<'a>(rows: &[Row<'a>], of: impl Fn(&'a Record) -> &'a str) -> Value {
        column(rows, |(record, _)| of(record).to_owned())
    }
    let rows: Vec<Row<'a>> = parts.iter().flat_map(|part| &part.linked).collect();
    let rows = rows.as_slice();
    let recorded_at =
        |(record, _): Row<'_>| -> DateTimeUtc { entity::column::to_column(record.recorded_at) };
    [
        column::<Uuid>(rows, |(record, _)| record.id.0),
        text(rows, |record| &record.idempotency_key),
        text(rows, |record| &record.request_digest),
        text(rows, |record| &record.decision_type),
        text(rows, |record| record.decision.as_str()),
        text(rows, |record| &record.correlation_id),
        column(rows, |(record, _)| record.policy_id.0),
        column(rows, |(record, _)| record.policy_version),
        column(rows, |(record, _)| record.snapshot_id.0),
        text(rows, |record| record.actor_id.as_deref().unwrap_or_default()),
        column(rows, |(record, _)| array(record.policy_ids.iter().map(ToString::to_string))),
        column(rows, |(record, _)| array(record.rule_codes.iter())),
        column(rows, recorded_at),
        text(rows, |record| &record.text),
        text(rows, |record| &record.context),
        text(rows, |record| &record.integrity),
        text(rows, |record| &record.statement),
        text(rows, |record| &record.receipt_digest),
        text(rows, |record| record.signature.as_ref().map_or("", |(signature, _)| signature)),
        text(rows, |record| record.signature.as_ref().map_or("", |(_, kid)| kid)),
        column(rows, |(record, _)| record.event.event_id.0),
        text(rows, |record| record.event.actor_type),
        text(rows, |record| &record.event.actor_id),
        column(rows, |(_, linked)| linked.text.clone()),
        column(rows, |(_, linked)| linked.hash.clone()),
        column(rows, |(_, linked)| linked.prev.clone()),
        text(rows, |record| record.event.personal_row().unwrap_or_default()),
    ]
}

/// Returns the text form of a PostgreSQL array. A nested array would require elements of equal length.
fn array(elements: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::from("{");
    for (index, element) in elements.enumerate() {
        text.push_str(if index == 0 { "\"" } else { ",\"" });
        for character in element.as_ref().chars() {
            if matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
        text.push('"');
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_text_escapes_special_elements() {
        assert_eq!(array([""; 0].iter()), "{}");
        assert_eq!(array(["a", "", "NULL"].iter()), r#"{"a","","NULL"}"#);
        assert_eq!(array([r#"},{"\"#, "é, x"].iter()), r#"{"},{\"\\","é, x"}"#);
    }
}
