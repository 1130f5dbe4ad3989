//! CSV form of decisions for spreadsheets.

use contract::{decision::DecisionRecord, text::spreadsheet_cell};

use crate::{base::prelude::*, deciding::decision::record_of};

const COLUMNS: [&str; 19] = [
    "id",
    "recorded_at",
    "decision_type",
    "decision",
    "policy_id",
    "policy_code",
    "policy_version",
    "rule_codes",
    "rules_evaluated",
    "rules_na",
    "actor_id",
    "correlation_id",
    "idempotency_key",
    "api_key_id",
    "api_key_name",
    "policy_snapshot_id",
    "policy_snapshot_digest",
    "integrity_hash",
    "signature_kid",
];

/// Returns the rows of `records`, after a header row if `has_header`. Times have the offset
/// `offset_minutes` from UTC.
pub(super) fn table<'r>(
    records: impl Iterator<Item = &'r str>,
    has_header: bool,
    offset_minutes: i16,
) -> Result<String> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF) // RFC 4180
        .from_writer(Vec::new());
    if has_header {
        writer.write_record(COLUMNS).map_err(Error::internal)?;
    }
    for text in records {
        let cells = cells(&record_of(text)?, offset_minutes);
        writer
            .write_record(cells.iter().map(|cell| spreadsheet_cell(cell).into_owned()))
            .map_err(Error::internal)?;
    }
    let bytes = writer.into_inner().map_err(Error::internal)?;
    String::from_utf8(bytes).map_err(Error::internal)
}

fn cells(record: &DecisionRecord, offset_minutes: i16) -> [String; COLUMNS.len()] {
    let result = &record.result;
    let mut rules: Vec<&str> = result.violations.iter().map(|v| v.rule_code.as_str()).collect();
    rules.dedup();
    let actor = record.actor.as_ref().and_then(|actor| actor.id.clone());
    let kid = result.signature.as_ref().map(|signature| signature.signature_kid.clone());
    [
        record.id.to_string(),
        record.recorded_at.with_offset(offset_minutes),
        record.decision_type.clone(),
        record.decision.to_string(),
        record.policy.id.to_string(),
        record.policy.code.clone(),
        record.policy.version.to_string(),
        rules.join(" "),
        result.rules_evaluated.to_string(),
        result.rules_na.to_string(),
        actor.unwrap_or_default(),
        record.correlation_id.clone(),
        record.idempotency_key.clone(),
        record.api_key_id.clone().unwrap_or_default(),
        record.api_key_name.clone().unwrap_or_default(),
        record.policy_snapshot_id.to_string(),
        result.policy_snapshot_digest.clone().unwrap_or_default(),
        result.integrity_hash.clone(),
        kid.unwrap_or_default(),
    ]
}
