//! The statement that writes a group by calling the SQL function `record_group`.
//!
//! Every argument is named. The statement and its values are made from the same lists, [`tenant_arguments`],
//! [`record_arguments`] and [`call_arguments`], whose names are those of the function's parameters.

use std::{collections::HashMap, slice, sync::LazyLock};

use contract::{
    id::{DecisionId, TenantId},
    rule::Severity,
};
use entity::column::to_column;
use receipt::statement::ChainPosition;
use sea_orm::{ConnectionTrait, QueryResult, Value};

use super::{Record, StoredRecord};
use crate::base::{
    audit_event::{ChainedEvent, Head},
    error::Result,
    tenancy::statement,
};

/// Calls the function for each tenant with its part of every record argument.
// SQL: runs for every recorded decision.
static CALL: LazyLock<String> = LazyLock::new(|| {
    let mut number = 0;
    let mut parameter = |argument: &Argument| {
        number += 1;
        format!("${number}::{}", argument.sql_type)
    };
    let tenants = tenant_arguments(&[]);
    let columns = tenants.each_ref().map(|argument| argument.name).join(", ");
    let tenants = tenants.map(|argument| parameter(&argument)).join(", ");
    let records = record_arguments(&[]).map(|argument| {
        format!("{} => ({})[p.since:p.until]", argument.name, parameter(&argument))
    });
    let call = call_arguments(false, None)
        .map(|argument| format!("{} => {}", argument.name, parameter(&argument)));
    format!(
        "SELECT p.target_tenant, r.* FROM unnest({tenants}) AS p({columns}) \
         CROSS JOIN LATERAL record_group(target_tenant => p.target_tenant, seq => p.seq, \
         hash => p.hash, counter => p.counter, {}, {}) r",
        records.join(", "),
        call.join(", "),
    )
});

/// The records of one tenant, linked to the head that they follow.
pub(super) struct LinkedBatch<'a> {
    tenant: TenantId,
    head: &'a Head,
    records: Vec<LinkedRecord<'a>>,
    /// The head after the records.
    head_after: Head,
}

/// A record with the position of its audit event.
struct LinkedRecord<'a> {
    record: &'a Record,
    event: ChainedEvent,
}

impl<'a> LinkedBatch<'a> {
    /// Links `records` to `head`.
    ///
    /// # Errors
    /// Internal error if `head` is malformed.
    pub(super) fn new(
        tenant: TenantId,
        head: &'a Head,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> Result<Self> {
        let mut head_after = head.clone();
        let records = records
            .into_iter()
            .map(|record| Ok(LinkedRecord { record, event: record.event.link(&mut head_after)? }))
            .collect::<Result<_>>()?;
        Ok(Self { tenant, head, records, head_after })
    }

