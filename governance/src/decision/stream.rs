//! Decisions as they are recorded, told to whoever listens: each once, in the tenant's order.
//!
//! The place of a decision is the tenant's sequence, which is given out while the head is held, and the
//! head is held until the commit. So what can be read up to a place is complete, in every process, and
//! nothing is ever recorded behind it: a stream is a place, and goes on from it wherever it is resumed.

mod heads;
mod news;
mod place;

use contract::{decision::DecisionEvent, evaluation::Verdict, id::TenantId, time::Timestamp};
use sea_orm::QueryResult;

pub(crate) use self::heads::Streams;
pub use self::{
    heads::look,
    news::{Mark, mark},
};
use self::{
    heads::{Seat, Watched},
    news::News,
    place::Place,
};
use crate::{
    caller::Caller,
    cx::Cx,
    decision::read::record,
    error::{Error, Result, stream::last_event_unknown, unauthorized},
    permission,
    session::Token,
    tenancy::TenantTx,
};

/// How many streams a key, or a person in a tenant, may have open (contract, section 5).
pub const STREAMS_MAX: usize = 20;

/// For how long a stream can be resumed, in milliseconds: an hour (contract, section 5).
pub const RESUMABLE_MS: i64 = 60 * 60 * 1_000;

/// How many decisions are read at once.
const PAGE: i64 = 100;

/// Which decisions a stream tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamFilter {
    /// Of this type.
    pub decision_type: Option<String>,
    /// With this verdict.
    pub decision: Option<Verdict>,
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streamed {
    /// The place behind it: what comes after is told to whoever resumes there.
    pub id: String,
    /// What it is: `decision`, or `news`.
    pub event: &'static str,
    /// Of a decision, the decision as JSON on one line; of news, three counts.
    pub text: String,
}

/// A stream that is open. Dropped, it gives its seat back.
#[derive(Debug)]
pub struct Stream {
    cx: Cx,
    /// The session that the person listens by.
    token: Option<Token>,
    tells: Tells,
    tenant: TenantId,
    /// What was told, or passed over, up to this place.
    after: i64,
    /// Whether there may be more behind `after`, whatever the head says.
    is_behind: bool,
    head: Watched,
    _seat: Seat,
}

/// What a stream tells.
#[derive(Debug)]
enum Tells {
    Decisions(StreamFilter),
    News(News),
}

impl Tells {
    const fn event(&self) -> &'static str {
        match self {
            Self::Decisions(_) => "decision",
            Self::News(_) => "news",
        }
    }
}

/// Opens a stream of decisions: from now on, or from behind the event that `last` names.
///
/// # Errors
/// `VALIDATION_ERROR` for a `last` that is not one of this tenant's, or older than an hour;
/// `TOO_MANY_REQUESTS` beyond 20 streams of one caller in this process.
pub async fn stream(cx: &Cx, filter: StreamFilter, last: Option<&str>) -> Result<Stream> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let last = match last {
        Some(last) => Some(resumed(cx, tenant.id(), last)?),
        None => None,
    };
    open(cx, Tells::Decisions(filter), last).await
}

/// Opens a stream that tells how many decisions and alerts are new since a moment, or since now, and how
/// many alerts are open: at once, and whenever that changes.
///
/// # Errors
/// `TOO_MANY_REQUESTS` beyond 20 streams of one caller in this process.
pub async fn news(cx: &Cx, since: Option<Mark>) -> Result<Stream> {
    cx.tenant(permission::READ_ALERTS)?;
    let since = match since {
        Some(since) => since,
        None => mark(cx).await?,
    };
    let stream = open(cx, Tells::News(News::since(since)), None).await?;
    Ok(Stream { is_behind: true, ..stream })
}

async fn open(cx: &Cx, tells: Tells, last: Option<i64>) -> Result<Stream> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let streams = cx.governance.streams();
    let seat = streams.seat(&cx.caller)?;
    let head = streams.watch(tenant.id());
    let tx = tenant.begin().await?;
    let now = head_of(&tx).await?;
    tx.end().await?;
    let after = last.unwrap_or(now);
    let (cx, tenant, is_behind) = (cx.clone(), tenant.id(), after < now);
    Ok(Stream { cx, token: None, tells, tenant, after, is_behind, head, _seat: seat })
}

/// The place that `last` names.
fn resumed(cx: &Cx, tenant: TenantId, last: &str) -> Result<i64> {
    let place = Place::read(&cx.governance, tenant, last).ok_or_else(last_event_unknown)?;
    let age_ms = cx.now.millis().saturating_sub(place.at.millis());
    if age_ms > RESUMABLE_MS {
        return Err(last_event_unknown().into());
    }
    Ok(place.after)
}

