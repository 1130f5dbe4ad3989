//! The one statement that writes a group: the function `record_group` of the schema.

use std::{collections::HashMap, sync::LazyLock};

use contract::id::{DecisionId, TenantId};
use sea_orm::{ConnectionTrait, QueryResult, Value, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Link, Record, Stored};
use crate::{
    audit::Linked,
    error::{Error, Result},
    tenancy::{Head, statement},
};

/// The columns of records, by the types of their arrays.
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

/// The statement: it calls the function for each tenant with its part of every column.
// SQL, as the next one: it runs for every recorded decision.
static CALL: LazyLock<String> = LazyLock::new(|| call_with(""));

/// The same for one record with its place in a chain, which is sent behind all columns.
static CALL_CHAINED: LazyLock<String> =
    LazyLock::new(|| call_with(", $35::uuid, $36::int, $37::uuid"));

fn call_with(place: &str) -> String {
    let part = |(place, of): (usize, &&str)| format!(", (${place}::{of}[])[p.since:p.until]");
    let parts: String = (8..).zip(&COLUMNS).map(part).collect();
    format!(
        "SELECT p.tenant, r.at_seq, r.at_hash, r.at_counter, r.known_key, r.known_id, \
         r.known_request, r.known_record \
         FROM unnest($2::uuid[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::bigint[]) \
         AS p(tenant, since, until, seq, hash, counter) CROSS JOIN LATERAL \
         record_group($1, p.tenant, p.seq, p.hash, p.counter{parts}{place}) r"
    )
}

/// Records of one tenant, linked to the head that they follow.
pub(super) struct Part<'a> {
    pub(super) tenant: TenantId,
    pub(super) head: &'a Head,
    pub(super) linked: Vec<(&'a Record, Linked)>,
}

/// Proof that a record was written with its event, in a transaction that has not ended.
#[derive(Debug)]
pub(crate) struct Recorded(());

/// Why nothing was written for a tenant.
#[derive(Debug)]
pub(super) enum Unwritten {
    /// Somebody holds its head.
    Held,
    /// Its head is this one, or these keys were used before.
    Learned { head: Head, known: HashMap<String, Stored> },
}

/// What the call says: of each tenant that is not in here, everything was written.
pub(super) type Answer = HashMap<TenantId, Unwritten>;

/// Writes `parts`, which stand in the order of their tenants' ids. With `waits` it waits for heads
/// that somebody holds.
pub(super) async fn call(
    db: &impl ConnectionTrait,
    waits: bool,
    parts: &[Part<'_>],
) -> Result<Answer> {
    let values = std::iter::once(waits.into()).chain(of_tenants(parts)).chain(of_records(parts));
    let rows = match link(parts) {
        None => db.query_all_raw(statement(CALL.as_str(), values)).await?,
        Some(link) => {
            let values = values.chain(place(link)?);
            db.query_all_raw(statement(CALL_CHAINED.as_str(), values)).await?
        }
    };
    let mut known: HashMap<TenantId, HashMap<String, Stored>> = HashMap::new();
    let mut answer = Answer::new();
    // A tenant's known keys come before its head.
    for row in rows {
        let tenant = TenantId(row.try_get_by_index(0)?);
        if let Some((key, stored)) = stored(&row)? {
            known.entry(tenant).or_default().insert(key, stored);
        } else {
            let known = known.remove(&tenant).unwrap_or_default();
            answer.insert(tenant, unwritten(&row, known)?);
        }
    }
    Ok(answer)
}

/// Writes one tenant's part in a transaction that holds the tenant's head already.
///
/// # Errors
/// The database's own.
pub(super) async fn call_held(
    db: &impl ConnectionTrait,
    part: Part<'_>,
) -> Result<std::result::Result<Recorded, Unwritten>> {
    let tenant = part.tenant;
    let mut answer = call(db, true, &[part]).await?;
    Ok(answer.remove(&tenant).map_or(Ok(Recorded(())), Err))
}

fn stored(row: &QueryResult) -> Result<Option<(String, Stored)>> {
    let Some(key) = row.try_get_by_index::<Option<String>>(4)? else { return Ok(None) };
    let stored = Stored {
        id: DecisionId(row.try_get_by_index(5)?),
        request_digest: row.try_get_by_index(6)?,
        record: row.try_get_by_index(7)?,
    };
    Ok(Some((key, stored)))
}

fn unwritten(row: &QueryResult, known: HashMap<String, Stored>) -> Result<Unwritten> {
    let Some(seq) = row.try_get_by_index::<Option<i64>>(1)? else { return Ok(Unwritten::Held) };
    let head = Head { seq, hash: row.try_get_by_index(2)?, activations: row.try_get_by_index(3)? };
    Ok(Unwritten::Learned { head, known })
}

/// The link of the only record.
fn link<'a>(parts: &'a [Part<'_>]) -> Option<&'a Link> {
    let [Part { linked, .. }] = parts else { return None };
    let [(record, _)] = linked.as_slice() else { return None };
    record.link.as_ref()
}

fn place(link: &Link) -> Result<[Value; 3]> {
    let step = i32::try_from(link.stated.step).map_err(|error| Error::Bug(error.into()))?;
    let parent = link.stated.parent_decision_id.map(|id| id.0);
    Ok([link.stated.chain_id.0.into(), step.into(), parent.into()])
}

fn of_tenants(parts: &[Part<'_>]) -> [Value; 6] {
    fn column<'p, T>(parts: &'p [Part<'p>], of: impl Fn(&'p Part<'p>) -> T) -> Value
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
        // A group is small.
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

type Row<'a> = &'a (&'a Record, Linked);

fn of_records<'a>(parts: &'a [Part<'a>]) -> [Value; COLUMNS.len()] {
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
    let at = |(record, _): Row<'_>| -> DateTimeUtc { entity::column::at(record.recorded_at) };
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
        column(rows, at),
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
        text(rows, |record| record.event.side_row().unwrap_or_default()),
    ]
}

/// The text form of an array: an array of arrays would need them all to be of one length.
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
    fn an_array_has_a_text_form_whatever_its_elements_are() {
        assert_eq!(array([""; 0].iter()), "{}");
        assert_eq!(array(["a", "", "NULL"].iter()), r#"{"a","","NULL"}"#);
        assert_eq!(array([r#"},{"\"#, "é, x"].iter()), r#"{"},{\"\\","é, x"}"#);
    }
}