    pub(super) fn into_head(self) -> Head {
        self.head_after
    }
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

/// Writes `batches`, which are ordered by tenant ID. With `waits`, waits for heads that other transactions
/// have locked. `chain` is the position of a single record in its chain.
pub(super) async fn call(
    db: &impl ConnectionTrait,
    waits: bool,
    batches: &[LinkedBatch<'_>],
    chain: Option<ChainPosition>,
) -> Result<GroupResult> {
    let arguments = tenant_arguments(batches)
        .into_iter()
        .chain(record_arguments(batches))
        .chain(call_arguments(waits, chain));
    let values = arguments.map(|argument| argument.value);
    let rows = db.query_all_raw(statement(CALL.as_str(), values)).await?;
    let mut known: HashMap<TenantId, HashMap<String, StoredRecord>> = HashMap::new();
    let mut result = GroupResult::new();
    // The known keys of a tenant come before its head.
    for row in rows {
        let tenant = TenantId(row.try_get_by("target_tenant")?);
        if let Some((key, stored)) = read_stored(&row)? {
            known.entry(tenant).or_default().insert(key, stored);
        } else {
            let known = known.remove(&tenant).unwrap_or_default();
            result.insert(tenant, not_written(&row, known)?);
        }
    }
    Ok(result)
}

/// Writes the batch of one tenant in a transaction that has locked the tenant head, or waits for it. Returns
/// the head after the records.
///
/// # Errors
/// Database errors.
pub(super) async fn call_with_head_locked(
    db: &impl ConnectionTrait,
    batch: LinkedBatch<'_>,
    chain: Option<ChainPosition>,
) -> Result<std::result::Result<Head, NotWritten>> {
    let mut result = call(db, true, slice::from_ref(&batch), chain).await?;
    Ok(result.remove(&batch.tenant).map_or(Ok(batch.head_after), Err))
}

fn read_stored(row: &QueryResult) -> Result<Option<(String, StoredRecord)>> {
    let Some(key) = row.try_get_by::<Option<String>, _>("existing_key")? else { return Ok(None) };
    let stored = StoredRecord {
        id: DecisionId(row.try_get_by("existing_id")?),
        request_digest: row.try_get_by("existing_request")?,
        record: row.try_get_by("existing_record")?,
    };
    Ok(Some((key, stored)))
}

fn not_written(row: &QueryResult, known: HashMap<String, StoredRecord>) -> Result<NotWritten> {
    let Some(seq) = row.try_get_by::<Option<i64>, _>("head_seq")? else {
        return Ok(NotWritten::HeadLocked);
    };
    let head = Head {
        seq,
        hash: row.try_get_by("head_hash")?,
        activations: row.try_get_by("head_counter")?,
    };
    Ok(NotWritten::Conflict { head, known })
}

struct Argument {
    name: &'static str,
    sql_type: &'static str,
    value: Value,
}

/// Returns the argument with the values of `rows`.
fn column<R, T>(
    name: &'static str,
    sql_type: &'static str,
    rows: &[R],
    value: impl Fn(&R) -> T,
) -> Argument
where
    Vec<T>: Into<Value>,
{
    Argument { name, sql_type, value: rows.iter().map(value).collect::<Vec<_>>().into() }
}

/// Returns the arguments with one element per tenant. `since` and `until` are the first and the last position
/// of the tenant's records.
fn tenant_arguments(batches: &[LinkedBatch<'_>]) -> [Argument; 6] {
    let mut last = 0_i32;
    let position = |batch: &LinkedBatch<'_>| {
        let since = last + 1;
        // A group is small, so the conversion does not saturate.
        last += i32::try_from(batch.records.len()).unwrap_or(i32::MAX);
        (since, last)
    };
    let positions: Vec<(i32, i32)> = batches.iter().map(position).collect();
    [
        column("target_tenant", "uuid[]", batches, |batch| batch.tenant.0),
        column("since", "integer[]", &positions, |(since, _)| *since),
        column("until", "integer[]", &positions, |(_, until)| *until),
        column("seq", "bigint[]", batches, |batch| batch.head.seq),
        column("hash", "text[]", batches, |batch| batch.head.hash.clone()),
        column("counter", "bigint[]", batches, |batch| batch.head.activations),
    ]
}

/// Returns the arguments with one element per record. An absent text is empty.
fn record_arguments(batches: &[LinkedBatch<'_>]) -> [Argument; 29] {
    type Row<'a> = &'a LinkedRecord<'a>;
    fn texts(name: &'static str, rows: &[Row<'_>], value: fn(Row<'_>) -> &str) -> Argument {
        column(name, "text[]", rows, |row| value(row).to_owned())
    }
    let rows: Vec<Row<'_>> = batches.iter().flat_map(|batch| &batch.records).collect();
    let rows = rows.as_slice();
    [
        column("ids", "uuid[]", rows, |row| row.record.id.0),
        texts("keys", rows, |row| &row.record.idempotency_key),
        texts("request_digests", rows, |row| &row.record.request_digest),
        texts("decision_types", rows, |row| &row.record.decision_type),
        texts("verdicts", rows, |row| row.record.decision.as_str()),
        texts("correlation_ids", rows, |row| &row.record.correlation_id),
        column("policies", "uuid[]", rows, |row| row.record.policy_id.0),
        column("versions", "integer[]", rows, |row| row.record.policy_version),
        column("snapshots", "uuid[]", rows, |row| row.record.snapshot_id.0),
        texts("actors", rows, |row| row.record.actor_id.as_deref().unwrap_or_default()),
        column("evaluated", "text[]", rows, |row| {
            array(row.record.policy_ids.iter().map(ToString::to_string))
        }),
        column("violated", "text[]", rows, |row| array(row.record.rule_codes.iter())),
        texts("severities", rows, |row| row.record.severity.map_or("", Severity::as_str)),
        column("shadow_conversions", "boolean[]", rows, |row| row.record.shadow_converted),
        column("times", "timestamptz[]", rows, |row| to_column(row.record.recorded_at)),
        texts("records", rows, |row| &row.record.text),
        texts("contexts", rows, |row| &row.record.context),
        texts("integrities", rows, |row| &row.record.integrity),
        texts("statements", rows, |row| &row.record.statement.text),
        column("receipt_digests", "text[]", rows, |row| row.record.statement.digest.to_string()),
        texts("signatures", rows, |row| {
            row.record.signature.as_ref().map_or("", |signed| &signed.signature)
        }),
        texts("kids", rows, |row| {
            row.record.signature.as_ref().map_or("", |signed| &signed.signature_kid)
        }),
        column("event_ids", "uuid[]", rows, |row| row.record.event.event_id.0),
        texts("event_actors", rows, |row| row.record.event.actor_type),
        texts("event_actor_ids", rows, |row| &row.record.event.actor_id),
        texts("events", rows, |row| &row.event.text),
        texts("event_hashes", rows, |row| &row.event.hash),
        texts("event_prevs", rows, |row| &row.event.prev),
        texts("personals", rows, |row| row.record.event.personal_row().unwrap_or_default()),
    ]
}

/// Returns the arguments with one value.
fn call_arguments(waits: bool, chain: Option<ChainPosition>) -> [Argument; 4] {
    // A step is at most 999,999.
    let step = chain.map(|chain| chain.step.cast_signed());
    let parent = chain.and_then(|chain| chain.parent_decision_id);
    [
        Argument { name: "wait_for_head", sql_type: "boolean", value: waits.into() },
        Argument {
            name: "chain",
            sql_type: "uuid",
            value: chain.map(|chain| chain.chain_id.0).into(),
        },
        Argument { name: "step", sql_type: "integer", value: step.into() },
        Argument { name: "parent", sql_type: "uuid", value: parent.map(|id| id.0).into() },
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
