//! Exports: the decisions of a time range, read page by page.

mod csv;

use contract::decision::DecisionFilter;

use crate::{
    access::permission,
    base::prelude::*,
    deciding::decision::list::{DecisionSearch, fitting},
};

contract::named_enum! {
    #[derive(Default)]
    pub enum ExportFormat {
        /// JSON Lines: one decision record per line, with exactly the bytes that the record call returned.
        #[default]
        Ndjson = "ndjson",
        /// CSV: one row per decision with its main values, after a header row.
        Csv = "csv",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportRequest {
    /// The filter; `from` and `to` replace its time range.
    pub filter: DecisionFilter,
    /// The earliest time of recording, inclusive.
    pub from: Timestamp,
    /// The latest time of recording, inclusive.
    pub to: Timestamp,
    pub format: ExportFormat,
    /// The offset from UTC, in minutes, of the times in a CSV file. JSON Lines contain the stored records.
    pub offset_minutes: i16,
}

/// The maximum number of decisions in memory at a time. Of large decisions there are fewer ([`fitting`]).
const PAGE_ROWS: u64 = 100;

/// A running export. Call [`Export::page`] until it returns `None`.
#[derive(Debug)]
pub struct Export {
    cx: Cx,
    search: DecisionSearch,
    format: ExportFormat,
    offset_minutes: i16,
    id: Uuid,
    after: Option<i64>,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Start,
    Running,
    Done,
}

/// Starts an export and writes its audit event.
///
/// # Errors
/// Permission and database errors.
pub async fn export(cx: &Cx, request: ExportRequest) -> Result<Export> {
    let ExportRequest { filter, from, to, format, offset_minutes } = request;
    let filter = DecisionFilter { recorded_from: Some(from), recorded_to: Some(to), ..filter };
    let tenant = cx.tenant(permission::EXPORT_DECISIONS)?;
    let id: Uuid = cx.governance.entropy().id();
    let tx = tenant.begin().await?;
    tx.commit(cx, event(id, &filter, format)).await?;
    Ok(Export {
        cx: cx.clone(),
        search: DecisionSearch { filter },
        format,
        offset_minutes,
        id,
        after: None,
        progress: Progress::Start,
    })
}

/// Returns the audit event with the filter's IDs, codes and times. Of filters with free text only the names
/// are stored, because events cannot be erased.
fn event(id: Uuid, filter: &DecisionFilter, format: ExportFormat) -> Event {
    let values = [
        ("recorded_from", filter.recorded_from.map(|time| time.to_string())),
        ("recorded_to", filter.recorded_to.map(|time| time.to_string())),
        ("decision", filter.decision.map(|decision| decision.to_string())),
        ("chain_id", filter.chain_id.map(|id| id.to_string())),
        ("policy_id", filter.policy_id.map(|id| id.to_string())),
        ("version", filter.version.map(|version| version.to_string())),
        ("rule_code", filter.rule_code.clone()),
        ("severity", filter.severity.map(|severity| severity.to_string())),
        ("outcome", filter.outcome.map(|outcome| outcome.to_string())),
        ("shadow_converted", filter.shadow_converted.map(|converted| converted.to_string())),
    ];
    let free_text = [
        ("decision_type", filter.decision_type.is_some()),
        ("correlation_id", filter.correlation_id.is_some()),
        ("idempotency_key", filter.idempotency_key.is_some()),
        ("actor_id", filter.actor_id.is_some()),
    ];
    let mut event =
        Event::new("decision.export", "decision_export", id).with("format", format.as_str());
    for (name, value) in values {
        if let Some(value) = value {
            event = event.with(name, value);
        }
    }
    let free_text: Vec<_> = free_text.into_iter().filter(|(_, is_set)| *is_set).collect();
    if free_text.is_empty() {
        return event;
    }
    event.with("also_by", free_text.into_iter().map(|(name, _)| name).collect::<Value>())
}

impl Export {
    /// Returns the ID of the export in the audit log.
    pub fn id(&self) -> Uuid {
        self.id
    }

    pub fn format(&self) -> ExportFormat {
        self.format
    }

    /// Returns the next part of the text, or `None` at the end.
    ///
    /// Authenticates the caller again for each page, so that an export stops when its key is revoked or its
    /// user is removed. Each page uses its own transaction.
    ///
    /// # Errors
    /// Authentication and database errors. The output is then incomplete, and the caller must abort it instead
    /// of ending it normally.
    pub async fn page(&mut self) -> Result<Option<String>> {
        if self.progress == Progress::Done {
            return Ok(None);
        }
        let cx = self.cx.reauthenticate().await?;
        let _reading = cx.governance.base().long_reads.acquire().await?;
        let (search, after) = (&self.search, self.after);
        let read = |cx: Cx| async move {
            let tx = cx.tenant(permission::EXPORT_DECISIONS)?.begin().await?;
            let rows = search.rows(&tx, after.into(), PAGE_ROWS).await?;
            tx.finish_read().await?;
            Ok(rows)
        };
        let rows = cx.read(read).await?;
        let is_first = self.progress == Progress::Start;
        let is_cut = fitting(&rows) < rows.len();
        let is_last = !is_cut && u64::try_from(rows.len()).is_ok_and(|count| count < PAGE_ROWS);
        self.progress = if is_last { Progress::Done } else { Progress::Running };
        self.after = rows.last().map(|row| row.position).or(self.after);
        let records = rows.iter().map(|row| row.record.as_str());
        let text = match self.format {
            ExportFormat::Ndjson => lines(records),
            ExportFormat::Csv => csv::table(records, is_first, self.offset_minutes)?,
        };
        Ok((!text.is_empty()).then_some(text))
    }
}

/// Writes one record per line. A stored record contains no line break.
fn lines<'r>(records: impl Iterator<Item = &'r str>) -> String {
    records.flat_map(|record| [record, "\n"]).collect()
}
