//! Streams of decisions: each decision is sent once, in the tenant's order.
//!
//! The position of a decision is its tenant sequence number, which is allocated while the tenant head is
//! locked. The lock is released at commit. Therefore, once a position can be read, all decisions up to it
//! can be read, in every process, and none is added before it later. A stream is identified by its position
//! and can be resumed from it in any process.

mod activity;
mod head_watcher;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::sync::LazyLock;

use contract::decision::DecisionEvent;
use entity::decision_texts::DecisionTexts;

use self::{
    activity::ActivityCounts,
    head_watcher::{HeadWatch, StreamPermit},
};
pub(crate) use self::{activity::MARK, head_watcher::StreamRegistry};
pub use self::{
    activity::{ActivityMark, activity},
    head_watcher::poll_heads,
};
use crate::{
    access::{permission, session::SessionToken},
    base::{error::stream::last_event_unknown, prelude::*, sql::assemble},
    deciding::decision::{page_size, record_of},
};

/// The maximum number of open streams per API key, or per user in a tenant (contract, section 5).
pub const STREAMS_MAX: usize = 20;

/// How long a stream can be resumed, in milliseconds: one hour (contract, section 5).
pub const RESUMABLE_MS: i64 = 60 * 60 * 1_000;

/// The number of decisions that are read at a time.
const PAGE_ROWS: i64 = 100;

/// The decisions that a stream sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamFilter {
    /// The decision type to send; `None` for all.
    pub decision_type: Option<String>,
    /// The verdict to send; `None` for all.
    pub decision: Option<Verdict>,
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamEvent {
    /// The position after the event. A stream that resumes there receives everything that follows.
    pub id: String,
    /// The event name: `decision` or `news`.
    pub event: &'static str,
    /// The data: a decision as single-line JSON, or the four counts of a `news` event.
    pub text: String,
}

/// An open stream. Dropping it releases its permit.
#[derive(Debug)]
pub struct Stream {
    cx: Cx,
    /// The session of the user; `None` for API keys.
    token: Option<SessionToken>,
    kind: StreamKind,
    tenant: TenantId,
    /// The position up to which decisions were sent or skipped.
    after: i64,
    /// Whether there may be more after `after`, independent of the watched head.
    is_behind: bool,
    head: HeadWatch,
    _permit: StreamPermit,
}

#[derive(Debug)]
enum StreamKind {
    Decisions(StreamFilter),
    News(ActivityCounts),
}

impl StreamKind {
    const fn event(&self) -> &'static str {
        match self {
            Self::Decisions(_) => "decision",
            Self::News(_) => "news",
        }
    }
}

/// Opens a stream of decisions that starts now, or after the event `last`.
///
/// # Errors
/// `VALIDATION_ERROR` if `last` is not an event of this tenant or is older than an hour;
/// `TOO_MANY_REQUESTS` if the caller has 20 open streams in this process.
pub async fn stream(cx: &Cx, filter: StreamFilter, last: Option<&str>) -> Result<Stream> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let last = last.map(|last| resume_position(cx, tenant.id(), last)).transpose()?;
    open(cx, StreamKind::Decisions(filter), last).await
}

/// Opens a stream of the counts of [`activity`]. Sends them immediately and after each change.
///
/// # Errors
/// `TOO_MANY_REQUESTS` if the caller has 20 open streams in this process.
pub async fn activity_stream(cx: &Cx, since: Option<ActivityMark>) -> Result<Stream> {
    let counts = ActivityCounts::since(cx, since).await?;
    let stream = open(cx, StreamKind::News(counts), None).await?;
    Ok(Stream { is_behind: true, ..stream })
}

async fn open(cx: &Cx, kind: StreamKind, last: Option<i64>) -> Result<Stream> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let streams = &cx.governance.deciding().streams;
    let permit = streams.acquire(&cx.caller)?;
    let head = streams.watch(tenant.id());
    let tx = tenant.begin().await?;
    let now = head_of(&tx).await?;
    tx.finish_read().await?;
    let after = last.unwrap_or(now);
    let (cx, tenant, is_behind) = (cx.clone(), tenant.id(), after < now);
    Ok(Stream { cx, token: None, kind, tenant, after, is_behind, head, _permit: permit })
}

/// Returns the position that `last` contains.
fn resume_position(cx: &Cx, tenant: TenantId, last: &str) -> Result<i64> {
    let cursor = StreamCursor::read(&cx.governance, tenant, last).ok_or_else(last_event_unknown)?;
    let age_ms = cx.now.millis().saturating_sub(cursor.timestamp.millis());
    if age_ms > RESUMABLE_MS {
        return Err(last_event_unknown().into());
    }
    Ok(cursor.after)
}

// SQL, like the next statement: runs for every page of every stream.
const SELECT_HEAD: &str = "SELECT audit_seq FROM tenant_heads WHERE tenant_id = $1";

/// Returns the last position that was allocated.
async fn head_of(tx: &TenantTx) -> Result<i64> {
    tx.only(SELECT_HEAD, []).await
}

static SELECT_AFTER: LazyLock<String> = LazyLock::new(|| {
    let before = page_size::bytes_before("ASC");
    assemble(include_str!("stream/after.sql"), &[("bytes_before", &before)])
});

/// A row of the statement.
#[derive(Debug, FromQueryResult)]
struct Row {
    position: i64,
    texts: DecisionTexts,
}

