//! Exports: the decisions of a range of time, taken out of the house page by page.

mod csv;

use std::{fmt, str::FromStr};

use contract::{decision::DecisionFilter, json::Value, time::Timestamp};
use uuid::Uuid;

use crate::{audit::Event, cx::Cx, decision::list::Search, error::Result, permission};

/// How an export is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// One decision record a line, as JSON, byte for byte as it was answered when it was recorded.
    #[default]
    Ndjson,
    /// One line a decision, its main facts as cells, under a line of names.
    Csv,
}

impl ExportFormat {
    /// The word of the wire, which is the ending of a file too.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ExportFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Ndjson, Self::Csv].into_iter().find(|format| format.as_str() == text).ok_or(())
    }
}

/// What an export covers, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportRequest {
    /// The decisions; its range of time is the one below.
    pub filter: DecisionFilter,
    /// Recorded at or after.
    pub from: Timestamp,
    /// Recorded at or before.
    pub to: Timestamp,
    /// How it is written.
    pub format: ExportFormat,
}

/// How many decisions are in memory at once.
const PAGE: u64 = 100;

/// An export under way: [`Export::page`] until there is none.
#[derive(Debug)]
pub struct Export {
    cx: Cx,
    search: Search,
    format: ExportFormat,
    id: Uuid,
    after: Option<i64>,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Start,
    Within,
    Done,
}

/// Begins an export, and notes it in the audit log.
///
/// # Errors
/// None but those of the caller and the store.
pub async fn export(cx: &Cx, request: ExportRequest) -> Result<Export> {
    let ExportRequest { filter, from, to, format } = request;
    let filter = DecisionFilter { recorded_from: Some(from), recorded_to: Some(to), ..filter };
    let tenant = cx.tenant(permission::EXPORT_DECISIONS)?;
    let id: Uuid = cx.governance.chance().id();
    let tx = tenant.begin().await?;
    tx.commit(cx, event(id, &filter, format)).await?;
    Ok(Export {
        cx: cx.clone(),
        search: Search { filter, version: None },
        format,
        id,
        after: None,
        progress: Progress::Start,
    })
}

/// What is exported, as ids, codes and instants. Of filters that hold a caller's own words only the
/// names are kept: an event cannot be erased.
fn event(id: Uuid, filter: &DecisionFilter, format: ExportFormat) -> Event {
    let facts = [
        ("recorded_from", filter.recorded_from.map(|at| at.to_string())),
        ("recorded_to", filter.recorded_to.map(|at| at.to_string())),
        ("decision", filter.decision.map(|decision| decision.to_string())),
        ("chain_id", filter.chain_id.map(|id| id.to_string())),
        ("policy_id", filter.policy_id.map(|id| id.to_string())),
        ("rule_code", filter.rule_code.clone()),
    ];
    let words = [
        ("decision_type", filter.decision_type.is_some()),
        ("correlation_id", filter.correlation_id.is_some()),
        ("idempotency_key", filter.idempotency_key.is_some()),
        ("actor_id", filter.actor_id.is_some()),
    ];
    let mut event =
        Event::new("decision.export", "decision_export", id).with("format", format.as_str());
    for (name, value) in facts {
        if let Some(value) = value {
            event = event.with(name, value);
        }
    }
    let words: Vec<_> = words.into_iter().filter(|(_, given)| *given).collect();
    if words.is_empty() {
        return event;
    }
    event.with("also_by", words.into_iter().map(|(name, _)| name).collect::<Value>())
}

impl Export {
    /// The export's id, as the audit log names it.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// How it is written.
    pub fn format(&self) -> ExportFormat {
        self.format
    }

    /// The next piece of the text; nothing when all of it was given.
    ///
    /// Whoever began it is asked for at the door again, so that an export ends where a key is revoked
    /// or a person removed. Each page has a transaction of its own.
    ///
    /// # Errors
    /// As at the door, and those of the store. The text then breaks off, and must not look complete.
    pub async fn page(&mut self) -> Result<Option<String>> {
        if self.progress == Progress::Done {
            return Ok(None);
        }
        let cx = self.cx.again().await?;
        let _reading = cx.governance.long_reads().other().await?;
        let tx = cx.tenant(permission::EXPORT_DECISIONS)?.begin().await?;
        let rows = self.search.rows(&tx, self.after, PAGE).await?;
        tx.end().await?;
        let is_first = self.progress == Progress::Start;
        let is_last = u64::try_from(rows.len()).is_ok_and(|read| read < PAGE);
        self.progress = if is_last { Progress::Done } else { Progress::Within };
        self.after = rows.last().map(|row| row.place).or(self.after);
        let records = rows.iter().map(|row| row.record.as_str());
        let text = match self.format {
            ExportFormat::Ndjson => lines(records),
            ExportFormat::Csv => csv::table(records, is_first)?,
        };
        Ok((!text.is_empty()).then_some(text))
    }
}

/// Records are stored on one line each.
fn lines<'r>(records: impl Iterator<Item = &'r str>) -> String {
    records.flat_map(|record| [record, "\n"]).collect()
}