// SQL, as the next one: runs for every page of every stream.
const HEAD: &str = "SELECT audit_seq FROM tenant_heads WHERE tenant_id = $1";

/// The last place that was given out.
async fn head_of(tx: &TenantTx) -> Result<i64> {
    let row = tx.one(HEAD, []).await?;
    Ok(row.ok_or_else(head_gone)?.try_get_by_index(0)?)
}

fn head_gone() -> Error {
    Error::bug("a tenant without its head row")
}

const BEHIND: &str = "SELECT sequence, record FROM decisions \
     WHERE tenant_id = $1 AND sequence > $2 \
       AND ($3::text IS NULL OR decision_type = $3) AND ($4::text IS NULL OR decision = $4) \
     ORDER BY sequence LIMIT $5";

impl StreamFilter {
    /// The next decisions behind a place, with their own places.
    async fn behind(&self, tx: &TenantTx, after: i64) -> Result<Vec<(i64, String)>> {
        let verdict = self.decision.map(|verdict| verdict.to_string());
        let values = [after.into(), self.decision_type.clone().into(), verdict.into(), PAGE.into()];
        let rows = tx.all(BEHIND, values).await?;
        let told = |row: &QueryResult| -> Result<(i64, String)> {
            let stored: String = row.try_get_by_index(1)?;
            Ok((row.try_get_by_index(0)?, event(&stored)?))
        };
        rows.iter().map(told).collect()
    }
}

impl Stream {
    /// The same stream, which ends with the session that a person listens by. A key has none.
    #[must_use]
    pub fn within(mut self, token: Option<Token>) -> Self {
        self.token = token.filter(|_| matches!(self.cx.caller, Caller::Human(_)));
        self
    }

    /// Waits until there may be something to read. May be dropped and asked again.
    pub async fn changed(&mut self) {
        if !self.is_behind {
            self.head.beyond(self.after).await;
        }
    }

    /// What there is to tell since, of decisions at most a page. Whoever opened the stream is let in once
    /// more: a stream tells nothing that was recorded after a key was revoked or a person removed.
    ///
    /// # Errors
    /// As at the door, and those of the store.
    pub async fn page(&mut self) -> Result<Vec<Streamed>> {
        let cx = self.let_in().await?;
        let tx = cx.tenant(permission::READ_DECISIONS)?.begin().await?;
        // First the head, then the rest: all up to it is committed by then.
        let head = head_of(&tx).await?;
        let told = match &mut self.tells {
            Tells::Decisions(filter) => filter.behind(&tx, self.after).await?,
            Tells::News(news) => {
                news.changed(&tx).await?.map(|text| (head, text)).into_iter().collect()
            }
        };
        tx.end().await?;
        self.is_behind = i64::try_from(told.len()).is_ok_and(|read| read >= PAGE);
        let mut page = Vec::with_capacity(told.len());
        for (place, text) in told {
            self.after = place;
            page.push(Streamed { id: self.id_at(cx.now), event: self.tells.event(), text });
        }
        if !self.is_behind {
            self.after = self.after.max(head);
        }
        Ok(page)
    }

    /// Whoever opened the stream, let in once more, at this moment.
    async fn let_in(&self) -> Result<Cx> {
        if let Some(token) = self.token
            && token.signed_in(&self.cx.governance).await?.is_none()
        {
            return Err(unauthorized().into());
        }
        self.cx.again().await
    }

    /// Lets whoever opened the stream in once more, and tells where it stands: whoever resumes there misses
    /// nothing, and has an hour for it from now on.
    ///
    /// # Errors
    /// As at the door, and those of the store.
    pub async fn stand(&mut self) -> Result<String> {
        let cx = self.let_in().await?;
        cx.tenant(permission::READ_DECISIONS)?;
        // That a webhook is dead moves no head: news are counted again each time.
        self.is_behind |= matches!(self.tells, Tells::News(_));
        Ok(self.id_at(cx.now))
    }

    /// Where the stream began.
    pub fn id(&self) -> String {
        self.id_at(self.cx.now)
    }

    fn id_at(&self, at: Timestamp) -> String {
        Place { after: self.after, at }.write(&self.cx.governance, self.tenant)
    }
}

/// The data of an event.
fn event(stored: &str) -> Result<String> {
    let event = DecisionEvent::from(record(stored)?);
    let event = serde_json::to_value(event).map_err(|error| Error::Bug(error.into()))?;
    Ok(event.to_string())
}