impl StreamFilter {
    /// Returns the next page of decisions after a position, and whether none follow.
    async fn after(&self, tx: &TenantTx, after: i64) -> Result<(Vec<PageEvent>, bool)> {
        let verdict = self.decision.map(|verdict| verdict.to_string());
        let values = [
            after.into(),
            self.decision_type.clone().into(),
            verdict.into(),
            PAGE_ROWS.into(),
            page_size::STORED_BYTES_MAX.into(),
        ];
        let event_row = |row: &QueryResult| -> Result<PageEvent> {
            let Row { position, texts } = Row::from_query_result(row, "")?;
            Ok(PageEvent { position, text: event(&texts.record)?, size: texts.size() })
        };
        let rows = tx.all(&SELECT_AFTER, values).await?;
        let page = page_size::read(rows, event_row, |event| event.size)?;
        let is_cut = page_size::fitting(page.iter().map(|event| event.size)) < page.len();
        let is_full = i64::try_from(page.len()).is_ok_and(|count| count >= PAGE_ROWS);
        Ok((page, !is_cut && !is_full))
    }
}

/// An event of a page.
struct PageEvent {
    position: i64,
    text: String,
    /// The size of all texts of the decision in bytes.
    size: usize,
}

impl Stream {
    /// Ends the stream together with the user's session. API keys have no session.
    #[must_use]
    pub fn with_session(mut self, token: Option<SessionToken>) -> Self {
        self.token = token.filter(|_| matches!(self.cx.caller, Caller::Human(_)));
        self
    }

    /// Waits until there may be something to read. Cancel-safe.
    pub async fn changed(&mut self) {
        if !self.is_behind {
            self.head.wait_past(self.after).await;
        }
    }

    /// Returns the new events, at most one page of decisions. Authorizes the caller again: a stream sends
    /// nothing that was recorded after its key was revoked or its user was removed.
    ///
    /// # Errors
    /// Authentication and database errors.
    pub async fn page(&mut self) -> Result<Vec<StreamEvent>> {
        let cx = self.reauthorize().await?;
        let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
        // The head is read first: everything up to it is committed at that time.
        let head = head_of(&tx).await?;
        let (events, is_last) = match &mut self.kind {
            StreamKind::Decisions(filter) => filter.after(&tx, self.after).await?,
            StreamKind::News(counts) => {
                let event = |text| PageEvent { position: head, text, size: 0 };
                (counts.changed(&tx, &cx).await?.map(event).into_iter().collect(), true)
            }
        };
        tx.finish_read().await?;
        self.is_behind = !is_last;
        let mut page = Vec::with_capacity(events.len());
        for PageEvent { position, text, .. } in events {
            self.after = position;
            page.push(StreamEvent { id: self.id_at(cx.now), event: self.kind.event(), text });
        }
        if !self.is_behind {
            self.after = self.after.max(head);
        }
        Ok(page)
    }

    async fn reauthorize(&self) -> Result<Cx> {
        if let Some(token) = self.token
            && token.signed_in(&self.cx.governance).await?.is_none()
        {
            return Err(unauthorized().into());
        }
        self.cx.reauthenticate().await
    }

    /// Authorizes the caller again and returns the current event ID. A stream that resumes there misses
    /// nothing. The ID is valid for one hour from now.
    ///
    /// # Errors
    /// Authentication and database errors.
    pub async fn heartbeat(&mut self) -> Result<String> {
        let cx = self.reauthorize().await?;
        cx.tenant(permission::READ_DECISIONS)?;
        // A dead webhook does not move the head, so the activity counts are read again each time.
        self.is_behind |= matches!(self.kind, StreamKind::News(_));
        Ok(self.id_at(cx.now))
    }

    /// Returns the event ID of the position at which the stream was opened.
    pub fn id(&self) -> String {
        self.id_at(self.cx.now)
    }

    fn id_at(&self, timestamp: Timestamp) -> String {
        StreamCursor { after: self.after, timestamp }.write(&self.cx.governance, self.tenant)
    }
}

/// Returns the data of a decision event.
fn event(stored: &str) -> Result<String> {
    let event = DecisionEvent::from(record_of(stored)?);
    let event = serde_json::to_value(event)?;
    Ok(event.to_string())
}

/// A stream position and the time at which it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StreamCursor {
    /// The sequence number of the last decision that was sent.
    after: i64,
    /// The time of sending.
    timestamp: Timestamp,
}

/// The length of each number in bytes.
const NUMBER_BYTES: usize = 8;

/// The length in bytes of the MAC that binds both numbers to the tenant.
const TAG_BYTES: usize = 16;

impl StreamCursor {
    /// Encodes the position as opaque text.
    fn write(self, governance: &Governance, tenant: TenantId) -> String {
        let numbers = [self.after, self.timestamp.millis()].map(i64::to_be_bytes).concat();
        let tag = tag(governance, tenant, &numbers);
        URL_SAFE_NO_PAD.encode([numbers.as_slice(), &tag].concat())
    }

    /// Decodes a position that was encoded for this tenant.
    fn read(governance: &Governance, tenant: TenantId, text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (numbers, received_tag) = bytes.split_at_checked(2 * NUMBER_BYTES)?;
        if received_tag != tag(governance, tenant, numbers) {
            return None;
        }
        let (after, timestamp) = numbers.split_first_chunk::<NUMBER_BYTES>()?;
        let timestamp = Timestamp::from_millis(i64::from_be_bytes(timestamp.try_into().ok()?))?;
        Some(Self { after: i64::from_be_bytes(*after), timestamp })
    }
}

fn tag(governance: &Governance, tenant: TenantId, numbers: &[u8]) -> [u8; TAG_BYTES] {
    let message = [tenant.0.as_bytes(), numbers].concat();
    let mut tag = [0; TAG_BYTES];
    tag.copy_from_slice(&governance.pepper().digest("decision-stream", &message)[..TAG_BYTES]);
    tag
}
