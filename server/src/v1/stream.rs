//! Decisions as they are recorded, as server-sent events.

use std::{convert::Infallible, time::Duration};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    response::{IntoResponse, Response},
};
use contract::error::ErrorBody;
use futures_util::{StreamExt, stream};
use governance::{
    decision::{self, Stream, StreamFilter, Streamed},
    session::Token,
};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior},
};
use tower_sessions::Session;

use crate::{
    edge::{
        error::Reply,
        extract::{Api, Query},
        phase::Cutter,
    },
    state::Service,
    v1::decisions::VERDICTS,
};

/// How many events may wait for a slow reader (contract, section 5).
pub const WAITING_MAX: usize = 256;

/// Every so many beats, a stream without news says that it is still there.
const BEATS_TO_A_COMMENT: u32 = 3;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Listen to decisions as they are recorded.
///
/// Server-sent events, in the order in which the tenant recorded them, each once. The `id` of an event is
/// opaque; who comes back within an hour and names the last one in `Last-Event-ID` goes on behind it. Ids
/// come without an event too, at the start and with the comment that is sent every 15 seconds. The stream
/// ends when the key is revoked, the person signs out or the service stops, and when 256 events wait for a
/// reader who takes none. A key may have 20 streams open at each process.
#[utoipa::path(
    get, path = "/v1/decisions/stream", tag = "decisions",
    params(
        ("decision_type" = Option<String>, Query, description = "Decisions of this type"),
        ("decision" = Option<String>, Query, description = "`ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen"),
    ),
    responses(
        (
            status = 200,
            description = "`event: decision`, with a `DecisionEvent` as its `data`",
            content((String = "text/event-stream")),
        ),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
        (status = 429, description = "`TOO_MANY_REQUESTS`: 20 streams are open", body = ErrorBody),
    )
)]
pub async fn stream(
    State(service): State<Service>,
    Api(cx): Api,
    headers: HeaderMap,
    cutter: Cutter,
    session: Option<Extension<Session>>,
    mut query: Query,
) -> Reply<Response> {
    let decision_type = query.text("decision_type", 100);
    let decision = query.parsed("decision", VERDICTS);
    query.finish()?;
    let filter = StreamFilter { decision_type, decision };
    // What is no text is no id of ours.
    let last = headers.get(LAST_EVENT_ID).map(|id| id.to_str().unwrap_or("?"));
    let stream = decision::stream(&cx, filter, last.filter(|id| !id.is_empty())).await?;
    let token = session.and_then(|Extension(session)| Token::of(&session));
    Ok(told(stream.within(token), &service, Duration::ZERO, cutter))
}

/// The answer: what `stream` tells, with a `pause` after each page, until the process stops.
pub(crate) fn told(stream: Stream, service: &Service, pause: Duration, cutter: Cutter) -> Response {
    let (stopping, beat) = (service.stopping(), service.edge.bounds.beat);
    let (events, waiting) = mpsc::channel(WAITING_MAX);
    let start = Bytes::from(format!("retry: 3000\nid: {}\n\n", stream.id()));
    let mut until = stopping.clone();
    tokio::spawn(async move {
        let teller = Teller { stream, events, beat, pause, rests_until: Instant::now() };
        let told = tokio::select! {
            told = teller.tell() => told,
            _ = until.wait_for(|is_stopping| *is_stopping) => Ended::ByItself,
        };
        if told == Ended::TooSlow {
            tracing::info!("a stream was cut because nobody read it");
            cutter.cut();
        }
    });
    let waiting = stream::unfold(waiting, |mut waiting| async {
        waiting.recv().await.map(|event| (event, waiting))
    });
    let mut stopping = stopping;
    let stopped = Box::pin(async move {
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    });
    let events = stream::once(async { start }).chain(waiting).take_until(stopped);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (BUFFERING, HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(events.map(Ok::<_, Infallible>))).into_response()
}

/// Why nothing more is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The listener left, may not listen any more, or the store or the process is going away.
    ByItself,
    /// The listener does not read.
    TooSlow,
}

/// Reads a stream, and hands it to the connection.
struct Teller {
    stream: Stream,
    events: mpsc::Sender<Bytes>,
    beat: Duration,
    pause: Duration,
    rests_until: Instant,
}

impl Teller {
    async fn tell(mut self) -> Ended {
        let mut beats = tokio::time::interval_at(Instant::now() + self.beat, self.beat);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut beaten = 0_u32;
        loop {
            let ended = tokio::select! {
                () = self.events.closed() => Some(Ended::ByItself),
                _ = beats.tick() => {
                    beaten = beaten.wrapping_add(1);
                    self.stand(beaten.is_multiple_of(BEATS_TO_A_COMMENT)).await
                }
                () = async {
                    tokio::time::sleep_until(self.rests_until).await;
                    self.stream.changed().await;
                } => self.page().await,
            };
            if let Some(ended) = ended {
                return ended;
            }
        }
    }

    /// Makes sure that the listener may listen, and perhaps says that the stream is still there.
    async fn stand(&mut self, says_so: bool) -> Option<Ended> {
        match self.stream.stand().await {
            // Who does not take events takes no comments, and need not.
            Ok(id) if says_so => {
                let _ = self.events.try_send(Bytes::from(format!(": listening\nid: {id}\n\n")));
                None
            }
            Ok(_) => None,
            Err(error) => Some(ended(&error)),
        }
    }

    /// Tells the next events.
    async fn page(&mut self) -> Option<Ended> {
        let page = match self.stream.page().await {
            Ok(page) => page,
            Err(error) => return Some(ended(&error)),
        };
        if !page.is_empty() {
            self.rests_until = Instant::now() + self.pause;
        }
        for Streamed { id, event, text } in page {
            let text = format!("id: {id}\nevent: {event}\ndata: {text}\n\n");
            // A burst is no fault of the reader: only who takes nothing for a whole beat is too slow.
            if self.events.send_timeout(Bytes::from(text), self.beat).await.is_err() {
                let is_gone = self.events.is_closed();
                return Some(if is_gone { Ended::ByItself } else { Ended::TooSlow });
            }
        }
        None
    }
}

fn ended(error: &governance::Error) -> Ended {
    tracing::info!(%error, "a stream ended");
    Ended::ByItself
}
