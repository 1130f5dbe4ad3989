//! The statement that writes a group by calling the SQL function `record_group`.
//!
//! Every argument is named. The statement and its values are made from the same lists, [`tenant_arguments`],
//! [`record_arguments`] and [`call_arguments`], whose names are those of the function's parameters.

use std::{slice, sync::LazyLock};

use receipt::statement::ChainPosition;
use sea_orm::Value;

use super::Record;
use crate::base::{
    audit_event::{ChainedEvent, Head},
    error::constraint,
    prelude::*,
};

// SQL: runs for every recorded decision.
static CALL: LazyLock<String> = LazyLock::new(|| {
    let arguments = tenant_arguments(&[])
        .into_iter()
        .chain(record_arguments(&[]))
        .chain(call_arguments(false, None))
        .enumerate();
    let arguments = arguments.map(|(index, Argument { name, sql_type, .. })| {
        format!("{name} => ${}::{sql_type}", index + 1)
    });
    format!("SELECT * FROM record_group({})", arguments.collect::<Vec<_>>().join(", "))
});

/// The constraint that a known idempotency key violates.
const UNIQUE_KEY: &str = "decisions_unique_idempotency_key";

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
    /// Internal error if the sequence numbers are used up.
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
    /// The head differs, and is this one.
    HeadChanged(Head),
}

/// The result of writing a group.
#[derive(Debug)]
pub(super) enum GroupResult {
    /// Every record was written, except those of these tenants.
    WrittenExcept(HashMap<TenantId, NotWritten>),
    /// Nothing was written, because an idempotency key was used before.
    KeyUsed,
}

/// Writes `batches`, which are ordered by tenant ID. With `waits`, waits for heads that other transactions
/// have locked. `chain` is the position of a single record in its chain.
///
/// # Errors
/// Database errors.
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
    match db.query_all_raw(statement(CALL.as_str(), values)).await {
        Ok(rows) => {
            let rest = rows.iter().map(read_not_written).collect::<Result<_>>()?;
            Ok(GroupResult::WrittenExcept(rest))
        }
        Err(error) if constraint(&error) == Some(UNIQUE_KEY) => Ok(GroupResult::KeyUsed),
        Err(error) => Err(error.into()),
    }
}

/// Writes the batch of one tenant in a transaction that has locked the tenant head. Returns the head after the
/// records.
///
/// # Errors
/// Database errors, and an internal error if an idempotency key was used before.
pub(super) async fn call_with_head_locked(
    tx: &TenantTx,
    batch: LinkedBatch<'_>,
    chain: Option<ChainPosition>,
) -> Result<Head> {
    match call(tx.connection(), true, slice::from_ref(&batch), chain).await? {
        GroupResult::WrittenExcept(rest) if rest.is_empty() => Ok(batch.head_after),
        _ => Err(Error::bug("a record was not written although the head is locked")),
    }
}

fn read_not_written(row: &QueryResult) -> Result<(TenantId, NotWritten)> {
    let tenant = TenantId(row.try_get_by("tenant_id")?);
    let Some(seq) = row.try_get_by("head_seq")? else {
        return Ok((tenant, NotWritten::HeadLocked));
    };
    let head = Head {
        seq,
        hash: stored_digest::read_optional(&row.try_get_by::<Vec<u8>, _>("head_hash")?)?,
        activations: row.try_get_by("head_counter")?,
    };
    Ok((tenant, NotWritten::HeadChanged(head)))
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

/// Returns the argument with the digests of `rows`. An absent digest is empty.
fn digests<R, D: Into<Option<Digest>>>(
    name: &'static str,
    rows: &[R],
    value: impl Fn(&R) -> D,
) -> Argument {
    column(name, "bytea[]", rows, |row| stored_digest::to_column(value(row)))
}

/// Returns the arguments with one element per tenant.
fn tenant_arguments(batches: &[LinkedBatch<'_>]) -> [Argument; 6] {
    [
        column("tenants", "uuid[]", batches, |batch| batch.tenant.0),
        column("seqs", "bigint[]", batches, |batch| batch.head.seq),
        digests("hashes", batches, |batch| batch.head.hash),
        column("counters", "bigint[]", batches, |batch| batch.head.activations),
        column("last_seqs", "bigint[]", batches, |batch| batch.head_after.seq),
        digests("last_hashes", batches, |batch| batch.head_after.hash),
    ]
}

/// Returns the arguments with one element per record. An absent text is empty.
fn record_arguments(batches: &[LinkedBatch<'_>]) -> [Argument; 30] {
    type Row<'a> = &'a LinkedRecord<'a>;
    fn texts(name: &'static str, rows: &[Row<'_>], value: fn(Row<'_>) -> &str) -> Argument {
        column(name, "text[]", rows, |row| value(row).to_owned())
    }
    let rows: Vec<Row<'_>> = batches.iter().flat_map(|batch| &batch.records).collect();
    let rows = rows.as_slice();
    [
        column("tenant_ids", "uuid[]", rows, |row| row.record.tenant_id.0),
        column("sequences", "bigint[]", rows, |row| row.event.seq),
        column("ids", "uuid[]", rows, |row| row.record.id.0),
        texts("keys", rows, |row| &row.record.idempotency_key),
        digests("request_digests", rows, |row| row.record.request_digest),
        texts("decision_types", rows, |row| &row.record.decision_type),
        texts("verdicts", rows, |row| row.record.decision.as_str()),
        texts("correlation_ids", rows, |row| &row.record.correlation_id),
        column("policies", "uuid[]", rows, |row| row.record.policy_id.0),
        texts("policy_codes", rows, |row| &row.record.policy_code),
        column("versions", "integer[]", rows, |row| row.record.policy_version),
        column("snapshots", "uuid[]", rows, |row| row.record.snapshot_id.0),
        texts("actors", rows, |row| row.record.actor_id.as_deref().unwrap_or_default()),
        column("evaluated", "text[]", rows, |row| {
            array(row.record.policy_ids.iter().map(ToString::to_string))
        }),
        column("violated", "text[]", rows, |row| array(row.record.rule_codes.iter())),
        column("violated_policies", "text[]", rows, |row| {
            array(row.record.violated_policies.iter().map(ToString::to_string))
        }),
        texts("severities", rows, |row| row.record.severity.map_or("", Severity::as_str)),
        column("shadow_conversions", "boolean[]", rows, |row| row.record.shadow_converted),
        column("times", "timestamptz[]", rows, |row| to_column(row.record.recorded_at)),
        column("texts", "bytea[]", rows, |row| row.record.texts.clone()),
        digests("receipt_digests", rows, |row| row.record.receipt_digest),
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
        digests("event_hashes", rows, |row| row.event.hash),
        digests("event_prevs", rows, |row| row.event.prev),
        texts("personals", rows, |row| row.record.event.personal_row().unwrap_or_default()),
    ]
}

/// Returns the arguments with one value.
fn call_arguments(waits: bool, chain: Option<ChainPosition>) -> [Argument; 4] {
    // A step is at most 999,999.
    let step = chain.map(|chain| chain.step.cast_signed());
    let parent = chain.and_then(|chain| chain.parent_decision_id);
    [
        Argument { name: "wait_for_heads", sql_type: "boolean", value: waits.into() },
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
